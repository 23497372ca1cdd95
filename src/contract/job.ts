import type { ErrorCode, ErrorFacts } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'

export const JOB_KINDS = ['upsert', 'reindex'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** `queued` and `running` go on after a restart; `failed` and `cancelled` may be tried again, `done` is done. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]
export type EndState = Exclude<JobState, 'queued' | 'running'>

export const hasEnded = (state: JobState): state is EndState => state !== 'queued' && state !== 'running'

/** What a job is at. The steps before the one that is named may still be finishing; none is gone back to. */
export const JOB_STAGES = ['parse', 'embed', 'publish'] as const
export type JobStage = (typeof JOB_STAGES)[number]

/** Where a job stands; the counts only grow. */
export type JobProgress = {
  stage: JobStage
  /** `known`: whether `total` is all there will be. `bytes`: of the uploads. */
  files: {
    total: number
    done: number
    failed: number
    known: boolean
    bytes?: { total: number; done: number }
  }
  /** `due`: how many of those seen have to be written. */
  chunks: { seen: number; embedded: number; written: number; due: number }
}

/** Why a job failed, in such a way that the failure can be thrown again. */
export type JobFailure = { code: ErrorCode; message: string; facts: ErrorFacts }

/** A job as it is kept: facts that anybody who may see it may see. */
export type JobRecord = {
  /** Unguessable. */
  id: string
  flowId: string
  kind: JobKind
  state: JobState
  /** How often the state has changed: what was seen of a job is older than what has a larger turn. */
  turn: number
  /** Jobs of one namespace run in sequence. */
  namespace: string
  /** Where its uploads lie. */
  folder: string | null
  progress: JobProgress | null
  result: JsonObject | null
  error: JobFailure | null
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
}

/** What a job needs to be run, now or after a restart. */
export type JobPayload = {
  namespace: string
  /** The request, sealed: it may hold secrets. */
  request: string
  /** What the history will say the job worked with; without secrets. */
  description: Json[]
}

/** What came of a job, kept with what it has published: whoever dies between the two is found to be done. */
export type Receipt = { job: string; result: JsonObject; progress: JobProgress }

/** Which earlier request a repeated one is: `scope` names key, flow and caller, `fingerprint` all that was sent. */
export type Idempotency = { scope: string; fingerprint: string }

export type NewJob = JobPayload & {
  id: string
  flowId: string
  kind: JobKind
  idempotency?: Idempotency | undefined
  /** Where its uploads lie, and how many bytes they are. */
  uploads?: { folder: string; bytes: number } | undefined
  now: number
}

export type JobEnd = {
  id: string
  state: EndState
  progress: JobProgress | null
  result: JsonObject | null
  error: JobFailure | null
  /** What the history says of it. A job that never ran leaves no row. */
  history?: { id: string; result: JsonObject }
  /** Its uploads are gone: it cannot be tried again. */
  forget?: true
  now: number
}

/** What is kept of ended jobs. Times are moments, what ended before is let go. */
export type JobRetention = {
  requestsSince: number
  uploadBytes: number
  jobsSince: number
  /** The newest are kept: so many jobs, results of so many bytes, so many rows of the history. */
  jobs: number
  resultBytes: number
  historyRows: number
}

/** The jobs of all flows, durable. A change of state that comes too late changes nothing and answers undefined. */
export type JobStore = {
  /**
   * Keeps a new job, or answers the one that an equal request has made since `repeatableSince`.
   *
   * @throws SluiceError `flow_not_found`, `idempotency_mismatch`
   */
  insert(job: NewJob, repeatableSince: number): Promise<{ job: JobRecord; repeated: boolean }>
  /** @throws SluiceError `idempotency_mismatch` */
  findRepeated(idempotency: Idempotency, since: number): Promise<JobRecord | undefined>
  find(id: string): Promise<JobRecord | undefined>
  /** Newest first; of the results only the counts. */
  list(page: {
    flowId?: string | undefined
    state?: JobState | undefined
    offset: number
    limit: number
  }): Promise<{ rows: JobRecord[]; total: number }>
  /** The sealed request; undefined once it is let go of. */
  request(id: string): Promise<string | undefined>
  /** What came of a job that died after its publication, before it could say so itself. */
  receipt(id: string): Promise<Receipt | undefined>
  begin(id: string, now: number): Promise<JobRecord | undefined>
  /** Keeps how far a running job is. */
  note(id: string, progress: JobProgress): Promise<void>
  end(end: JobEnd): Promise<JobRecord | undefined>
  /** The same when there is room on the disk again; it may be now. */
  endLater(end: JobEnd): Promise<void>
  /** Back to the queue with a running job. */
  requeue(id: string): Promise<JobRecord | undefined>
  /** Back to the queue with a failed or cancelled job. */
  retry(id: string, payload: JobPayload): Promise<JobRecord | undefined>
  /** Back to the queue with everything that a dead process was running; answers all that is queued, oldest first. */
  recover(): Promise<JobRecord[]>
  /** Folders of uploads that a job may still need. */
  folders(flowId?: string): Promise<string[]>
  /** Lets go of old requests and jobs; answers the folders of uploads that nobody needs any more. */
  prune(retention: JobRetention): Promise<string[]>
}
