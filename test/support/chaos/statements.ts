import pg from 'pg'

/** Moments of a job: it was claimed; its run is about to be published; that was committed, and the end of the job was not. */
export const BOUNDARIES = ['claimed', 'publishing', 'published'] as const
export type Boundary = (typeof BOUNDARIES)[number]

const CLAIMS = /^\s*UPDATE jobs SET state = 'running'/
const PUBLISHES = /^\s*UPDATE runs SET state = 'published'/
/** The place of the job among the values of {@link PUBLISHES}. */
const JOB_OF_PUBLICATION = 1

/** The statements of the fence, and what does the same without it. */
const FENCE: readonly (readonly [RegExp, string])[] = [
  [
    /^SELECT 1 FROM lanes WHERE lane = \$1 AND epoch = \$2 FOR SHARE$/,
    'SELECT 1 WHERE $1::text IS NOT NULL AND $2::bigint IS NOT NULL',
  ],
  [/(FROM runs WHERE seq = \$1) AND state = 'open' FOR SHARE/, '$1 FOR SHARE'],
  [/( WHERE seq = \$4) AND state = 'open'$/, '$1'],
]

type Statement = { text: string; values?: readonly unknown[] }
type Ask = (this: object, statement: unknown, ...rest: unknown[]) => unknown

/** Whether it is a text with values, not a COPY. */
const isStatement = (asked: unknown): asked is Statement =>
  typeof asked === 'object' &&
  asked !== null &&
  !('submit' in asked) &&
  'text' in asked &&
  typeof asked.text === 'string'

/**
 * Watches the statements that this process sends to PostgreSQL.
 *
 * @param reached called at each boundary, before the process does anything more; before a publication also with the id of its job
 * @param hasFence false: writes are not refused any more where their lease or run is over
 */
export function watchStatements(
  reached: (boundary: Boundary, job?: unknown) => void,
  hasFence: boolean,
): void {
  const clients = pg.Client.prototype as unknown as { query: Ask }
  const { query } = clients
  /** What a connection commits next. */
  const pending = new WeakMap<object, Boundary>()
  clients.query = function (asked, ...rest) {
    if (!isStatement(asked)) return query.call(this, asked, ...rest)
    const { text } = asked
    if (PUBLISHES.test(text)) reached('publishing', asked.values?.[JOB_OF_PUBLICATION])
    const answer = query.call(this, hasFence ? asked : { ...asked, text: withoutFence(text) }, ...rest)
    if (!(answer instanceof Promise)) return answer
    return answer.then((result: { rowCount: number | null }) => {
      if (text === 'COMMIT' || text === 'ROLLBACK') {
        const boundary = pending.get(this)
        pending.delete(this)
        if (boundary && text === 'COMMIT') reached(boundary)
      } else if (result.rowCount === 1 && CLAIMS.test(text)) pending.set(this, 'claimed')
      else if (result.rowCount === 1 && PUBLISHES.test(text)) pending.set(this, 'published')
      return result
    })
  }
}

const withoutFence = (text: string): string =>
  FENCE.reduce((changed, [guard, without]) => changed.replace(guard, without), text)
