/** From so many deleted documents on a merge is asked for, once nothing was deleted for so long, in milliseconds. */
const FROM = 5000
const QUIET_MS = 5000

/**
 * What follows, and after how many milliseconds, each time after the one before. Merged twice: what was deleted just before is kept for
 * copies that come back, until all copies have told each other that none needs it, which they do every 30 seconds. Shown often: when a merge
 * is over is told by a call that a credential may not be allowed.
 */
const STEPS: readonly Step[] = [
  ['show', 2000],
  ['show', 15_000],
  ['merge', 45_000],
  ['show', 2000],
  ['show', 15_000],
  ['show', 60_000],
  ['show', 300_000],
  ['show', 1_800_000],
]

type Step = readonly ['merge' | 'show', number]

/**
 * Both search servers keep deleted documents in their segments, and in the graphs of these, until they merge them: an index that is not
 * written into does not. So a merge of such segments is asked for after many deletions. It goes on in the server, beside searches, which
 * read the segments of before until they are shown the others: our indexes do not do that by themselves.
 *
 * @param merge what it fails with is nobody's concern: the server merges at its own time then
 * @param show the same
 */
export function expungeLater(
  merge: (collection: string) => Promise<unknown>,
  show: (collection: string) => Promise<unknown>,
  { from = FROM, quietMs = QUIET_MS }: { from?: number; quietMs?: number } = {},
) {
  const deleted = new Map<string, { count: number; timer?: NodeJS.Timeout }>()
  const following = new Map<string, NodeJS.Timeout>()

  function follow(collection: string, [next, ...later]: readonly Step[]): void {
    clearTimeout(following.get(collection))
    if (!next) return void following.delete(collection)
    const [step, after] = next
    const timer = setTimeout(() => {
      const work = step === 'merge' ? merge : show
      work(collection).catch(() => {})
      follow(collection, later)
    }, after).unref()
    following.set(collection, timer)
  }

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
        merge(collection).then(
          () => follow(collection, STEPS),
          () => {},
        )
      }, quietMs).unref()
    },
    /** The collection is gone. */
    drop(collection: string): void {
      clearTimeout(deleted.get(collection)?.timer)
      deleted.delete(collection)
      follow(collection, [])
    },
  }
}
