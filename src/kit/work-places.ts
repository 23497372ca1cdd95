/** A number of places for work that runs at the same time. Who waits is served in order. */
export type WorkPlaces = {
  /** Takes a place, when one is free. @throws the reason of the signal */
  take(signal?: AbortSignal): Promise<void>
  /** Gives a place back. */
  release(): void
}

export function createPlaces(size: number): WorkPlaces {
  const waiting: (() => void)[] = []
  let free = size
  return {
    async take(signal) {
      signal?.throwIfAborted()
      if (free > 0) {
        free--
        return
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const abort = () => {
        const place = waiting.indexOf(resolve)
        if (place >= 0) waiting.splice(place, 1)
        reject(signal!.reason)
      }
      waiting.push(resolve)
      signal?.addEventListener('abort', abort, { once: true })
      await promise
      signal?.removeEventListener('abort', abort)
    },
    release() {
      const next = waiting.shift()
      if (next) next()
      else free++
    },
  }
}
