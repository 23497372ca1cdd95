import type { JobStore } from '../../contract/job.ts'
import { jobReads } from '../repositories/job-reads.ts'
import {
  beginJob,
  endJob,
  findRepeatedJob,
  insertJob,
  noteJob,
  requeueJob,
} from '../repositories/job-writes.ts'
import type { Database } from './database.ts'
import { pruneJobs, recoverJobs, retryJob } from './job-writes.ts'

/** The jobs in this database. */
export function jobStore(database: Database): JobStore {
  const { sql } = database
  return {
    ...jobReads(sql.reader),
    insert: (job, repeatableSince) => sql.write(insertJob, { job, repeatableSince }),
    findRepeated: (idempotency, since) => findRepeatedJob(sql.reader, idempotency, since),
    begin: (id, now) => sql.write(beginJob, { id, now }),
    note: (id, progress, turn) => sql.write(noteJob, { id, progress, turn }),
    end: (end) => sql.write(endJob, end),
    endLater: (end) => database.whenRoom(() => sql.write(endJob, end)),
    requeue: (id, turn) => sql.write(requeueJob, { id, turn }),
    retry: (id, payload) => database.write(retryJob, { id, payload }),
    recover: () => database.write(recoverJobs, undefined),
    prune: (retention) => database.write(pruneJobs, retention),
  }
}
