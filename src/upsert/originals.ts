import type { OriginalShelf } from '../contract/original-shelf.ts'
import type { OriginalStore } from '../contract/original-store.ts'
import { randomId } from '../kit/hash.ts'

/** The files of documents, kept as they were sent. */
export type Originals = Pick<OriginalShelf, 'open' | 'remove'> & {
  /** Keeps a file; undefined where the kept files would be larger than allowed. @returns its id */
  keep(file: { path: string; bytes: number }): Promise<string | undefined>
  /** Deletes files that no document names any more. */
  sweep(): Promise<void>
  /**
   * Deletes files that were kept before a moment, in ms since 1970, and that no document names: a crash left them. The moment must
   * be before the begin of every run that may still be published, on any node: see `settledBefore`.
   */
  sweepLeftovers(before: number): Promise<void>
}

/** @param limit the most bytes of all kept files */
export function createOriginals(shelf: OriginalShelf, store: OriginalStore, limit: number): Originals {
  return {
    open: shelf.open,
    remove: shelf.remove,

    async keep({ path, bytes }) {
      if ((await store.bytes()) + bytes > limit) return undefined
      const id = randomId()
      await shelf.put(id, path)
      return id
    },

    async sweep() {
      for (let gone = await store.gone(); gone.length > 0; gone = await store.gone()) {
        for (const id of gone) await shelf.remove(id)
        await store.remove(gone)
      }
    },

    async sweepLeftovers(before) {
      for await (const ids of shelf.list(before)) {
        const named = await store.named(ids)
        for (const id of ids) if (!named.has(id)) await shelf.remove(id)
      }
    },
  }
}
