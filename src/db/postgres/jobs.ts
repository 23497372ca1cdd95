import type { JobStore } from '../../contract/job.ts'
import { JOB_COLUMNS, jobFromRow } from '../rows/job.ts'
import type { PostgresDatabase } from './database.ts'
import { jobReads } from '../repositories/job-reads.ts'
import {
  BACK_TO_THE_QUEUE,
  changedJob,
  endJobRow,
  findRepeatedJob,
  insertJobRow,
  pruneJobRows,
  retryJobRow,
} from './job-writes.ts'

/** The jobs of all nodes. */
export function postgresJobs({ reader, writer, transaction }: PostgresDatabase): JobStore {
  const store: JobStore = {
    ...jobReads(reader),
    insert: (job, repeatableSince) => transaction((session) => insertJobRow(session, job, repeatableSince)),
    findRepeated: (idempotency, since) => findRepeatedJob(reader, idempotency, since),
    async begin(id, now) {
      const row = await writer.get(
        `UPDATE jobs SET state = 'running', turn = turn + 1, started_at = $2 WHERE id = $1 AND state = 'queued'
         RETURNING ${JOB_COLUMNS}`,
        id,
        now,
      )
      return changedJob(row)
    },
    async note(id, progress, turn) {
      await writer.run(
        `UPDATE jobs SET progress = $2 WHERE id = $1 AND state = 'running' AND turn = coalesce($3, turn)`,
        id,
        JSON.stringify(progress),
        turn ?? null,
      )
    },
    end: (end) => transaction((session) => endJobRow(session, end)),
    async endLater(end) {
      await store.end(end)
    },
    async requeue(id, turn) {
      const row = await writer.get(
        `UPDATE jobs SET ${BACK_TO_THE_QUEUE} WHERE id = $1 AND state = 'running' AND turn = coalesce($2, turn)
         RETURNING ${JOB_COLUMNS}`,
        id,
        turn ?? null,
      )
      return changedJob(row)
    },
    retry: (id, payload) => retryJobRow(writer, id, payload),
    recover: () =>
      transaction(async (session) => {
        await session.run(
          `UPDATE jobs SET state = 'cancelled', turn = turn + 1, finished_at = flows.deleted_at FROM flows
           WHERE flows.id = flow_id AND flows.deleted_at IS NOT NULL AND state IN ('queued', 'running')`,
        )
        // Jobs of namespaces whose turn a node has are running.
        await session.run(
          `UPDATE jobs SET ${BACK_TO_THE_QUEUE} WHERE state = 'running'
             AND NOT EXISTS (SELECT 1 FROM lanes WHERE lanes.lane = jobs.lane)`,
        )
        const rows = await session.all(`SELECT ${JOB_COLUMNS} FROM jobs WHERE state = 'queued' ORDER BY seq`)
        return rows.map(jobFromRow)
      }),
    prune: (retention) => transaction((session) => pruneJobRows(session, retention)),
  }
  return store
}
