import type { JobKind, JobPayload, JobProgress } from '../contract/job.ts'
import type { UploadedFile } from '../contract/loader.ts'
import type { JsonObject } from '../kit/json.ts'
import type { Turn } from '../kit/turns.ts'

/** A request that was looked at and found fit: what its job needs. */
export type Prepared = Omit<JobPayload, 'request'> & { request: JsonObject }

/** What the run of a job gets besides its request. */
export type Task = {
  jobId: string
  /** The turn of the job's namespace. */
  turn: Turn
  uploads: UploadedFile[] | undefined
  signal: AbortSignal
  onProgress(progress: JobProgress): void
}

/** What a kind of job does. */
export type Performer = {
  /** Does the work, again from the start where an earlier run did not come to its end. Answers the job's result. */
  run(request: JsonObject, task: Task): Promise<JsonObject>
  /** The same request as it has to be made today. @throws SluiceError why it cannot be made any more */
  renew(flowId: string, request: JsonObject): Promise<Prepared>
}

export type Performers = Readonly<Record<JobKind, Performer>>
