import { createReadStream } from 'node:fs'
import path from 'node:path'
import type { BlobShelf } from '../contract/blob-shelf.ts'

/**
 * Moves the files of folders from a directory to another shelf. After an interruption, the next call moves the rest.
 *
 * @param home the directory of `from`
 * @returns how many files were moved, and their bytes
 */
export async function moveFiles(
  { from, home }: { from: BlobShelf; home: string },
  to: BlobShelf,
  folders: readonly string[],
): Promise<{ files: number; bytes: number }> {
  const moved = { files: 0, bytes: 0 }
  for (const folder of folders) {
    for await (const batch of from.list(`${folder}/`)) {
      for (const { name, size } of batch) {
        const file = path.join(home, name)
        await to.put(name, { size, path: file, open: () => createReadStream(file) })
        await from.remove([name])
        moved.files++
        moved.bytes += size
      }
    }
  }
  return moved
}
