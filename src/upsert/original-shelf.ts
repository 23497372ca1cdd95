import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { OriginalShelf } from '../contract/original-shelf.ts'
import { SluiceError } from '../kit/errors.ts'
import { isFull } from '../kit/storage-failure.ts'

const BATCH = 500

/** Kept files in a local directory, which is made for the first one. */
export function originalDirectory(directory: string): OriginalShelf {
  const placeOf = (id: string) => path.join(directory, id)
  return {
    async put(id, from) {
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        // Another name for the same bytes costs no room; between file systems, or where links are refused, a copy is made.
        await link(from, placeOf(id)).catch(() => copyFile(from, placeOf(id)))
        const file = await open(placeOf(id), 'r+')
        await file.datasync().finally(() => file.close())
      } catch (error) {
        await rm(placeOf(id), { force: true })
        throw isFull(error) ? new SluiceError('storage_full', {}, { cause: error }) : error
      }
    },

    async open(id) {
      const found = await stat(placeOf(id)).catch(() => undefined)
      return found?.isFile() ? { content: createReadStream(placeOf(id)), size: found.size } : undefined
    },

    remove: (id) => rm(placeOf(id), { force: true }),

    async *list(before) {
      const entries = await opendir(directory).catch(() => undefined)
      if (!entries) return
      let batch: string[] = []
      for await (const { name } of entries) {
        // The time of a link is that of its upload; the change of its inode is when it was linked.
        const found = await stat(placeOf(name)).catch(() => undefined)
        if (!found?.isFile() || found.ctimeMs >= before) continue
        batch.push(name)
        if (batch.length < BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
  }
}
