import type { JobPayload, JobRecord, JobRetention } from '../../contract/job.ts'
import { pruneHistory } from '../repositories/history.ts'
import { BACK_TO_THE_QUEUE, changedJob } from '../repositories/job-writes.ts'
import { JOB_COLUMNS } from '../rows/job.ts'
import type { SqlSession } from './session.ts'

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
