import { SluiceError } from '../../kit/errors.ts'

/** How long something may take, in milliseconds, and what ends it before. */
export type TimeLimit = { ms: number; signal: AbortSignal }

/**
 * Does work that is told when its time is over.
 *
 * @throws SluiceError `file_timeout`, naming the address; and what the work throws
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
