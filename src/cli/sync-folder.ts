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
 * A comparison of a folder with a flow. The files of the folder are sources below one name: `a.pdf` in `handbook/` is the source
 * `handbook/a.pdf`. A sync changes only sources below that name.
 */
export type Sync = {
  /** How the sources begin, such as `handbook/`; empty where the folder is compared with the whole flow. */
  prefix: string
  files: UploadFile[]
  /** The sources of the flow below that name, before the sync. */
  held: SourceAnswer[]
  /** The sources whose files do not exist any more. */
  vanished: string[]
}

export type SyncRequest = { flow: string; paths: string[]; as: string | undefined; yes: boolean }

/**
 * Compares a folder with the sources of a flow.
 *
 * @throws Failure where the folder is empty and the flow has sources of it, unless that is confirmed
 */
export async function planSync(
  client: Client,
  { flow, paths, as, yes }: SyncRequest,
  world: World,
): Promise<Sync> {
  const { directory, stdin } = world
  const [folder] = paths
  const full = path.resolve(directory, folder!)
  if (paths.length !== 1 || !(await isFolder(full))) throw new UsageError('--sync takes one directory')
  const prefix = prefixOf(as ?? path.basename(full))
  const files = (await filesOf(folder!, { directory, stdin })).map((file) => ({
    ...file,
    name: prefix + file.name,
  }))
  const held = (await fetchSources(client, flow)).filter(({ source }) => source.startsWith(prefix))
  const names = new Set(files.map(({ name }) => name))
  const vanished = held.map(({ source }) => source).filter((source) => !names.has(source))
  if (files.length === 0 && vanished.length > 0 && !yes)
    await confirmRemovalOfAll(folder!, vanished.length, world)
  return { prefix, files, held, vanished }
}

/** @throws Failure where the person does not confirm that all sources of the folder are removed */
async function confirmRemovalOfAll(folder: string, count: number, world: World): Promise<void> {
  const all = `all ${counted(count, 'source')} that came from it`
  const question = `There is no file in ${printable(folder)}. Remove ${all}?`
  if (canAsk(world) && (await confirm(world, question))) return
  throw new Failure(`There is no file in ${folder}: the sync would remove ${all}`, 'to do that, give --yes')
}

const isFolder = (full: string): Promise<boolean> =>
  stat(full).then(
    (status) => status.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new Failure(`There is no directory ${full}`)
      throw error
    },
  )

/** The files of a folder, which may be empty. */
async function filesOf(folder: string, options: Parameters<typeof gatherFiles>[1]): Promise<UploadFile[]> {
  return await gatherFiles([folder], { ...options, mayBeEmpty: true })
}

/** The name with a slash at its end; empty for `.`, which means the whole flow. @throws UsageError */
function prefixOf(name: string): string {
  if (name === '.') return ''
  const clean = name.replace(/^\/+|\/+$/g, '')
  if (clean === '' || clean.split('/').includes('..'))
    throw new UsageError('--as: expected a name such as handbook, or . for the whole flow')
  return `${clean}/`
}

/** The sources that a sync added, updated, left unchanged and removed. */
export type SyncOutcome = {
  prefix: string
  added: string[]
  updated: string[]
  unchanged: string[]
  removed: string[]
  numRemoved: number
}

/**
 * Removes the sources whose files do not exist any more, after the new files were published: so the chunks of a renamed file
 * are not embedded again. Nothing is removed where a file failed, because it may be a renamed one.
 */
export async function finishSync(
  client: Client,
  { flow, dryRun }: { flow: string; dryRun: boolean },
  { prefix, held, vanished }: Sync,
  { files = [] }: Pick<UpsertAnswer, 'files'>,
): Promise<SyncOutcome> {
  const before = new Set(held.map(({ source }) => source))
  const failed = files.some(({ status }) => status === 'failed')
  const indexed = files.filter(({ status }) => status === 'indexed')
  const changed = (file: (typeof files)[number]) =>
    (file.added ?? 0) + (file.updated ?? 0) + (file.deleted ?? 0) > 0
  const removed = failed ? [] : vanished
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

/** The outcome as a text: a line per source that was added, updated or removed, and the sums. */
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
    `Sources below ${prefix === '' ? 'the whole flow' : printable(prefix)}: ${sums}${dryRun ? ' (dry run: nothing was changed)' : ''}\n`,
  ].join('')
}
