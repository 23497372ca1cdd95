import type { JobFile, JobKind, JobPayload, JobProgress } from '../contract/job.ts'
import type { UploadedFile } from '../contract/loader.ts'
import type { JsonObject } from '../kit/json.ts'
import type { KeyLease } from '../kit/keyed-queue.ts'

/** A request that was checked: what its job needs. */
export type Prepared = Omit<JobPayload, 'request'> & {
  request: JsonObject
  /** The id of the fence that the job works within. */
  fence?: string | undefined
}

/** What the run of a job gets besides its request. */
export type Task = {
  jobId: string
  /** From 1; a later one begins anew, on what earlier ones have stored. */
  attempt: number
  /** The lease of the job's namespace. */
  lease: KeyLease
  uploads: UploadedFile[] | undefined
  /** The trace that the job belongs to. */
  traceparent?: string | undefined
  signal: AbortSignal
  onProgress(progress: JobProgress): void
  /** Gets the rows of the files, once: they change while the job runs. */
  onFiles(rows: readonly JobFile[]): void
}

/** The work of one kind of job. */
export type Performer = {
  /** Does the work, from the start also if an earlier run was interrupted. Resolves with the result of the job. */
  run(request: JsonObject, task: Task): Promise<JsonObject>
  /** The same request, checked against the flow as it is now. @throws SluiceError why it can no longer be made */
  renew(flowId: string, request: JsonObject): Promise<Prepared>
}

export type Performers = Readonly<Record<JobKind, Performer>>
