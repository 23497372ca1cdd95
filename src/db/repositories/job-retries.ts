import type { JobPayload, JobRecord, JobRetention } from '../../contract/job.ts'
import { JOB_COLUMNS, jobFromRow } from '../rows/job.ts'
import type { SqlSession, SqlWrite } from '../sql/session.ts'
import { sweepHistory } from './history.ts'
import { BACK_TO_THE_QUEUE, changedJob } from './job-writes.ts'

/** What happens to jobs after their end, and after the end of the process that ran them. */

export const retryJob: SqlWrite<{ id: string; payload: JobPayload }, JobRecord | undefined> = {
  name: 'retryJob',
  async run(session, { id, payload }) {
    const row = await session.get(
      `UPDATE jobs SET ${BACK_TO_THE_QUEUE}, lane = ?, request = ?, description = ?
       WHERE id = ? AND state IN ('failed', 'cancelled') AND request IS NOT NULL RETURNING ${JOB_COLUMNS}`,
      payload.namespace,
      payload.request,
      JSON.stringify(payload.description),
      id,
    )
    return changedJob(row)
  },
}

/**
 * After a start: queues the jobs again that a dead process was running. Those of deleted flows are cancelled.
 *
 * @param isLost the condition of running jobs that no process is running
 */
export async function recoverLostJobs(session: SqlSession, isLost: string): Promise<JobRecord[]> {
  await session.run(
    `UPDATE jobs SET state = 'cancelled', turn = turn + 1,
       finished_at = (SELECT deleted_at FROM flows WHERE flows.id = flow_id)
     WHERE state IN ('queued', 'running') AND flow_id IN (SELECT id FROM flows WHERE deleted_at IS NOT NULL)`,
  )
  await session.run(`UPDATE jobs SET ${BACK_TO_THE_QUEUE} WHERE state = 'running' AND ${isLost}`)
  const rows = await session.all(`SELECT ${JOB_COLUMNS} FROM jobs WHERE state = 'queued' ORDER BY seq`)
  return rows.map(jobFromRow)
}

/** {@link recoverLostJobs} of the only process: it runs none yet. */
export const recoverJobs: SqlWrite<undefined, JobRecord[]> = {
  name: 'recoverJobs',
  run: (session) => recoverLostJobs(session, '1 = 1'),
}

/** Jobs with a request, the newest end first, with the bytes of the uploads up to each. */
const REQUESTS = `
  SELECT seq, folder, finished_at, sum(upload_bytes) OVER (ORDER BY finished_at DESC, seq DESC) AS kept
  FROM jobs WHERE request IS NOT NULL AND finished_at IS NOT NULL`

/** Ended jobs, each with how many ended later and the bytes of these. */
const ENDED = `
  SELECT seq, finished_at, count(*) OVER newer AS place,
    sum(octet_length(result) + coalesce(octet_length(files), 0)) OVER newer AS bytes
  FROM jobs WHERE finished_at IS NOT NULL
  WINDOW newer AS (ORDER BY finished_at DESC, seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`

type Folder = { folder: string | null }

/** Forgets requests and jobs beyond what is kept; returns the folders whose uploads nothing needs any more. */
export const sweepJobs: SqlWrite<JobRetention, string[]> = {
  name: 'sweepJobs',
  async run(session, { requestsSince, uploadBytes, jobsSince, jobs, resultBytes, historyRows }) {
    // One that another node queues again meanwhile keeps its request: it has no end then.
    const old = await session.all<Folder & { seq: number }>(
      `SELECT seq, folder FROM jobs WHERE finished_at IS NOT NULL AND seq IN (
         SELECT seq FROM (${REQUESTS}) AS asked WHERE finished_at < ? OR (folder IS NOT NULL AND kept > ?))
       ORDER BY seq ${session.dialect.forUpdate}`,
      requestsSince,
      uploadBytes,
    )
    await session.run(
      'UPDATE jobs SET request = NULL, folder = NULL WHERE seq IN (?)',
      old.map(({ seq }) => seq),
    )
    const gone = await session.all<Folder>(
      `DELETE FROM jobs WHERE finished_at IS NOT NULL AND seq IN (
         SELECT seq FROM (${ENDED}) AS ended WHERE finished_at < ? OR place >= ? OR bytes > ?) RETURNING folder`,
      jobsSince,
      jobs,
      resultBytes,
    )
    await sweepHistory(session, historyRows)
    return [...old, ...gone].flatMap(({ folder }) => folder ?? [])
  },
}
