import type {
  Idempotency,
  JobEnd,
  JobPayload,
  JobProgress,
  JobRecord,
  JobRetention,
  NewJob,
} from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import type { Connection, Row } from './connection.ts'
import { DELETED_FLOWS } from './deleted-flows.ts'
import { keepFileOutcomes } from '../repositories/failed-files.ts'
import { addHistory, pruneHistory } from '../repositories/history.ts'
import { jobFromRow, JOB_COLUMNS } from '../rows/job.ts'
import { sessionOf } from './sql.ts'
import type { Write } from './write.ts'

/** How a job's row changes. Each UPDATE checks the expected state, so a late one changes nothing. */

const changed = (row: Row | undefined): JobRecord | undefined => row && jobFromRow(row)
const json = (value: object | null): string | null => value && JSON.stringify(value)

/**
 * The job that an equal request has made; `since` is the oldest creation that counts, in milliseconds.
 *
 * @throws SluiceError `idempotency_mismatch`
 */
export function findRepeated(
  connection: Connection,
  { scope, fingerprint }: Idempotency,
  since: number,
): JobRecord | undefined {
  const row = connection.get(
    `SELECT ${JOB_COLUMNS}, repeat_fingerprint FROM jobs WHERE repeat_scope = ? AND created_at >= ?`,
    scope,
    since,
  )
  if (row && row.repeat_fingerprint !== fingerprint) throw new SluiceError('idempotency_mismatch')
  return changed(row)
}

export const insertJob: Write<
  { job: NewJob; repeatableSince: number },
  { job: JobRecord; repeated: boolean }
> = {
  name: 'insertJob',
  grows: true,
  run(connection, { job, repeatableSince }) {
    const { idempotency, uploads } = job
    if (idempotency) {
      const earlier = findRepeated(connection, idempotency, repeatableSince)
      if (earlier) return { job: earlier, repeated: true }
      connection.run('UPDATE jobs SET repeat_scope = NULL WHERE repeat_scope = ?', idempotency.scope)
    }
    // A deleted flow gets no new jobs.
    if (!connection.get('SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL', job.flowId))
      throw new SluiceError('flow_not_found', { flow: job.flowId })
    const row = connection.get(
      `INSERT INTO jobs (id, flow_id, kind, state, turn, lane, created_at, repeat_scope, repeat_fingerprint, folder,
         upload_bytes, description, request, owner)
       VALUES (?, ?, ?, 'queued', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${JOB_COLUMNS}`,
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
    return { job: jobFromRow(row!), repeated: false }
  },
}

/** Staged: after a power cut that loses it the job is still queued, and begins again. */
export const beginJob: Write<{ id: string; now: number }, JobRecord | undefined> = {
  name: 'beginJob',
  staged: true,
  run: (connection, { id, now }) =>
    changed(
      connection.get(
        `UPDATE jobs SET state = 'running', turn = turn + 1, started_at = ? WHERE id = ? AND state = 'queued'
         RETURNING ${JOB_COLUMNS}`,
        now,
        id,
      ),
    ),
}

export const noteJob: Write<{ id: string; progress: JobProgress; turn: number | undefined }, void> = {
  name: 'noteJob',
  staged: true,
  run(connection, { id, progress, turn }) {
    connection.run(
      `UPDATE jobs SET progress = ? WHERE id = ? AND state = 'running' AND turn = coalesce(?, turn)`,
      JSON.stringify(progress),
      id,
      turn ?? null,
    )
  },
}

/** The end of a job and its row of the history, in one transaction. The request of a job that is done is deleted. */
export const endJob: Write<JobEnd, JobRecord | undefined> = {
  name: 'endJob',
  async run(connection, end) {
    const { id, turn, state, progress, result, error, files, history, outcomes, forget, request, now } = end
    const row = connection.get<Row>(
      `UPDATE jobs SET state = ?1, turn = turn + 1, finished_at = ?2, progress = coalesce(?3, progress), result = ?4,
         error = ?5, files = ?8, request = iif(?1 = 'done' OR ?7, NULL, coalesce(?10, request)), folder = iif(?1 = 'done' OR ?7, NULL, folder)
       WHERE id = ?6 AND state IN ('queued', 'running') AND turn = coalesce(?9, turn)
       RETURNING ${JOB_COLUMNS}, description`,
      state,
      now,
      json(progress),
      json(result),
      json(error),
      id,
      forget ? 1 : 0,
      files === undefined ? null : JSON.stringify(files),
      turn ?? null,
      request ?? null,
    )
    if (!row && turn !== undefined) return undefined
    // From now on the row of the job has the result.
    connection.run('UPDATE runs SET job = NULL, receipt = NULL WHERE job = ?', id)
    if (row && history && row.started_at !== null) {
      const flowData = JSON.parse(row.description as string) as Json[]
      const flowId = row.flow_id as string
      const added = { ...history, flowId, flowData, date: now, jobId: id }
      await addHistory.run(sessionOf(connection), added)
    }
    if (row && outcomes)
      await keepFileOutcomes(sessionOf(connection), outcomes, { id, flowId: row.flow_id as string, now })
    return changed(row)
  },
}

const BACK_TO_QUEUE = `state = 'queued', turn = turn + 1, attempt = attempt + 1, started_at = NULL, finished_at = NULL, progress = NULL, result = NULL,
  error = NULL, files = NULL`

export const requeueJob: Write<{ id: string; turn: number | undefined }, JobRecord | undefined> = {
  name: 'requeueJob',
  run: (connection, { id, turn }) =>
    changed(
      connection.get(
        `UPDATE jobs SET ${BACK_TO_QUEUE} WHERE id = ? AND state = 'running' AND turn = coalesce(?, turn)
         RETURNING ${JOB_COLUMNS}`,
        id,
        turn ?? null,
      ),
    ),
}

export const retryJob: Write<{ id: string; payload: JobPayload }, JobRecord | undefined> = {
  name: 'retryJob',
  run: (connection, { id, payload }) =>
    changed(
      connection.get(
        `UPDATE jobs SET ${BACK_TO_QUEUE}, lane = ?, request = ?, description = ?
         WHERE id = ? AND state IN ('failed', 'cancelled') AND request IS NOT NULL RETURNING ${JOB_COLUMNS}`,
        payload.namespace,
        payload.request,
        JSON.stringify(payload.description),
        id,
      ),
    ),
}

/** After a start: queues the jobs again that a dead process was running. Those of deleted flows are cancelled. */
export const recoverJobs: Write<undefined, JobRecord[]> = {
  name: 'recoverJobs',
  run(connection) {
    connection.run(
      `UPDATE jobs SET state = 'cancelled', turn = turn + 1, finished_at = (SELECT deleted_at FROM flows WHERE id = flow_id)
       WHERE state IN ('queued', 'running') AND flow_id IN (${DELETED_FLOWS})`,
    )
    connection.run(`UPDATE jobs SET ${BACK_TO_QUEUE} WHERE state = 'running'`)
    return connection
      .all(`SELECT ${JOB_COLUMNS} FROM jobs WHERE state = 'queued' ORDER BY seq`)
      .map(jobFromRow)
  },
}

export const pruneJobs: Write<JobRetention, string[]> = {
  name: 'pruneJobs',
  async run(connection, { requestsSince, uploadBytes, jobsSince, jobs, resultBytes, historyRows }) {
    const old = connection.all<{ seq: number; folder: string | null }>(
      `SELECT seq, folder FROM (
         SELECT seq, folder, finished_at, sum(upload_bytes) OVER (ORDER BY finished_at DESC, seq DESC) AS kept
         FROM jobs WHERE request IS NOT NULL AND finished_at IS NOT NULL)
       WHERE finished_at < ? OR (folder IS NOT NULL AND kept > ?)`,
      requestsSince,
      uploadBytes,
    )
    for (const { seq } of old)
      connection.run('UPDATE jobs SET request = NULL, folder = NULL WHERE seq = ?', seq)
    const gone = connection.all<{ folder: string | null }>(
      `DELETE FROM jobs WHERE seq IN (
         SELECT seq FROM (
           SELECT seq, finished_at, count(*) OVER newer AS place, sum(octet_length(result) + coalesce(octet_length(files), 0)) OVER newer AS bytes
           FROM jobs WHERE finished_at IS NOT NULL
           WINDOW newer AS (
             ORDER BY finished_at DESC, seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
         WHERE finished_at < ? OR place >= ? OR bytes > ?)
       RETURNING folder`,
      jobsSince,
      jobs,
      resultBytes,
    )
    await pruneHistory(sessionOf(connection), historyRows)
    return [...old, ...gone].flatMap(({ folder }) => folder ?? [])
  },
}
