import type { Idempotency, JobEnd, JobProgress, JobRecord, NewJob } from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import { JOB_COLUMNS, jobFromRow } from '../rows/job.ts'
import type { SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'
import { keepFileOutcomes } from './failed-files.ts'
import { addHistory } from './history.ts'

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
    `SELECT ${JOB_COLUMNS}, repeat_fingerprint FROM jobs WHERE repeat_scope = ? AND created_at >= ?`,
    scope,
    since,
  )
  if (row && row.repeat_fingerprint !== fingerprint) throw new SluiceError('idempotency_mismatch')
  return changedJob(row)
}

type Insert = { job: NewJob; repeatableSince: number }

/** Inserts a job; of several equal requests at the same moment, the unique index lets one in. */
export const insertJob: SqlWrite<Insert, { job: JobRecord; repeated: boolean }> = {
  name: 'insertJob',
  grows: true,
  async run(session, { job, repeatableSince }) {
    const { idempotency, uploads } = job
    for (;;) {
      if (idempotency) {
        const earlier = await findRepeatedJob(session, idempotency, repeatableSince)
        if (earlier) return { job: earlier, repeated: true }
        await session.run(
          'UPDATE jobs SET repeat_scope = NULL WHERE repeat_scope = ? AND created_at < ?',
          idempotency.scope,
          repeatableSince,
        )
      }
      // A deleted flow gets no new jobs; the lock makes a deletion wait for the end of this transaction.
      const live = `SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL ${session.dialect.forShare}`
      if (!(await session.get(live, job.flowId)))
        throw new SluiceError('flow_not_found', { flow: job.flowId })
      const row = await session.get(
        `INSERT INTO jobs (id, flow_id, kind, state, turn, lane, created_at, repeat_scope, repeat_fingerprint, folder,
           upload_bytes, description, request, owner)
         VALUES (?, ?, ?, 'queued', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
  },
}

/** Staged: after a power cut that loses it the job is still queued, and begins again. */
export const beginJob: SqlWrite<{ id: string; now: number }, JobRecord | undefined> = {
  name: 'beginJob',
  staged: true,
  isOneStatement: true,
  async run(session, { id, now }) {
    const row = await session.get(
      `UPDATE jobs SET state = 'running', turn = turn + 1, started_at = ? WHERE id = ? AND state = 'queued'
       RETURNING ${JOB_COLUMNS}`,
      now,
      id,
    )
    return changedJob(row)
  },
}

type Note = { id: string; progress: JobProgress; changes: number | undefined }

export const noteJob: SqlWrite<Note, void> = {
  name: 'noteJob',
  staged: true,
  isOneStatement: true,
  async run(session, { id, progress, changes }) {
    await session.run(
      `UPDATE jobs SET progress = ? WHERE id = ? AND state = 'running' AND turn = coalesce(?, turn)`,
      JSON.stringify(progress),
      id,
      changes ?? null,
    )
  },
}

/** The end of a job and its row of the history, in one transaction. The request of a job that is done is deleted. */
export const endJob: SqlWrite<JobEnd, JobRecord | undefined> = {
  name: 'endJob',
  async run(session, end) {
    const {
      id,
      changes,
      state,
      progress,
      result,
      error,
      files,
      history,
      outcomes,
      uploadsRemoved,
      request,
      now,
    } = end
    const row = await session.get(
      `UPDATE jobs SET state = ?2, turn = turn + 1, finished_at = ?3, progress = coalesce(?4, progress), result = ?5,
         error = ?6, files = ?7, request = CASE WHEN CAST(?8 AS boolean) THEN NULL ELSE coalesce(?10, request) END,
         folder = CASE WHEN CAST(?8 AS boolean) THEN NULL ELSE folder END
       WHERE id = ?1 AND state IN ('queued', 'running') AND turn = coalesce(?9, turn)
       RETURNING ${JOB_COLUMNS}, description`,
      id,
      state,
      now,
      textOf(progress),
      textOf(result),
      textOf(error),
      textOf(files),
      state === 'done' || uploadsRemoved === true,
      changes ?? null,
      request ?? null,
    )
    if (!row && changes !== undefined) return undefined
    // From now on the row of the job has the result.
    await session.run('UPDATE runs SET job = NULL, receipt = NULL WHERE job = ?', id)
    if (row && history && row.started_at !== null) {
      const flowData = JSON.parse(row.description as string) as Json[]
      const flowId = row.flow_id as string
      await addHistory.run(session, { ...history, flowId, flowData, date: now, jobId: id })
    }
    if (row && outcomes) await keepFileOutcomes(session, outcomes, { id, flowId: row.flow_id as string, now })
    return changedJob(row)
  },
}

/** What an UPDATE sets where a job goes back into the queue. */
export const BACK_TO_THE_QUEUE = `state = 'queued', turn = turn + 1, attempt = attempt + 1, started_at = NULL, finished_at = NULL,
  progress = NULL, result = NULL, error = NULL, files = NULL`

export const requeueJob: SqlWrite<{ id: string; changes: number | undefined }, JobRecord | undefined> = {
  name: 'requeueJob',
  isOneStatement: true,
  async run(session, { id, changes }) {
    const row = await session.get(
      `UPDATE jobs SET ${BACK_TO_THE_QUEUE} WHERE id = ? AND state = 'running' AND turn = coalesce(?, turn)
       RETURNING ${JOB_COLUMNS}`,
      id,
      changes ?? null,
    )
    return changedJob(row)
  },
}
