import { errorChain, reasonOf, SluiceError } from './errors.ts'
import { randomId } from './hash.ts'
import type { Log, LogFacts } from './log.ts'
import { isDamage, isFull } from './storage-failure.ts'

/**
 * A thrown value as a failure for a client. Details of a failure inside the server go to the log; the client gets the
 * number under which they stand there. The thrown value stays as the `cause`. The stack is logged at the level debug
 * only.
 *
 * @param facts what the work belongs to, for the log: ids and names
 */
export function asSluiceError(thrown: unknown, log: Log, facts: LogFacts = {}): SluiceError {
  if (thrown instanceof SluiceError) return thrown
  if (isFull(thrown)) return new SluiceError('storage_full', {}, { cause: thrown })
  if (isDamage(thrown)) {
    log.error('database-damaged', { ...facts, reason: reasonOf(thrown) })
    return new SluiceError(
      'database_damaged',
      { hint: 'sluice verify says what is damaged' },
      { cause: thrown },
    )
  }
  const id = randomId()
  log.error('internal-error', {
    id,
    ...facts,
    reason: reasonOf(thrown),
    at: placeOf(thrown),
    causes: causesOf(thrown),
  })
  log.debug('internal-error-stack', { id, stack: stackOf(thrown) })
  return new SluiceError('internal', { id }, { cause: thrown })
}

/**
 * The kinds of failures behind a failure, the nearest first: `SqliteError ERR_SQLITE_ERROR`. Their messages are left out:
 * those of other programs may hold texts or keys. Undefined where there is no cause.
 */
export function causesOf(thrown: unknown): string | undefined {
  const kinds = errorChain(thrown)
    .slice(1)
    .map((error) => [error.name, (error as NodeJS.ErrnoException).code].filter(Boolean).join(' '))
  return kinds.length > 0 ? kinds.join(' < ') : undefined
}

/** Where a failure and its causes were thrown: kinds and places in the code, no messages. */
export const stackOf = (thrown: unknown): string =>
  errorChain(thrown)
    .map((error) => [error.name, ...(error.stack?.match(/^ +at .*$/gm) ?? [])].join('\n'))
    .join('\n')

/** The place in the code where the first cause was thrown. */
const placeOf = (thrown: unknown): string | undefined =>
  errorChain(thrown)
    .at(-1)
    ?.stack?.match(/^ +at (.*)$/m)?.[1]
