import { setImmediate } from 'node:timers/promises'

/**
 * Lets long work give others their turn: the function is called between its parts, and waits for a turn of the event loop where
 * the work has gone on for a while since the last one.
 *
 * @param sliceMs how long the work may go on, in milliseconds
 */
export function breather(sliceMs = 10): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < sliceMs) return
    await setImmediate()
    since = performance.now()
  }
}
