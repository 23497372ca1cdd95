import type { JobStore } from '../../contract/job.ts'
import type { Database } from './database.ts'
import { jobReads } from '../repositories/job-reads.ts'
import {
  beginJob,
  endJob,
  findRepeated,
  insertJob,
  noteJob,
  pruneJobs,
  recoverJobs,
  requeueJob,
  retryJob,
} from './job-writes.ts'

/** The jobs in this database. */
export function jobStore(database: Database): JobStore {
  const { reader } = database
  return {
    ...jobReads(database.sql.reader),
    insert: (job, repeatableSince) => database.write(insertJob, { job, repeatableSince }),
    async findRepeated(idempotency, since) {
      return findRepeated(reader, idempotency, since)
    },
    begin: (id, now) => database.write(beginJob, { id, now }),
    note: (id, progress, turn) => database.write(noteJob, { id, progress, turn }),
    end: (end) => database.write(endJob, end),
    endLater: (end) => database.whenRoom(() => database.write(endJob, end)),
    requeue: (id, turn) => database.write(requeueJob, { id, turn }),
    retry: (id, payload) => database.write(retryJob, { id, payload }),
    recover: () => database.write(recoverJobs, undefined),
    prune: (retention) => database.write(pruneJobs, retention),
  }
}
