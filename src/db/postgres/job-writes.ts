import type { Idempotency, JobEnd, JobPayload, JobRecord, JobRetention, NewJob } from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import { JOB_COLUMNS, jobFromRow } from '../rows/job.ts'
import { keepFileOutcomes } from '../repositories/failed-files.ts'
import { addHistory, pruneHistory } from '../repositories/history.ts'
import type { SqlRow, SqlSession } from './session.ts'

/** How a job's row changes. Each UPDATE checks the expected state, so a late one changes nothing. */

export const changedJob = (row: SqlRow | undefined): JobRecord | undefined => row && jobFromRow(row)

const textOf = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null)

/**
 * The job that an equal request has made; `since` is the oldest creation that counts, in milliseconds.
 *
 * @throws SluiceError `idempotency_mismatch`
 */
export async function findRepeatedJob(
  session: SqlSession,
  { scope, fingerprint }: Idempotency,
  since: number,
): Promise<JobRecord | undefined> {
  const row = await session.get(
    `SELECT ${JOB_COLUMNS}, repeat_fingerprint FROM jobs WHERE repeat_scope = $1 AND created_at >= $2`,
    scope,
    since,
  )
  if (row && row.repeat_fingerprint !== fingerprint) throw new SluiceError('idempotency_mismatch')
  return changedJob(row)
}

/** Inserts a job; of several equal requests at the same moment, the unique index lets one in. */
export async function insertJobRow(
  session: SqlSession,
  job: NewJob,
  repeatableSince: number,
): Promise<{ job: JobRecord; repeated: boolean }> {
  const { idempotency, uploads } = job
  for (;;) {
    if (idempotency) {
      const earlier = await findRepeatedJob(session, idempotency, repeatableSince)
      if (earlier) return { job: earlier, repeated: true }
      await session.run(
        'UPDATE jobs SET repeat_scope = NULL WHERE repeat_scope = $1 AND created_at < $2',
        idempotency.scope,
        repeatableSince,
      )
    }
    // A deleted flow gets no new jobs; the lock makes a deletion wait for the end of this transaction.
    if (
      !(await session.get('SELECT 1 FROM flows WHERE id = $1 AND deleted_at IS NULL FOR SHARE', job.flowId))
    )
      throw new SluiceError('flow_not_found', { flow: job.flowId })
    const row = await session.get(
      `INSERT INTO jobs (id, flow_id, kind, state, turn, lane, created_at, repeat_scope, repeat_fingerprint, folder,
         upload_bytes, description, request, owner)
       VALUES ($1, $2, $3, 'queued', 1, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (repeat_scope) WHERE repeat_scope IS NOT NULL DO NOTHING RETURNING ${JOB_COLUMNS}`,
      job.id,
      job.flowId,
      job.kind,
      job.namespace,
      job.now,
      idempotency?.scope ?? null,
      idempotency?.fingerprint ?? null,
      uploads?.folder ?? null,
      uploads?.bytes ?? 0,
      JSON.stringify(job.description),
      job.request,
      job.owner ?? null,
    )
    if (row) return { job: jobFromRow(row), repeated: false }
  }
}

/** The end of a job and its row of the history. The request of a job that is done is deleted. */
export async function endJobRow(session: SqlSession, end: JobEnd): Promise<JobRecord | undefined> {
  const { id, turn, state, progress, result, error, files, history, outcomes, forget, request, now } = end
  const row = await session.get(
    `UPDATE jobs SET state = $2, turn = turn + 1, finished_at = $3, progress = coalesce($4, progress), result = $5,
       error = $6, files = $7, request = CASE WHEN $8 THEN NULL ELSE coalesce($10, request) END,
       folder = CASE WHEN $8 THEN NULL ELSE folder END
     WHERE id = $1 AND state IN ('queued', 'running') AND turn = coalesce($9, turn)
     RETURNING ${JOB_COLUMNS}, description`,
    id,
    state,
    now,
    textOf(progress),
    textOf(result),
    textOf(error),
    textOf(files),
    state === 'done' || forget === true,
    turn ?? null,
    request ?? null,
  )
  if (!row && turn !== undefined) return undefined
  // From now on the row of the job has the result.
  await session.run('UPDATE runs SET job = NULL, receipt = NULL WHERE job = $1', id)
  if (row && history && row.started_at !== null) {
    const flowData = JSON.parse(row.description as string) as Json[]
    await addHistory.run(session, {
      ...history,
      flowId: row.flow_id as string,
      flowData,
      date: now,
      jobId: id,
    })
  }
  if (row && outcomes) await keepFileOutcomes(session, outcomes, { id, flowId: row.flow_id as string, now })
  return changedJob(row)
}

export const BACK_TO_THE_QUEUE = `state = 'queued', turn = turn + 1, attempt = attempt + 1, started_at = NULL, finished_at = NULL,
  progress = NULL, result = NULL, error = NULL, files = NULL`

export const retryJobRow = async (
  session: SqlSession,
  id: string,
  { namespace, request, description }: JobPayload,
): Promise<JobRecord | undefined> =>
  changedJob(
    await session.get(
      `UPDATE jobs SET ${BACK_TO_THE_QUEUE}, cancel_asked = false, lane = $2, request = $3, description = $4
       WHERE id = $1 AND state IN ('failed', 'cancelled') AND request IS NOT NULL RETURNING ${JOB_COLUMNS}`,
      id,
      namespace,
      request,
      JSON.stringify(description),
    ),
  )

export async function pruneJobRows(
  session: SqlSession,
  { requestsSince, uploadBytes, jobsSince, jobs, resultBytes, historyRows }: JobRetention,
): Promise<string[]> {
  const old = await session.all<{ folder: string | null }>(
    `UPDATE jobs SET request = NULL, folder = NULL FROM (
       SELECT seq, folder, finished_at, sum(upload_bytes) OVER (ORDER BY finished_at DESC, seq DESC) AS kept
       FROM jobs WHERE request IS NOT NULL AND finished_at IS NOT NULL) AS asked
     WHERE jobs.seq = asked.seq AND (asked.finished_at < $1 OR (asked.folder IS NOT NULL AND kept > $2))
     RETURNING asked.folder`,
    requestsSince,
    uploadBytes,
  )
  const gone = await session.all<{ folder: string | null }>(
    `DELETE FROM jobs WHERE seq IN (
       SELECT seq FROM (
         SELECT seq, finished_at, count(*) OVER newer AS place,
           sum(octet_length(result) + coalesce(octet_length(files), 0)) OVER newer AS bytes
         FROM jobs WHERE finished_at IS NOT NULL
         WINDOW newer AS (
           ORDER BY finished_at DESC, seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS ended
       WHERE finished_at < $1 OR place >= $2 OR bytes > $3)
     RETURNING folder`,
    jobsSince,
    jobs,
    resultBytes,
  )
  // Who comes after so long counts as never served.
  await session.run(`DELETE FROM owner_turns WHERE served_at < clock_timestamp() - interval '1 day'`)
  await pruneHistory(session, historyRows)
  return [...old, ...gone].flatMap(({ folder }) => folder ?? [])
}
