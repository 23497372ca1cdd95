import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { LoadedSource } from '../contract/source-load.ts'
import type { UploadedFile } from '../contract/loader.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import type { Originals } from './originals.ts'

/**
 * Copies the kept file of a source into a folder, as if it were sent again.
 *
 * @throws SluiceError `original_gone`, `original_damaged`, `original_unreadable`, `storage_full`
 */
export async function fetchKept(
  originals: Pick<Originals, 'open'>,
  { source, bytes, original }: LoadedSource,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<UploadedFile> {
  const place = path.join(folder, randomId())
  try {
    const kept = await originals.open(original!.id)
    if (!kept) throw new SluiceError('original_gone', { file: source })
    const hash = createHash('sha256')
    let size = 0
    const file = await open(place, 'wx', 0o600)
    try {
      for await (const piece of kept.content) {
        signal.throwIfAborted()
        hash.update(piece as Uint8Array)
        size += (piece as Uint8Array).length
        await file.writeFile(piece as Uint8Array)
      }
    } finally {
      kept.content.destroy()
      await file.close()
    }
    if (bytes !== null && size !== bytes)
      throw new SluiceError('original_damaged', { file: source, found: size, bytes })
    return { name: source, path: place, size, sha256: hash.digest('hex') }
  } catch (error) {
    await rm(place, { force: true })
    signal.throwIfAborted()
    throw asKeptError(source, error)
  }
}

/** The error names the file, never its path on this machine. */
function asKeptError(file: string, error: unknown): SluiceError {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return new SluiceError('storage_full', {}, { cause: error })
  if (code === 'ENOENT') return new SluiceError('original_gone', { file }, { cause: error })
  if (error instanceof SluiceError && error.code !== 'blob_failed') return error
  const reason =
    error instanceof SluiceError || code === undefined
      ? reasonOf(error)
      : `the server has no access to it (${code})`
  return new SluiceError('original_unreadable', { file, reason }, { cause: error })
}
