import type { Receipt } from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { SqlSession } from '../sql/session.ts'

/**
 * Marks a run as published: readers see what it has staged from the end of the transaction on. It comes first in that transaction: it
 * locks the run, so that a takeover of the namespace comes before or after the whole publication.
 *
 * @throws SluiceError `run_not_open` for a run that was abandoned or published before; the transaction then rolls back
 */
export async function markPublished(
  sql: SqlSession,
  { run, receipt, now }: { run: number; receipt?: Receipt | undefined; now: number },
): Promise<void> {
  const changed = await sql.run(
    `UPDATE runs SET state = 'published', published_at = ?, job = ?, receipt = ? WHERE seq = ? AND state = 'open'`,
    now,
    receipt?.job ?? null,
    receipt ? JSON.stringify(receipt) : null,
    run,
  )
  if (changed !== 1) throw new SluiceError('run_not_open')
}
