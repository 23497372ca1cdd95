import { SluiceError } from '../../kit/errors.ts'

/** How long work may take, in milliseconds, and the signal that ends it earlier. */
export type TimeLimit = { ms: number; signal: AbortSignal }

/**
 * Runs work with a signal that aborts when the time is over.
 *
 * @throws SluiceError `file_timeout`, which names the address; and the errors of the work
 */
export async function withTimeLimit<T>(
  address: string,
  { ms, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(ms)
  try {
    return await work(AbortSignal.any([signal, late]))
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error
    throw new SluiceError('file_timeout', { file: address, seconds: ms / 1000 }, { cause: error })
  }
}
