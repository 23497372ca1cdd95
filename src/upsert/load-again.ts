import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { LoadedSource } from '../contract/source-load.ts'
import type { Loader } from '../contract/loader.ts'
import type { StorePlan } from '../flow/plan-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import {
  asFileError,
  assign,
  type GatheredItem,
  type LoadAgain,
  numberedItem,
  selfFindingLoaders,
} from './run-items.ts'
import { fetchKept } from './kept-file.ts'
import type { Originals } from './originals.ts'
import type { RunReading } from './run.ts'
import type { LoadRequest } from './run-loads.ts'
import { eachLoaded, loadsOfLoader } from './loader-sources.ts'
import type { StaleLoad } from './stale-loads.ts'

/** What is loaded again with the same additions of an earlier request. */
type Group = {
  request: LoadRequest
  files: LoadedSource[]
  /** Ids of the loader nodes that find documents which differ; `any` for all of them. */
  finding: Set<string>
}

const ANY = 'any'

/** What a refresh does: what it reads, and the files that it would need. */
export type RefreshWork = {
  groups: Group[]
  /** Sources that differ and have no kept file. */
  missing: string[]
  /** Sources that differ and that loaders find by themselves. */
  expected: string[]
}

/**
 * Finds what must be loaded again: sources with other settings than those of the flow, and those of which it is not known with
 * which they were loaded. These are found to be unchanged where they were not.
 */
export async function findRefreshWork(store: ChunkStore, stale: readonly StaleLoad[]): Promise<RefreshWork> {
  const { groups, groupOf, ...rest } = await worksOf(store, stale)
  for await (const source of eachLoaded(store, null))
    if (source.original) groupOf(source.request).files.push(source)
    else groupOf(null).finding.add(ANY)
  return { groups: [...groups.values()], ...rest }
}

/** All that one loader of a flow has loaded, and what it finds by itself now, whatever settings it was loaded with. */
export async function findLoaderWork(
  store: ChunkStore,
  flowId: string,
  loader: string,
): Promise<RefreshWork> {
  const { groups, groupOf, ...rest } = await worksOf(store, await loadsOfLoader(store, flowId, loader))
  const finds = [...groups.values()].some(({ finding }) => finding.size > 0)
  if (!finds) groupOf(null).finding.add(loader)
  return { groups: [...groups.values()], ...rest }
}

/** The sources with some settings, by what their requests have added. */
async function worksOf(store: ChunkStore, loads: readonly Pick<StaleLoad, 'hash' | 'load'>[]) {
  const groups = new Map<string, Group>()
  const missing: string[] = []
  const expected: string[] = []
  const groupOf = (request: string | null): Group => {
    const group = groups.get(request ?? '') ?? {
      request: request === null ? {} : (JSON.parse(request) as LoadRequest),
      files: [],
      finding: new Set(),
    }
    groups.set(request ?? '', group)
    return group
  }
  for (const { hash, load } of loads)
    for await (const source of eachLoaded(store, hash))
      if (load.finds) {
        expected.push(source.source)
        groupOf(source.request).finding.add(load.loader.id)
      } else if (source.original) groupOf(source.request).files.push(source)
      else missing.push(source.source)
  return { groups, groupOf, missing, expected }
}

export type AgainOptions = RefreshWork & {
  /** Plans the flow with some overrides. @throws SluiceError as `planUpsert` does */
  plan(overrides: JsonObject): StorePlan
  originals: Pick<Originals, 'open'>
  /** A folder for copies of files, one at a time of each reader. */
  scratch: string
}

/** The documents of some groups, as a run reads them. */
export function readAgain({ groups, missing, expected, plan, originals, scratch }: AgainOptions): RunReading {
  const plans = new Map<Group, StorePlan | SluiceError>()
  const planNow = ({ request }: Group): StorePlan | SluiceError => {
    try {
      return plan(request.overrides ?? {})
    } catch (error) {
      // The flow may not take these overrides any more: the documents of this group fail.
      if (error instanceof SluiceError) return error
      throw error
    }
  }
  const planOf = (group: Group) => {
    const planned = plans.get(group) ?? planNow(group)
    plans.set(group, planned)
    return planned
  }

  const folder = path.join(scratch, `refresh-${randomId()}`)

  async function* items(signal: AbortSignal): AsyncGenerator<GatheredItem> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const taken = new Map<string, number>()
    for (const group of groups)
      for (const file of group.files) {
        signal.throwIfAborted()
        taken.set(file.source, 1)
        yield await keptItem(file, group, signal)
      }
    for (const group of groups)
      for await (const found of foundItems(group, signal)) {
        const times = (taken.get(found.name) ?? 0) + 1
        taken.set(found.name, times)
        yield times === 1 || !('item' in found) ? found : repeatedAgain(found, times)
      }
  }

  async function keptItem(file: LoadedSource, group: Group, signal: AbortSignal): Promise<GatheredItem> {
    const name = file.source
    const planned = planOf(group)
    if (planned instanceof SluiceError) return { name, error: planned }
    try {
      const upload = await fetchKept(originals, file, { folder, signal })
      const release = () => rm(upload.path, { force: true })
      const assigned = await assign(planned.part.loaders, upload)
      if ('item' in assigned)
        return {
          ...assigned,
          again: { ...againOf(planned, assigned.loader, group), kept: file.original!, release },
        }
      await release()
      return assigned
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SluiceError && error.code === 'storage_full') throw error
      return { name, error: asFileError(name, error) }
    }
  }

  async function* foundItems(group: Group, signal: AbortSignal): AsyncGenerator<GatheredItem> {
    if (group.finding.size === 0) return
    const planned = planOf(group)
    if (planned instanceof SluiceError) throw planned
    for (const loader of selfFindingLoaders(planned.part.loaders, undefined)) {
      const id = planned.nodeIds?.get(loader)
      if (!group.finding.has(ANY) && (id === undefined || !isWanted(group, planned, id))) continue
      for await (const item of loader.items!(signal))
        yield { name: item.name, loader, item, finds: true, again: againOf(planned, loader, group) }
    }
  }

  return {
    files: groups.flatMap(({ files }) =>
      files.map(({ source, bytes }) => ({ name: source, size: bytes ?? 0 })),
    ),
    known: groups.every(({ finding }) => finding.size === 0),
    ...{ missing, expected, items },
    end: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Whether a loader has found documents which differ; where its node was drawn again, all loaders are asked. */
const isWanted = ({ finding }: Group, { nodeIds }: StorePlan, id: string) =>
  finding.has(id) || ![...finding].every((one) => [...(nodeIds?.values() ?? [])].includes(one))

function againOf(planned: StorePlan, loader: Loader, { request }: Group): LoadAgain {
  return { load: planned.loads?.get(loader), addMetadata: request.addMetadata ?? {} }
}

/** As in an upsert: pages and tables get a number, and a file of the same name fails. */
function repeatedAgain(found: Extract<GatheredItem, { item: unknown }>, times: number): GatheredItem {
  const { again } = found
  return { ...numberedItem(found.loader, found.item, times), ...(again ? { again } : {}) }
}
