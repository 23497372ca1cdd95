import { reasonOf, SluiceError } from './errors.ts'
import { randomId } from './hash.ts'
import type { Log } from './log.ts'
import { isDamage, isFull } from './storage-failure.ts'

/**
 * A thrown value as a failure fit for a client. What went wrong inside is for the log; the client gets the number under
 * which it stands there.
 */
export function asSluiceError(thrown: unknown, log: Log): SluiceError {
  if (thrown instanceof SluiceError) return thrown
  if (isFull(thrown)) return new SluiceError('storage_full', {}, { cause: thrown })
  if (isDamage(thrown)) {
    log.error('database-damaged', { reason: reasonOf(thrown) })
    return new SluiceError(
      'database_damaged',
      { hint: 'sluice verify says what is damaged' },
      { cause: thrown },
    )
  }
  const id = randomId()
  log.error('internal-error', { id, reason: reasonOf(thrown), at: whereOf(thrown) })
  return new SluiceError('internal', { id })
}

const whereOf = (thrown: unknown) =>
  thrown instanceof Error ? thrown.stack?.split('\n')[1]?.trim() : undefined
