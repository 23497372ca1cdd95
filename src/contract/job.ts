import type { ErrorCode, ErrorFacts } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { ServerWait } from '../kit/patience.ts'
import type { DroppedCount } from './dropped-rows.ts'
import { COMPARISON_STEPS } from './engine-comparison.ts'
import type { FileOutcomes } from './failed-file-store.ts'
import type { RunLine } from './run-line.ts'

/**
 * A `dryRun` is an upsert that embeds and stores nothing. A `repair` mends the points of a separate engine, and a `verify` only compares
 * them. An `eval` asks a flow its own questions, a `compare` asks variants of it.
 */
export const JOB_KINDS = ['upsert', 'reindex', 'dryRun', 'verify', 'repair', 'eval', 'compare'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** `queued` and `running` jobs continue after a restart; `failed` and `cancelled` jobs can be retried. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]
export type EndState = Exclude<JobState, 'queued' | 'running'>

/** What a queued job may wait for besides its turn: the bucket with its files. */
export const WAITS_FOR = ['upload store'] as const
export type WaitsFor = (typeof WAITS_FOR)[number]

/** The stages of a job, in order; three are those of a comparison, `ask` of an eval and of the variants of a flow. Work of earlier stages may still be finishing. */
export const JOB_STAGES = ['parse', 'embed', 'publish', ...COMPARISON_STEPS, 'ask'] as const
export type JobStage = (typeof JOB_STAGES)[number]

/** What a node does in an upsert, in the order of the work. */
export const NODE_STEPS = ['read', 'split', 'compare', 'embed', 'store'] as const
export type NodeStep = (typeof NODE_STEPS)[number]

/** What passed a node of the flow in a job. The counts only grow. */
export type NodeProgress = {
  /** The id of the node in the flow file. */
  id: string
  step: NodeStep
  files: number
  documents: number
  chunks: number
  /** Texts that were embedded, and texts or chunks that the store had already. */
  embedded: number
  reused: number
  errors: number
  /** Milliseconds of work; files that are read at the same time add up. */
  ms: number
  /** When it began to work and last worked, in ms since 1970; absent before, and in progress that an earlier version stored. */
  first?: number
  last?: number
}

/** What an upsert did with a file; `waiting` and `reading` only while the job runs, or where it ended early. */
export const FILE_STATES = ['waiting', 'reading', 'indexed', 'unchanged', 'empty', 'failed'] as const
export type FileState = (typeof FILE_STATES)[number]

/** One file, page or table of a job. */
export type JobFile = {
  name: string
  state: FileState
  chunks: number
  /** The fates of its chunks; 0 until all files are read. */
  added: number
  updated: number
  skipped: number
  deleted: number
  /** Chunks of earlier versions of its source that stay; absent where there are none. */
  outdated?: number
  /** How much of each kind was left out of its text; absent where that is nothing or not known. */
  dropped?: DroppedCount[]
  /** The first reasons of warnings about it. */
  warnings: string[]
  /** Milliseconds from its beginning to its end; null before its end. */
  ms: number | null
  code?: string
  message?: string
  /** A failed upload that is kept on the shelf of originals; not for clients. */
  original?: { id: string; bytes: number }
}

/** Which files of a job are listed: those in a state, those with a text in their name. */
export type JobFilePage = {
  state?: FileState | undefined
  search?: string | undefined
  offset: number
  limit: number
}

/** The progress of a job. The counts only grow, within one attempt. */
export type JobProgress = {
  stage: JobStage
  /** `known`: whether `total` is final. `bytes`: of the uploads. */
  files: {
    total: number
    done: number
    failed: number
    /** Files without text; absent in progress that an earlier version stored. */
    empty?: number
    known: boolean
    bytes?: { total: number; done: number }
  }
  /** `due`: how many of the `seen` chunks have to be written. */
  chunks: { seen: number; embedded: number; written: number; due: number }
  /**
   * Of a job that compares points with chunks: how many there are about, how many of them were found to differ, and how often they are
   * all read. `chunks.seen` is how many were read, each time they are.
   */
  points?: { total: number; found: number; passes: number }
  /** Of a job that asks questions: how many there are, and how many were asked. */
  questions?: { total: number; done: number }
  /** Present once the job has waited for a server outside. `count`: how often this has changed. `now`: what it waits for. */
  waits?: { count: number; now?: ServerWait }
  /** The nodes that take part. Absent for a job that has no figures by node. */
  nodes?: NodeProgress[]
  /** What passed the lines between them, for the record of the run. Absent as `nodes` is. */
  lines?: RunLine[]
}

/** The failure of a job, with all that a `SluiceError` is made from. */
export type JobFailure = { code: ErrorCode; message: string; facts: ErrorFacts }

/** A stored job, without secrets. */
export type JobRecord = {
  /** Random, so that it cannot be guessed. */
  id: string
  flowId: string
  kind: JobKind
  state: JobState
  /** How often the state has changed: of two views of a job the one with the larger number is newer. */
  changes: number
  /** The number of the present attempt, from 1: another one begins anew where a job is retried, or its process is gone. */
  attempt: number
  /** Jobs of one namespace run in sequence. */
  namespace: string
  /** See `jobOwner`. */
  owner: string
  /** The folder of its uploads in the upload shelf. */
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
  /** The encrypted request: it may hold secrets. */
  request: string
  /** The nodes of the flow for the upsert history, without secrets. */
  description: Json[]
}

/** The result of a job, stored in the transaction of its publication: after a crash the job is known to be done. */
export type Receipt = { job: string; result: JsonObject; progress: JobProgress }

/** Identifies a repeated request: `scope` is of key, flow and caller, `fingerprint` of all that was sent. */
export type Idempotency = { scope: string; fingerprint: string }

export type NewJob = JobPayload & {
  id: string
  flowId: string
  kind: JobKind
  /** See `jobOwner`; that of its flow unless given. */
  owner?: string | undefined
  idempotency?: Idempotency | undefined
  /** The folder of its uploads, and their size in bytes. */
  uploads?: { folder: string; bytes: number } | undefined
  now: number
}

export type JobEnd = {
  id: string
  /** The `changes` of the job when this attempt began: a later attempt is not ended. Absent where there can be no other. */
  changes?: number | undefined
  state: EndState
  progress: JobProgress | null
  result: JsonObject | null
  error: JobFailure | null
  /** Its files; absent for a job without files. */
  files?: readonly JobFile[] | undefined
  /** What it tells of its files, for the list of failed files. */
  outcomes?: FileOutcomes | undefined
  /** Its row of the history. A job that never ran has none. */
  history?: { id: string; result: JsonObject }
  /** Its uploads are removed: it cannot be retried. */
  uploadsRemoved?: true
  /** Its encrypted request without what ends with the run; absent where nothing does. */
  request?: string | undefined
  now: number
}

/** What is kept of ended jobs. Times are in milliseconds since 1970; jobs that ended before are removed. */
export type JobRetention = {
  requestsSince: number
  uploadBytes: number
  jobsSince: number
  /** Limits: the number of jobs, the bytes of their results, the rows of the history. The newest are kept. */
  jobs: number
  resultBytes: number
  historyRows: number
}

export type JobPage = {
  flowId?: string | undefined
  state?: JobState | undefined
  kind?: JobKind | undefined
  offset: number
  limit: number
}

/** The stored jobs of all flows. A change that does not fit the state of the job changes nothing and resolves with undefined. */
export type JobStore = {
  /**
   * Stores a new job, or resolves with the job that an equal request has made since `repeatableSince`.
   *
   * @throws SluiceError `flow_not_found`, `idempotency_mismatch`
   */
  insert(job: NewJob, repeatableSince: number): Promise<{ job: JobRecord; repeated: boolean }>
  /** @throws SluiceError `idempotency_mismatch` */
  findRepeated(idempotency: Idempotency, since: number): Promise<JobRecord | undefined>
  find(id: string): Promise<JobRecord | undefined>
  /** Newest first; results have their counters only. */
  list(page: JobPage): Promise<{ rows: JobRecord[]; total: number }>
  /** The files of a job that has ended, in the order of the job. */
  files(id: string, page: JobFilePage): Promise<{ rows: JobFile[]; total: number }>
  /** The jobs that have ended since a time in milliseconds since 1970, the latest end last; results have their counters only. */
  endedSince(since: number, limit: number): Promise<JobRecord[]>
  /** The encrypted request; undefined once it is removed. */
  request(id: string): Promise<string | undefined>
  /** The result of a job whose process ended between the publication and `end`. */
  receipt(id: string): Promise<Receipt | undefined>
  begin(id: string, now: number): Promise<JobRecord | undefined>
  /** Stores the progress of a running job. @param changes as in {@link JobEnd} */
  note(id: string, progress: JobProgress, changes?: number): Promise<void>
  end(end: JobEnd): Promise<JobRecord | undefined>
  /** Stores the same as soon as the disk has room. */
  endLater(end: JobEnd): Promise<void>
  /** Puts a running job back into the queue. @param changes as in {@link JobEnd} */
  requeue(id: string, changes?: number): Promise<JobRecord | undefined>
  /** Puts a failed or cancelled job back into the queue. */
  retry(id: string, payload: JobPayload): Promise<JobRecord | undefined>
  /** Puts all jobs that a process which is gone was running back into the queue. Resolves with all queued jobs, oldest first. */
  recover(): Promise<JobRecord[]>
  /** Folders of uploads that a job may still need. */
  folders(flowId?: string): Promise<string[]>
  /** Removes old requests and jobs. Resolves with the folders of uploads that no job needs. */
  sweep(retention: JobRetention): Promise<string[]>
}
