import { type Loader, type LoaderItem, typeNotAccepted, type UploadedFile } from '../contract/loader.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'

/** An item with the loader that reads it, or why there is none. */
export type GatheredItem =
  | { name: string; loader: Loader; item: LoaderItem }
  | { name: string; empty: true }
  | { name: string; error: SluiceError }

/**
 * Finds what an upsert has to read: each upload goes to the first loader that reads its type; loaders that find
 * their items by themselves give theirs.
 *
 * @throws SluiceError `form_expected`, `json_expected` where the request has the wrong form for the flow
 */
export async function* gather(
  loaders: readonly Loader[],
  uploads: readonly UploadedFile[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<GatheredItem> {
  checkForm(loaders, uploads)
  for (const upload of uploads ?? []) yield await assign(loaders, upload)
  const taken = new Map((uploads ?? []).map(({ name }) => [name, 1]))
  for (const loader of selfFindingLoaders(loaders, uploads))
    for await (const item of loader.items!(signal)) {
      const times = (taken.get(item.name) ?? 0) + 1
      taken.set(item.name, times)
      yield times === 1 ? { name: item.name, loader, item } : repeated(loader, item, times)
    }
}

/**
 * Two loaders came upon one name, by which everything goes from here on. Pages and tables share a source; a file that
 * is recognised by its bytes would take the place of the other.
 */
function repeated(loader: Loader, item: LoaderItem, times: number): GatheredItem {
  const name = `${item.name} (${times})`
  return item.fingerprint === undefined
    ? { name, loader, item }
    : { name, error: new SluiceError('file_duplicate', { file: item.name }) }
}

/** The loaders that find items by themselves in such a run: an upload stands in for the file that a flow stores. */
export const selfFindingLoaders = (
  loaders: readonly Loader[],
  uploads: readonly UploadedFile[] | undefined,
): readonly Loader[] => loaders.filter((loader) => loader.items && !(uploads && loader.uploads))

/** An uploading flow takes the multipart form, a fetching one the JSON form; some take either. */
export function checkForm(loaders: readonly Loader[], uploads: readonly UploadedFile[] | undefined): void {
  if (uploads && uploads.length > 0) {
    if (!loaders.some((loader) => loader.uploads)) throw new SluiceError('json_expected')
  } else if (!loaders.some((loader) => loader.items)) {
    throw new SluiceError('form_expected')
  }
}

async function assign(loaders: readonly Loader[], upload: UploadedFile): Promise<GatheredItem> {
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

/** What went wrong with one file, as an error that names it. */
export function asFileError(name: string, error: unknown): SluiceError {
  return error instanceof SluiceError
    ? error
    : new SluiceError('file_unreadable', { file: name, reason: reasonOf(error) }, { cause: error })
}
