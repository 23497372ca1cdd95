import { hasEnded } from './has-ended.ts'
import type { JobRecord, JobStore } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import type { ActiveJob } from './active/active-job.ts'
import { type JobView, stillView } from './active/job-view.ts'
import type { JobRunner } from './runners/runner.ts'

/** The jobs of the store, with what the runner knows of those that have not ended. */
export function knownJobs(store: JobStore, runner: JobRunner) {
  return {
    /** The newer of the record and what is known of the running job. */
    viewOf(record: JobRecord): JobView {
      const job = runner.active.get(record.id)
      if (!job || job.record.changes < record.changes) return stillView(record)
      if (record.progress) job.noteStored(record.progress, record.changes)
      return job.view()
    },

    /** @throws SluiceError `job_not_found` */
    async findRecord(id: string): Promise<JobRecord> {
      const record = await store.find(id)
      if (!record) throw new SluiceError('job_not_found', { id })
      return record
    },

    /** A queued or running job; undefined where it has ended, or is not there. */
    async openJob(id: string): Promise<ActiveJob | undefined> {
      const record = await store.find(id)
      const job = record && !hasEnded(record.state) ? runner.find(record) : undefined
      if (record?.progress) job?.noteStored(record.progress, record.changes)
      return job
    },
  }
}

export type KnownJobs = ReturnType<typeof knownJobs>
