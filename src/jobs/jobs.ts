import type { FilePasswords } from '../contract/file-passwords.ts'
import type { Idempotency, JobFile, JobFilePage, JobKind, JobPage } from '../contract/job.ts'
import type { ShelvedFile } from '../contract/upload-shelf.ts'
import type { JsonObject } from '../kit/json.ts'
import type { ServerWait } from '../kit/patience.ts'
import type { JobView } from './active/job-view.ts'
import type { Prepared } from './performer.ts'

export type Submission = Prepared & {
  kind: JobKind
  flowId: string
  /** See `jobOwner`. */
  owner: string
  /** A folder of the upload shelf and its files. The job owns them from now on. */
  uploads?: { folder: string; files: readonly ShelvedFile[] } | undefined
  idempotency?: Idempotency | undefined
}

export type Jobs = {
  /**
   * Queues a job. If an equal request with the same Idempotency-Key came before, resolves with its job (`repeated`).
   *
   * @throws SluiceError `idempotency_mismatch`, `flow_not_found`, `queue_full`, `queue_share_full`, `storage_full`, `blob_failed`,
   * `stopping`
   */
  submit(submission: Submission): Promise<{ job: JobView; repeated: boolean }>
  /**
   * How many jobs are queued, on a database of several members those of all of them; how many run on this member; and when the oldest
   * queued one was made (milliseconds since 1970). `readAt` is when they were read from a database of several members.
   */
  load(): {
    queued: number
    running: number
    oldestQueuedAt: number | undefined
    readAt: number | undefined
  }
  /** Whether a job of a namespace is queued or runs, by what this member knows. */
  isBusy(namespace: string): boolean
  /**
   * Checks that one more job of an owner may be queued, by what this member knows.
   *
   * @throws SluiceError `queue_full`, `queue_share_full`, `storage_full`
   */
  checkRoom(owner: string): void
  /** Checks that uploads can be stored, before they are received. @throws SluiceError `blob_failed` */
  checkShelf(): Promise<void>
  /** The job of an earlier equal request with the same key. @throws SluiceError `idempotency_mismatch` */
  findRepeated(idempotency: Idempotency): Promise<JobView | undefined>
  find(id: string): Promise<JobView | undefined>
  list(page: JobPage): Promise<{ rows: JobView[]; total: number }>
  /** The files of a job, also while it runs. @throws SluiceError `job_not_found` */
  files(id: string, page: JobFilePage): Promise<{ rows: JobFile[]; total: number }>
  /** The result of a job, once it has ended. @throws SluiceError the failure of the job; `stopping` */
  result(id: string): Promise<JsonObject>
  /** Resolves once the work on a namespace waits for a server outside: see `active/stalled.ts`. */
  stalled(options: { namespace: string; ms: number; signal: AbortSignal }): Promise<ServerWait>
  /** Yields the job whenever its version differs from `seen`, until it has ended. */
  events(id: string, options: { seen?: string | undefined; signal: AbortSignal }): AsyncIterable<JobView>
  /**
   * Yields jobs that change: first the queued and running ones, and those that ended since `since` (milliseconds since
   * 1970); then each that changes, at most four times a second. A slow reader gets the newest state of each job.
   */
  changes(options: {
    since?: number | undefined
    /** Ends when no job is queued or running. */
    untilIdle?: boolean | undefined
    signal: AbortSignal
  }): AsyncIterable<JobView>
  /** Resolves when the job has ended. @throws SluiceError `job_not_found`, `job_ended` */
  cancel(id: string): Promise<JobView>
  /** Cancels the queued and running jobs of a flow with matching requests. Resolves when they have ended. */
  cancelMatching(flowId: string, matches: (request: JsonObject) => boolean): Promise<void>
  /**
   * @param passwords what opens its files: those of its first request ended with its run
   * @throws SluiceError `job_not_found`, `job_not_retryable`, `job_expired`, `queue_full`, `queue_share_full`, and what `renew` throws
   */
  retry(id: string, passwords?: FilePasswords): Promise<JobView>
  /** Runs `remove`, which removes a flow and its jobs from the store, and cancels its queued and running jobs. */
  drop(flowId: string, remove: () => Promise<unknown>): Promise<void>
  /** Continues the jobs of an earlier process. Call it before `submit`. */
  resume(): Promise<void>
  /** Stops what runs and puts it back to the queue, for the next start. */
  close(): Promise<void>
}
