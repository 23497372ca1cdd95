import type { BatchSize } from './batch-size.ts'
import { callBatches } from './call-batches.ts'

/** How many batches may be on their way: while the server works on one, the next is sent. */
const IN_FLIGHT = 2

/** A batch that is ready to be sent. `bytes`: about how large it is. */
type Packed = { bytes: number; send(): Promise<void> }

/**
 * Sends batches to one server, a few at once, for all that write to it. The next one is packed while those before it are on their way.
 */
export function pairedWrites(size: BatchSize) {
  let free = IN_FLIGHT
  const waiting: (() => void)[] = []

  async function enter(): Promise<void> {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  /**
   * Writes items in batches of nearly one size. Resolves when all are written. After a failure no more batches are sent; it is thrown when
   * those on their way have ended, so that nothing is written behind the back of who sees it.
   *
   * @param bytesOf about how many bytes an item has
   */
  return async <Item>(
    items: readonly Item[],
    bytesOf: (item: Item) => number,
    pack: (items: readonly Item[]) => Packed,
  ): Promise<void> => {
    const sizes = items.map(bytesOf)
    const total = sizes.reduce((sum, one) => sum + one, 0)
    // One item more than the share of a batch: what is left over is no batch of its own.
    const largest = sizes.reduce((most, one) => Math.max(most, one), 0)
    const bytes = total / Math.ceil(total / size.bytes) + largest
    const sent: Promise<void>[] = []
    let failure: { error: unknown } | undefined
    for (const batch of callBatches(items, { count: Infinity, bytes }, bytesOf)) {
      if (failure) break
      const packed = pack(batch)
      await enter()
      if (failure) {
        leave()
        break
      }
      const began = performance.now()
      sent.push(
        packed
          .send()
          .then(
            () => size.answered({ bytes: packed.bytes, ms: performance.now() - began }),
            (error: unknown) => {
              failure ??= { error }
            },
          )
          .finally(leave),
      )
    }
    await Promise.all(sent)
    if (failure) throw failure.error
  }
}
