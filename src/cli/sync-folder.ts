import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { SourceAnswer } from '../api/source.ts'
import type { UpsertAnswer } from '../api/upsert.ts'
import { canAsk, confirm } from './ask-person.ts'
import { Failure, UsageError } from './failure.ts'
import { fetchSources, removeSources } from './flow-sources.ts'
import type { Client } from './http.ts'
import { printable } from './printable.ts'
import { gatherFiles, type UploadFile } from './upload-file.ts'
import { counted } from './units.ts'
import type { World } from './world.ts'

/**
 * A folder that a flow is kept like. Its files are sources below one name, `handbook/a.pdf` for `a.pdf` in `handbook/`:
 * what lies below that name is the folder's, and a sync touches nothing else.
 */
export type Sync = {
  /** What its sources begin with; empty where all of the flow is the folder's. */
  prefix: string
  files: UploadFile[]
  /** What the flow holds below the name, before the sync. */
  held: SourceAnswer[]
  /** The names of sources whose files left the folder. */
  gone: string[]
}

export type SyncRequest = { flow: string; paths: string[]; as: string | undefined; yes: boolean }

/**
 * Compares a folder with what a flow holds of it.
 *
 * @throws Failure where the folder is empty and the flow is not, unless that is confirmed
 */
export async function planSync(
  client: Client,
  { flow, paths, as, yes }: SyncRequest,
  world: World,
): Promise<Sync> {
  const { directory, stdin } = world
  const [folder] = paths
  const full = path.resolve(directory, folder!)
  if (paths.length !== 1 || !(await isFolder(full)))
    throw new UsageError('--sync takes one directory, whose name its sources begin with')
  const prefix = prefixOf(as ?? path.basename(full))
  const files = (await filesOf(folder!, { directory, stdin })).map((file) => ({
    ...file,
    name: prefix + file.name,
  }))
  const held = (await fetchSources(client, flow)).filter(({ source }) => source.startsWith(prefix))
  const names = new Set(files.map(({ name }) => name))
  const gone = held.map(({ source }) => source).filter((source) => !names.has(source))
  if (files.length === 0 && gone.length > 0 && !yes) await mayEmpty(folder!, gone.length, world)
  return { prefix, files, held, gone }
}

/** @throws Failure where a person does not agree to remove all that a sync brought */
async function mayEmpty(folder: string, count: number, world: World): Promise<void> {
  const all = `all ${counted(count, 'source')} that came from it`
  const question = `There is no file in ${printable(folder)}. Remove ${all}?`
  if (canAsk(world) && (await confirm(world, question))) return
  throw new Failure(
    `There is no file in ${folder}: the sync would remove ${all}`,
    'if that is meant, say so with --yes',
  )
}

const isFolder = (full: string): Promise<boolean> =>
  stat(full).then(
    (status) => status.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new Failure(`There is no directory ${full}`)
      throw error
    },
  )

/** An empty folder has no files here; for any other command it is a mistake. */
async function filesOf(folder: string, place: Parameters<typeof gatherFiles>[1]): Promise<UploadFile[]> {
  return await gatherFiles([folder], { ...place, mayBeEmpty: true })
}

/** `.` stands for no name: the whole flow is the folder's. */
function prefixOf(name: string): string {
  if (name === '.') return ''
  const clean = name.replace(/^\/+|\/+$/g, '')
  if (clean === '' || clean.split('/').includes('..'))
    throw new UsageError('--as: expected a name such as handbook, or . for the whole flow')
  return `${clean}/`
}

/** What a sync does with each source. */
export type SyncOutcome = {
  prefix: string
  added: string[]
  updated: string[]
  unchanged: string[]
  removed: string[]
  numRemoved: number
}

/**
 * Takes out what left the folder, once what is new was published: a file that was renamed finds its vectors in the
 * store. Nothing is taken out where a file failed, for it may be one that was renamed.
 */
export async function finishSync(
  client: Client,
  { flow, dryRun }: { flow: string; dryRun: boolean },
  { prefix, held, gone }: Sync,
  { files = [] }: Pick<UpsertAnswer, 'files'>,
): Promise<SyncOutcome> {
  const before = new Set(held.map(({ source }) => source))
  const failed = files.some(({ status }) => status === 'failed')
  const indexed = files.filter(({ status }) => status === 'indexed')
  const changed = (file: (typeof files)[number]) =>
    (file.added ?? 0) + (file.updated ?? 0) + (file.deleted ?? 0) > 0
  const removed = failed ? [] : gone
  const numRemoved = removed.length === 0 || dryRun ? 0 : await removeSources(client, flow, removed)
  return {
    prefix,
    added: indexed.filter(({ name }) => !before.has(name)).map(({ name }) => name),
    updated: indexed.filter((file) => before.has(file.name) && changed(file)).map(({ name }) => name),
    unchanged: files
      .filter(
        (file) =>
          file.status === 'unchanged' ||
          (before.has(file.name) && file.status === 'indexed' && !changed(file)),
      )
      .map(({ name }) => name),
    removed,
    numRemoved: dryRun
      ? held.filter(({ source }) => removed.includes(source)).reduce((sum, { chunks }) => sum + chunks, 0)
      : numRemoved,
  }
}

/** The outcome for people: a line per source that was added, updated or removed, and the sums. */
export function syncReport(
  { prefix, added, updated, unchanged, removed, numRemoved }: SyncOutcome,
  dryRun: boolean,
): string {
  const lines = [
    ...added.map((name) => `added    ${name}`),
    ...updated.map((name) => `updated  ${name}`),
    ...removed.map((name) => `removed  ${name}`),
  ]
  const sums = `${added.length} added, ${updated.length} updated, ${unchanged.length} unchanged, ${removed.length} removed (${counted(numRemoved, 'chunk')})`
  return [
    ...lines.map((line) => `${printable(line)}\n`),
    `Sources below ${prefix === '' ? 'the whole flow' : printable(prefix)}: ${sums}${dryRun ? ', if this were no dry run' : ''}\n`,
  ].join('')
}
