import type { JobAnswer } from '../../src/api/job.ts'
import type { JobFailuresAnswer, JobFileAnswer } from '../../src/api/job-file.ts'
import type { FatedChunkAnswer, FatedSourceAnswer } from '../../src/api/fate.ts'
import { call, report, ServerFailure } from './call.ts'

export type Job = JobAnswer
export type JobFile = JobFileAnswer
export type FatedSource = FatedSourceAnswer
export type FatedChunk = FatedChunkAnswer
export type Fate = FatedChunk['fate']

export const JOB_STATES = [
  'queued',
  'running',
  'done',
  'failed',
  'cancelled',
] as const satisfies Job['state'][]
export const JOB_KINDS = [
  'upsert',
  'dryRun',
  'reindex',
  'verify',
  'repair',
  'eval',
  'compare',
] as const satisfies Job['kind'][]
export const FATES = [
  'added',
  'updated',
  'moved',
  'skipped',
  'deleted',
  'unchanged',
] as const satisfies Fate[]
export const FILE_STATES_ENDED = [
  'indexed',
  'unchanged',
  'empty',
  'failed',
] as const satisfies JobFile['state'][]
export const FILE_STATES_RUNNING = [
  'waiting',
  'reading',
  ...FILE_STATES_ENDED,
] as const satisfies JobFile['state'][]

type Page<Row> = { data: Row[]; total: number }
/** `page` from 1. */
type PageRequest = { page: number; limit: number }

const one = (id: string) => `/api/v1/jobs/${encodeURIComponent(id)}`

export const hasEnded = ({ state }: Job): boolean => state !== 'queued' && state !== 'running'

/** The newest upsert of a flow; undefined where there was none. */
export async function latestUpsert(flowId: string): Promise<Job | undefined> {
  const { data } = await listJobs({ flowId, kind: 'upsert', page: 1, limit: 1 })
  return data[0]
}

/** Newest first; `flowId` is the id or the slug of a flow. Results have only the counts. */
export const listJobs = (
  query: {
    flowId?: string | undefined
    state?: Job['state'] | undefined
    kind?: Job['kind'] | undefined
  } & PageRequest,
): Promise<Page<Job>> => call('/api/v1/jobs', { query })

/** The files of a job, also while it runs. @param query `file`: a part of the name */
export const listJobFiles = (
  id: string,
  query: { state?: JobFile['state'] | undefined; file?: string | undefined } & PageRequest,
): Promise<Page<JobFile>> => call(`${one(id)}/files`, { query })

export type FailedReason = JobFailuresAnswer['reasons'][number]

/** The failed files of a job by their reasons. */
export const listFailures = (id: string): Promise<JobFailuresAnswer> => call(`${one(id)}/failures`)

/** The sources of a dry run with the fates of their chunks. */
export const listFatedSources = (
  id: string,
  query: PageRequest & { largestFirst?: boolean },
): Promise<Page<FatedSource>> => call(`${one(id)}/sources`, { query })

/** The chunks of a dry run. */
export const listFatedChunks = (
  id: string,
  query: { source?: string | undefined; fate?: Fate | undefined } & PageRequest,
): Promise<Page<FatedChunk>> => call(`${one(id)}/chunks`, { query })

export const getJob = (id: string): Promise<Job> => call(one(id))
export const cancelJob = (id: string): Promise<Job> => call(`${one(id)}/cancel`, { method: 'POST' })
/** @param password opens files of the job that are protected by one */
export const retryJob = (id: string, password?: string): Promise<Job> =>
  call(`${one(id)}/retry`, { method: 'POST', ...(password === undefined ? {} : { body: { password } }) })

/** How long to wait before a stream is opened again after a refusal, in milliseconds. */
const REOPEN_MS = 2000

/**
 * Calls `onJob` with the job whenever it changes, until it has ended. A lost connection is opened again, also after the
 * server was started again. Gives a function that ends it.
 */
export function followJob(id: string, onJob: (job: Job) => void): () => void {
  let events: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let left = false
  const again = () => {
    if (!left) timer = setTimeout(connect, REOPEN_MS)
  }
  const show = (job: Job) => {
    if (!left) onJob(job)
  }
  function connect(): void {
    const stream = new EventSource(`${one(id)}/events`)
    events = stream
    stream.addEventListener('job', (event) => {
      report('answer')
      const job = JSON.parse((event as MessageEvent<string>).data) as Job
      show(job)
      if (hasEnded(job)) stream.close()
    })
    stream.addEventListener('error', () => {
      // The browser connects again by itself.
      if (stream.readyState !== EventSource.CLOSED) return report('no-answer')
      // A status other than 200: the session has ended, or the server stops. A plain request finds out which.
      void getJob(id).then(
        (job) => {
          show(job)
          if (!hasEnded(job)) again()
        },
        (error: unknown) => {
          if (!(error instanceof ServerFailure && error.status === 404)) again()
        },
      )
    })
  }
  connect()
  return () => {
    left = true
    clearTimeout(timer)
    events?.close()
  }
}

/**
 * Calls `onJob` with each job of the server that changes, and `onOpen` whenever the stream begins: what was read before may have
 * changed meanwhile, and jobs that have ended are not told anew. The browser connects again by itself when the connection is lost. Gives a function that ends it.
 */
export function followJobs({ onJob, onOpen }: { onJob(job: Job): void; onOpen(): void }): () => void {
  let events: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    events = new EventSource('/api/v1/jobs/events')
    events.addEventListener('open', () => {
      report('answer')
      onOpen()
    })
    events.addEventListener('job', (event) => onJob(JSON.parse((event as MessageEvent<string>).data) as Job))
    events.addEventListener('error', () => {
      if (events.readyState !== EventSource.CLOSED) return report('no-answer')
      // A status other than 200: the session may have ended, or the server is stopping. A plain request finds out which.
      void listJobs({ page: 1, limit: 1 }).catch(() => undefined)
      timer = setTimeout(open, REOPEN_MS)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    events.close()
  }
}
