import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { randomId } from '../kit/hash.ts'
import { withDiskErrors } from './file-item.ts'

/**
 * Writes bytes to a temporary file in the scratch folder, and removes it when `read` ends.
 *
 * @param name of the bytes, for messages
 * @throws SluiceError `storage_full`, `file_unreadable`
 */
export async function* withTemporaryFile<T>(
  scratch: string,
  name: string,
  bytes: Uint8Array,
  read: (path: string) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const file = path.join(scratch, randomId())
  try {
    await withDiskErrors(name, async () => {
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      await writeFile(file, bytes, { mode: 0o600, flag: 'wx' })
    })
    yield* read(file)
  } finally {
    await rm(file, { force: true })
  }
}
