import type { KeptOriginal } from '../contract/source-load.ts'
import type { Loader, LoaderItem, UploadedFile } from '../contract/loader.ts'
import { typeNotAccepted } from '../sources/type-not-accepted.ts'
import type { PlannedLoad } from '../flow/plan-store.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'

/**
 * An item with the loader that reads it, or the reason why it cannot be read. `finds`: the loader found it by itself. `again`:
 * it is loaded as it was before.
 */
export type GatheredItem =
  | { name: string; loader: Loader; item: LoaderItem; finds?: true; again?: LoadAgain }
  | { name: string; empty: true }
  | { name: string; error: SluiceError }

/** How an item is loaded again: with the settings and additions of its earlier request, from a file that is kept already. */
export type LoadAgain = {
  load: PlannedLoad | undefined
  addMetadata: JsonObject
  kept?: KeptOriginal
  /** Removes the copy of its file. */
  release?: () => Promise<void>
}

/** How many uploads are looked at before the first of them is taken. */
const ASSIGNED_AHEAD = 8

/**
 * Finds the items of an upsert: each upload with the first loader that reads its type, then the items of loaders that
 * find theirs by themselves.
 */
export async function* gather(
  loaders: readonly Loader[],
  uploads: readonly UploadedFile[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<GatheredItem> {
  yield* assignAll(loaders, uploads ?? [])
  const taken = new Map((uploads ?? []).map(({ name }) => [name, 1]))
  for (const loader of selfFindingLoaders(loaders, uploads))
    for await (const item of loader.items!(signal)) {
      const times = (taken.get(item.name) ?? 0) + 1
      taken.set(item.name, times)
      yield times === 1 ? { name: item.name, loader, item, finds: true } : numberedItem(loader, item, times)
    }
}

/**
 * A second item with the same name. Pages and tables share a source and get a number; a file that is recognised by its
 * bytes would replace the first one, so it fails.
 */
export function numberedItem(loader: Loader, item: LoaderItem, times: number): GatheredItem {
  const name = `${item.name} (${times})`
  return item.fingerprint === undefined
    ? { name, loader, item, finds: true }
    : { name, error: new SluiceError('file_duplicate', { file: item.name }) }
}

/** The loaders that find items by themselves in this run: an upload replaces the file that a flow stores. */
export const selfFindingLoaders = (
  loaders: readonly Loader[],
  uploads: readonly UploadedFile[] | undefined,
): readonly Loader[] => loaders.filter((loader) => loader.items && !(uploads && loader.uploads))

/** Assigns uploads in their order. The first bytes of the next ones are read meanwhile: each read waits for the disk. */
async function* assignAll(
  loaders: readonly Loader[],
  uploads: readonly UploadedFile[],
): AsyncGenerator<GatheredItem> {
  const ahead: Promise<GatheredItem>[] = []
  for (const upload of uploads) {
    ahead.push(assign(loaders, upload))
    if (ahead.length === ASSIGNED_AHEAD) yield await ahead.shift()!
  }
  for (const item of ahead) yield await item
}

/** An upload with the first loader that reads its type. */
export async function assign(loaders: readonly Loader[], upload: UploadedFile): Promise<GatheredItem> {
  const { name } = upload
  if (upload.size === 0) return { name, empty: true }
  try {
    for (const loader of loaders) {
      const item = await loader.uploads?.item(upload)
      if (item) return { name, loader, item }
    }
  } catch (error) {
    return { name, error: asFileError(name, error) }
  }
  const accepted = loaders.flatMap((loader) => loader.uploads?.accepts ?? [])
  return { name, error: typeNotAccepted(name, accepted) }
}

/** The failure of one file as an error that names it. */
export function asFileError(name: string, error: unknown): SluiceError {
  return error instanceof SluiceError
    ? error
    : new SluiceError('file_unreadable', { file: name, reason: reasonOf(error) }, { cause: error })
}
