import { reasonOf, SluiceError } from './errors.ts'
import { randomId } from './hash.ts'
import type { Log } from './log.ts'

/**
 * A thrown value as a failure fit for a client. What went wrong inside is for the log; the client gets the number under
 * which it stands there.
 */
export function asSluiceError(thrown: unknown, log: Log): SluiceError {
  if (thrown instanceof SluiceError) return thrown
  const id = randomId()
  log.error('internal-error', { id, reason: reasonOf(thrown), at: whereOf(thrown) })
  return new SluiceError('internal', { id })
}

const whereOf = (thrown: unknown) =>
  thrown instanceof Error ? thrown.stack?.split('\n')[1]?.trim() : undefined
