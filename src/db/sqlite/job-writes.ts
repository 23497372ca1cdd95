import type { JobPayload, JobRecord, JobRetention } from '../../contract/job.ts'
import { pruneHistory } from '../repositories/history.ts'
import { BACK_TO_THE_QUEUE, changedJob } from '../repositories/job-writes.ts'
import { jobFromRow, JOB_COLUMNS } from '../rows/job.ts'
import { DELETED_FLOWS } from './deleted-flows.ts'
import { sessionOf } from './sql.ts'
import type { Write } from './write.ts'

/** What happens to jobs in this database in its own way: elsewhere several nodes work on them. */

export const retryJob: Write<{ id: string; payload: JobPayload }, JobRecord | undefined> = {
  name: 'retryJob',
  run: (connection, { id, payload }) =>
    changedJob(
      connection.get(
        `UPDATE jobs SET ${BACK_TO_THE_QUEUE}, lane = ?, request = ?, description = ?
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
    connection.run(`UPDATE jobs SET ${BACK_TO_THE_QUEUE} WHERE state = 'running'`)
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
