import { setImmediate } from 'node:timers/promises'

/** After how many items of one worker other requests get their turn: small items are read without any waiting. */
const ITEMS_BETWEEN_TURNS = 64

/**
 * Works through the items, so many at the same time. The first failure ends it, once the items under way have ended too.
 *
 * @param work gets the place of its item in the sequence
 * @throws what the first failed `work`, or the sequence itself, has thrown
 */
export async function eachInParallel<T>(
  items: AsyncIterator<T>,
  atOnce: number,
  work: (item: T, place: number) => Promise<void>,
): Promise<void> {
  let next = 0
  let failed = false
  const worker = async () => {
    while (!failed) {
      const { value, done } = await items.next()
      if (done) return
      const place = next++
      if (place % ITEMS_BETWEEN_TURNS === ITEMS_BETWEEN_TURNS - 1) await setImmediate()
      await work(value, place)
    }
  }
  const stop = (reason: unknown) => {
    failed = true
    throw reason
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, () => worker().catch(stop)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
