/** Past windows are removed when there are so many. */
const CLEAR_AT = 10_000

/** The `RequestWindows` of a process: counts in memory, for a server that shares its database with no other. @param clock monotonic time in milliseconds */
export function memoryWindows(clock: () => number = () => performance.now()) {
  const windows = new Map<string, { ends: number; used: number }>()

  function sweep(now: number): void {
    if (windows.size < CLEAR_AT) return
    for (const [key, { ends }] of windows) if (ends <= now) windows.delete(key)
  }

  return {
    async count(key: string, max: number, windowMs: number) {
      // Whole numbers: with fractions a new window may end a little later than it lasts.
      const now = Math.floor(clock())
      let window = windows.get(key)
      if (!window || window.ends <= now) {
        sweep(now)
        window = { ends: now + windowMs, used: 0 }
        windows.set(key, window)
      }
      const isRefused = window.used >= max
      if (!isRefused) window.used++
      return { used: window.used, isRefused, resetMs: window.ends - now }
    },
  }
}
