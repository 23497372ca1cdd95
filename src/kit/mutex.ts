/** Lets one caller at a time through per key; the others wait in the order in which they came. */
export type KeyedMutex = {
  /** Waits for the turn, runs `work`, passes the turn on whatever happens. `signal` gives up waiting. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** How many keys are held or waited for. */
  readonly keys: number
}

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>()
  return {
    get keys() {
      return tails.size
    },
    async run(key, work, signal) {
      const before = tails.get(key) ?? Promise.resolve()
      const { promise: mine, resolve: release } = Promise.withResolvers<void>()
      const tail = before.then(() => mine)
      tails.set(key, tail)
      // Not in `finally`: a caller that gives up waiting is done before the one it waited for.
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      try {
        await waitFor(before, signal)
        return await work()
      } finally {
        release()
      }
    },
  }
}

async function waitFor(before: Promise<unknown>, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  if (!signal) return void (await before)
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([before, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
