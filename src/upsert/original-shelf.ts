import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { BlobShelf } from '../contract/blob-shelf.ts'
import { DATA_FILES } from '../contract/data-files.ts'
import type { OriginalShelf } from '../contract/original-shelf.ts'

const BELOW = `${DATA_FILES.originals}/`

/** Kept files on a shelf. */
export function originalShelf(blobs: BlobShelf): OriginalShelf {
  return {
    async put(id, path) {
      const { size } = await stat(path)
      await blobs.put(BELOW + id, { path, size, open: () => createReadStream(path) })
    },

    open: (id) => blobs.get(BELOW + id),

    remove: (id) => blobs.remove([BELOW + id]),

    async *list(before) {
      for await (const batch of blobs.list(BELOW)) {
        const old = batch.filter(({ changedAt }) => changedAt < before)
        if (old.length > 0) yield old.map(({ name }) => name.slice(BELOW.length))
      }
    },
  }
}
