import type { JobStore } from '../../contract/job.ts'
import type { SqlDatabase } from '../sql/session.ts'
import { jobReads } from './job-reads.ts'
import { sweepJobs, recoverJobs, retryJob } from './job-retries.ts'
import { beginJob, endJob, findRepeatedJob, insertJob, noteJob, requeueJob } from './job-writes.ts'

/**
 * The stored jobs.
 *
 * @param whenRoom runs work that ends something: now, or when the disk has space again
 */
export const jobStore = (
  { reader, write }: SqlDatabase,
  whenRoom: (work: () => Promise<unknown>) => Promise<void>,
): JobStore => ({
  ...jobReads(reader),
  insert: (job, repeatableSince) => write(insertJob, { job, repeatableSince }),
  findRepeated: (idempotency, since) => findRepeatedJob(reader, idempotency, since),
  begin: (id, now) => write(beginJob, { id, now }),
  note: (id, progress, changes) => write(noteJob, { id, progress, changes }),
  end: (end) => write(endJob, end),
  endLater: (end) => whenRoom(() => write(endJob, end)),
  requeue: (id, changes) => write(requeueJob, { id, changes }),
  retry: (id, payload) => write(retryJob, { id, payload }),
  recover: () => write(recoverJobs, undefined),
  sweep: (retention) => write(sweepJobs, retention),
})
