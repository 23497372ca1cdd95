/** From so many deleted documents on a merge is asked for, once nothing was deleted for so long, in milliseconds. */
const FROM = 5000
const QUIET_MS = 5000

/**
 * Both search servers keep deleted documents in their segments, and in the graphs of these, until they merge them: an index that is not
 * written into does not. So a merge of such segments is asked for after many deletions. It goes on in the server, beside searches.
 *
 * @param merge what it fails with is nobody's concern: the server merges at its own time then
 */
export function expungeLater(
  merge: (collection: string) => Promise<unknown>,
  { from = FROM, quietMs = QUIET_MS }: { from?: number; quietMs?: number } = {},
) {
  const deleted = new Map<string, { count: number; timer?: NodeJS.Timeout }>()
  return {
    /** Notes that documents of a collection were deleted. */
    note(collection: string, count: number): void {
      const known = deleted.get(collection) ?? { count: 0 }
      clearTimeout(known.timer)
      known.count += count
      deleted.set(collection, known)
      if (known.count < from) return
      known.timer = setTimeout(() => {
        deleted.delete(collection)
        merge(collection).catch(() => {})
      }, quietMs).unref()
    },
    /** The collection is gone. */
    drop(collection: string): void {
      clearTimeout(deleted.get(collection)?.timer)
      deleted.delete(collection)
    },
  }
}
