import { errorChain, SluiceError } from '../../kit/errors.ts'
import { retry, type RetryDecision, type RetryOptions } from '../../kit/retry.ts'
import type { EngineWait } from './engine-wait.ts'

export type PatientCallOptions = {
  /** The name of the product in messages. */
  provider: string
  /** How long a request waits, all attempts together, in milliseconds. */
  timeoutMs: number
  /** Whether a failure may pass. */
  verdict(error: unknown): RetryDecision
  /** Why a call is made again, in a word or two for the progress of a job. */
  reason(error: unknown): string
  random?: RetryOptions['random']
}

/**
 * Makes a call to an engine, and makes it again after failures that may pass, as long as the running work may wait. The call must be
 * repeatable: it may have taken effect although its answer was lost.
 *
 * @param once makes it, and ends when its signal aborts
 * @throws the failure of the last attempt that had the time for one; SluiceError `provider_timeout` where none had; the reason of the
 *   signal of a job
 */
export async function patientCall<T>(
  going: EngineWait,
  { provider, timeoutMs, verdict, reason, random }: PatientCallOptions,
  once: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let earlier: { failure: unknown } | undefined

  async function attempt(count: number): Promise<T> {
    const late = new SluiceError('provider_timeout', { provider, seconds: Math.round(timeoutMs / 1000) })
    const { signal, end } = going.attempt(late)
    try {
      return await once(signal)
    } catch (error) {
      const isLate = errorChain(error).includes(late)
      const decision = isLate ? {} : verdict(error)
      if (decision && going.goesOn(isLate ? 'no answer' : reason(error), count, decision.afterMs)) {
        // The last attempt of a request may have no time left: then its own failure says nothing.
        if (!isLate) earlier = { failure: error }
        throw new PassingFailure(decision, error)
      }
      throw isLate && earlier ? earlier.failure : error
    } finally {
      end()
    }
  }

  try {
    return await retry(attempt, {
      // How many there are is decided by the wait.
      ...{ verdict: passing, attempts: Infinity, wait: (ms) => going.pause(ms) },
      ...(random ? { random } : {}),
    })
  } finally {
    going.over()
  }
}

/** A failure after which the call is made again. */
class PassingFailure extends Error {
  readonly verdict: RetryDecision

  constructor(verdict: RetryDecision, cause: unknown) {
    super('another attempt is made', { cause })
    this.verdict = verdict
  }
}

const passing = (error: unknown): RetryDecision =>
  error instanceof PassingFailure ? error.verdict : undefined
