import type { JobStore } from '../../contract/job.ts'
import { jobReads } from '../repositories/job-reads.ts'
import {
  BACK_TO_THE_QUEUE,
  beginJob,
  endJob,
  findRepeatedJob,
  insertJob,
  noteJob,
  requeueJob,
} from '../repositories/job-writes.ts'
import { JOB_COLUMNS, jobFromRow } from '../rows/job.ts'
import type { PostgresDatabase } from './database.ts'
import { pruneJobRows, retryJobRow } from './job-writes.ts'

/** The jobs of all nodes. */
export function postgresJobs({ reader, writer, transaction, sql }: PostgresDatabase): JobStore {
  return {
    ...jobReads(reader),
    insert: (job, repeatableSince) => sql.write(insertJob, { job, repeatableSince }),
    findRepeated: (idempotency, since) => findRepeatedJob(reader, idempotency, since),
    begin: (id, now) => sql.write(beginJob, { id, now }),
    note: (id, progress, turn) => sql.write(noteJob, { id, progress, turn }),
    end: (end) => sql.write(endJob, end),
    async endLater(end) {
      await sql.write(endJob, end)
    },
    requeue: (id, turn) => sql.write(requeueJob, { id, turn }),
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
}
