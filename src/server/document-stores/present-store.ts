import type { z } from 'zod'
import type { documentStore, storeLoader } from '../../api/document-store.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow, LastUpsert } from '../../contract/flow-store.ts'
import type { LoadedSource } from '../../contract/source-load.ts'
import { documentStoreMark } from '../../flow/document-stores/mark.ts'
import {
  readStoreDrawing,
  type StoreDrawing,
  type StoreLoader,
} from '../../flow/document-stores/read-store.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { flowLoadSettings } from '../../flow/load-settings.ts'
import { planRetrieval } from '../../flow/plan-store.ts'
import { jobsUnderWay } from '../../jobs/jobs-under-way.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { JsonObject } from '../../kit/json.ts'
import { fencedServices } from '../../stores/fenced-services.ts'
import { type LoaderLoad, loadsOfFlow } from '../../upsert/loader-sources.ts'
import { findStaleLoads } from '../../upsert/stale-loads.ts'
import { isoTime } from '../management.ts'
import type { Platform } from '../platform.ts'
import { namedStoreUses } from './store-uses.ts'

type ShownStore = z.input<typeof documentStore>
type ShownLoader = z.input<typeof storeLoader>

type Caller = {
  /** Whether the caller sees settings: they may hold addresses and ids of credentials. */
  manager: boolean
  fence: Fence | undefined
}

/** How many of its documents a loader lists. */
const LISTED_FILES = 100

/** Some document stores as clients of Flowise expect them. */
export async function presentStores(
  platform: Platform,
  flows: readonly FlowRow[],
  caller: Caller,
): Promise<ShownStore[]> {
  const uses = caller.manager ? await namedStoreUses(platform, flows) : new Map()
  const heads = new Map((await platform.flows.heads()).map((head) => [head.id, head.lastUpsert]))
  const shown: ShownStore[] = []
  for (const flow of flows)
    shown.push({
      ...(await presentOne(platform, flow, { caller, lastUpsert: heads.get(flow.id) ?? null })),
      whereUsed: uses.get(flow.id) ?? [],
    })
  return shown
}

/** One of them. */
export const presentStore = async (platform: Platform, flow: FlowRow, caller: Caller): Promise<ShownStore> =>
  (await presentStores(platform, [flow], caller))[0]!

async function presentOne(
  platform: Platform,
  flow: FlowRow,
  { caller, lastUpsert }: { caller: Caller; lastUpsert: LastUpsert | null },
): Promise<ShownStore> {
  const read = readOrProblem(() => readStoreDrawing(flow.flowData, platform.catalog))
  const drawing = typeof read === 'string' ? undefined : read
  const planned = drawing && readOrProblem(() => storeOf(platform, flow, caller.fence))
  const opened = typeof planned === 'string' ? undefined : planned
  const isBusy = await hasJob(platform, flow)
  const loaders = drawing ? await presentLoaders(platform, flow, { drawing, opened, isBusy, caller }) : []
  const part = (one: { name: string; config: JsonObject } | null | undefined) =>
    one ? { name: one.name, config: caller.manager ? one.config : {} } : null
  const problem = [read, planned].find((one) => typeof one === 'string') ?? null
  const sum = (of: (loader: ShownLoader) => number) => loaders.reduce((total, one) => total + of(one), 0)
  return {
    id: flow.id,
    slug: flow.slug,
    name: flow.name,
    description: documentStoreMark(flow.config.apiConfig)?.description ?? '',
    status: await statusOf(loaders, { opened, isBusy, problem }),
    revision: flow.revision,
    createdDate: isoTime(flow.createdAt),
    updatedDate: isoTime(flow.updatedAt),
    loaders,
    whereUsed: [],
    embeddingConfig: part(drawing?.embedding),
    vectorStoreConfig: part(drawing?.vectorStore),
    recordManagerConfig: part(drawing?.recordManager),
    totalChunks: sum(({ totalChunks }) => totalChunks),
    totalChars: sum(({ totalChars }) => totalChars),
    setAside: opened ? await countAside(platform, opened) : 0,
    problem,
    lastUpsert: lastUpsert && { ...lastUpsert, at: isoTime(lastUpsert.at) },
  }
}

type Opened = { store: ChunkStore; embedder: string }

function storeOf({ catalog, nodeServices }: Platform, flow: FlowRow, fence: Fence | undefined): Opened {
  const services = { catalog, nodeServices: fencedServices(nodeServices, fence) }
  const { store, embedder } = planRetrieval(services, flowSource(flow), { overrides: {} }).part
  return { store, embedder: embedder.id }
}

const countAside = async ({ chunkEdits }: Platform, { store }: Opened): Promise<number> =>
  (await chunkEdits.list(store.namespace)).filter(({ asideAt }) => asideAt !== null).length

/** What is read, or why it cannot be. */
function readOrProblem<Value extends object>(read: () => Value): Value | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof SluiceError) return error.message
    throw error
  }
}

const hasJob = async ({ jobs }: Platform, { id: flowId }: FlowRow): Promise<boolean> =>
  (await jobsUnderWay(jobs, { flowId, limit: 1 })).length > 0

async function statusOf(
  loaders: readonly ShownLoader[],
  { opened, isBusy, problem }: { opened: Opened | undefined; isBusy: boolean; problem: string | null },
): Promise<ShownStore['status']> {
  if (isBusy) return 'UPSERTING'
  if (loaders.length === 0 && problem === null) return 'EMPTY'
  const built = await opened?.store.embedder()
  if (problem !== null || (built !== undefined && built !== opened?.embedder)) return 'STALE'
  return loaders.every(({ status }) => status === 'SYNC') ? 'UPSERTED' : 'STALE'
}

async function presentLoaders(
  platform: Platform,
  flow: FlowRow,
  {
    drawing,
    opened,
    isBusy,
    caller,
  }: { drawing: StoreDrawing; opened: Opened | undefined; isBusy: boolean; caller: Caller },
): Promise<ShownLoader[]> {
  const { catalog, nodeServices } = platform
  const loads = opened ? await loadsOfFlow(opened.store, flow.id) : []
  const now = readOrProblem(() => flowLoadSettings(catalog, flowSource(flow)))
  const stale =
    opened && typeof now !== 'string'
      ? await findStaleLoads(opened.store, { catalog, flowId: flow.id, now, parser: nodeServices.parser })
      : []
  const staleHashes = new Set(stale.map(({ hash }) => hash))
  return Promise.all(
    drawing.loaders.map(async (loader) => {
      const own = loads.filter(({ load }) => load.loader.id === loader.id)
      const held = opened ? await heldBy(opened.store, own, staleHashes) : NOTHING_HELD
      return presentLoader(platform, loader, { held, isBusy, manager: caller.manager })
    }),
  )
}

type Held = { documents: number; chunks: number; characters: number; isStale: boolean; files: LoadedSource[] }

const NOTHING_HELD: Held = { documents: 0, chunks: 0, characters: 0, isStale: false, files: [] }

/** What a loader has loaded, with any of its settings. */
async function heldBy(
  store: ChunkStore,
  loads: readonly LoaderLoad[],
  stale: ReadonlySet<string>,
): Promise<Held> {
  const held = { ...NOTHING_HELD, files: [] as LoadedSource[] }
  for (const { hash } of loads) {
    const { sources, chunks, characters } = await store.countLoaded({ settings: hash })
    if (sources === 0) continue
    held.documents += sources
    held.chunks += chunks
    held.characters += characters
    held.isStale ||= stale.has(hash)
    const limit = LISTED_FILES - held.files.length
    if (limit > 0) held.files.push(...(await store.loadedWith({ settings: hash, after: undefined, limit })))
  }
  return held
}

function presentLoader(
  { catalog }: Platform,
  { id, label, loader, splitter }: StoreLoader,
  { held, isBusy, manager }: { held: Held; isBusy: boolean; manager: boolean },
): ShownLoader {
  const labelOf = (name: string) => catalog.get(name)?.label ?? name
  return {
    id,
    loaderId: loader.name,
    loaderName: label,
    loaderConfig: manager ? loader.config : {},
    splitterId: splitter?.name ?? null,
    splitterName: splitter ? labelOf(splitter.name) : null,
    splitterConfig: splitter && manager ? splitter.config : {},
    totalChunks: held.chunks,
    totalChars: held.characters,
    documents: held.documents,
    status: held.documents === 0 ? (isBusy ? 'SYNCING' : 'NEW') : held.isStale ? 'STALE' : 'SYNC',
    source: sourceText(loader.config, held, manager),
    files: held.files.map(({ source, bytes, original }) => ({
      name: source,
      size: bytes,
      kept: original !== undefined,
    })),
  }
}

/** Where the documents of a loader come from, as Flowise says it. */
function sourceText({ url, folderPath }: JsonObject, { documents, files }: Held, manager: boolean): string {
  const typed = [url, folderPath].find((value) => typeof value === 'string')
  if (typed !== undefined && manager) return String(typed)
  const [first] = files
  if (!first) return 'None'
  return documents === 1 ? first.source : `${first.source} and ${documents - 1} more`
}
