/**
 * The outcome of work, or the reason of a signal as soon as it aborts. The work goes on then, and its outcome is not looked at.
 *
 * @throws the reason of the signal; what the work throws
 */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const giveUp = () => aborted.reject(signal.reason)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
