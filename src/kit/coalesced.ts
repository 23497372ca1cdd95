/**
 * Work that runs once at a time. A call during a run makes one more run follow, which answers all calls of that time: each call
 * resolves after a run that began after it.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function begin(): Promise<void> {
    const run = work().finally(() => {
      if (running === run) running = undefined
    })
    running = run
    return run
  }

  return () => {
    if (!running) return begin()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }
}
