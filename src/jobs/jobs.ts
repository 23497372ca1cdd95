import {
  hasEnded,
  type Idempotency,
  type JobFile,
  type JobFilePage,
  type JobKind,
  type JobPage,
  type JobRecord,
  type JobStore,
} from '../contract/job.ts'
import { type Alone, onlyNode } from '../contract/alone.ts'
import type { FilePasswords } from '../contract/file-passwords.ts'
import type { FateShelf } from '../contract/dry-run.ts'
import { newJobId } from '../contract/fence.ts'
import type { ShelvedFile, UploadShelf } from '../contract/upload-shelf.ts'
import type { Clock } from '../kit/clock.ts'
import { SluiceError } from '../kit/errors.ts'
import { flowFacts } from '../kit/flow-facts.ts'
import type { JsonObject } from '../kit/json.ts'
import type { Log } from '../kit/log.ts'
import type { SecretBox } from '../kit/secret-box.ts'
import type { Turns } from '../kit/turns.ts'
import { type ActiveJob, type JobView, stillView } from './active/active-job.ts'
import { follow } from './active/follow.ts'
import { followAll } from './active/follow-all.ts'
import { jobEnvelope } from './envelope.ts'
import { createJobTidying } from './tidying.ts'
import { createLocalJobRunner } from './runners/local-runner.ts'
import type { JobRunner } from './runners/runner.ts'
import type { RunnerOptions } from './runners/work.ts'
import { pageOfFiles } from './page-of-files.ts'
import type { Performers, Prepared } from './performer.ts'
import { queueRoom } from './queue-room.ts'

/** How long a repeated request with the same Idempotency-Key gets the first job, in milliseconds. */
const REPEATABLE = 24 * 3_600_000

/** How many ended jobs a stream of changes begins with. */
const MOST_ENDED = 1000

/** How many jobs a process runs at the same time, each in a namespace of its own. */
export const JOBS_AT_ONCE = 4

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
   * How many jobs are queued, on a database of several nodes those of all of them; how many run on this node; and when the oldest
   * queued one was made (milliseconds since 1970). `readAt` is when they were read from a database of several nodes.
   */
  load(): {
    queued: number
    running: number
    oldestQueuedAt: number | undefined
    readAt: number | undefined
  }
  /** Whether a job of a namespace is queued or runs, by what this node knows. */
  isBusy(namespace: string): boolean
  /**
   * Checks that one more job of an owner may be queued, by what this node knows.
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

export type JobsOptions = {
  store: JobStore
  shelf: UploadShelf
  /** Runs the jobs where several servers share them; without it this process runs all. */
  createRunner?: ((work: RunnerOptions) => JobRunner) | undefined
  /** Has the hourly work on a shelf of several servers done by one of them. */
  alone?: Alone
  box: SecretBox
  performers: Performers
  /** The lists of dry runs, which are removed after a day. */
  fates?: Pick<FateShelf, 'prune'>
  log: Log
  /** Finds the flow of a job, for log lines. */
  findFlow?: (id: string) => Promise<{ id: string; slug?: string } | undefined>
  /** How many bytes the uploads of failed jobs may take until they are retried. */
  uploadBytes: number
  /** The reason why no job is accepted while the disk is full; undefined otherwise. */
  shortage?: () => SluiceError | undefined
  /** How many jobs may be queued or running. */
  queueLimit?: number
  /** How many jobs of one owner may wait; a quarter of `queueLimit` unless given. */
  ownerLimit?: number | undefined
  clock?: Clock
  /** The turns of namespaces; its slots are how many jobs run at the same time. */
  turns: Turns
  /** The `traceparent` of the running request. */
  traceparent?: () => string | undefined
}

/**
 * Jobs run independently of the connection of their request. Jobs that are queued or running when the process ends, also
 * by a crash, continue at the next start.
 */
export function createJobs(options: JobsOptions): Jobs {
  const { store, shelf, alone = onlyNode, box, performers, fates, log, uploadBytes } = options
  const { shortage, queueLimit = 1000, clock = Date.now, turns, traceparent } = options
  const { ownerLimit = Math.ceil(queueLimit / 4) } = options
  const envelope = jobEnvelope(box)
  const tidying = createJobTidying({ store, shelf, fates, uploadBytes, alone, log, clock })
  const onFailure = () => void tidying.tidy()
  const flowFactsOf = async (id: string) =>
    flowFacts((await options.findFlow?.(id).catch(() => undefined)) ?? { id })
  const work = { store, shelf, envelope, performers, log, clock, flowFactsOf, onFailure }
  const runner = options.createRunner?.(work) ?? createLocalJobRunner({ ...work, turns })

  /** The newer of the record and what is known of the running job. */
  function viewOf(record: JobRecord): JobView {
    const job = runner.active.get(record.id)
    if (!job || job.record.turn < record.turn) return stillView(record)
    if (record.progress) job.noteStored(record.progress, record.turn)
    return job.view()
  }

  const room = queueRoom({ active: runner.active, limit: queueLimit, ownerLimit, shortage })

  const findRepeated = (idempotency: Idempotency) => store.findRepeated(idempotency, clock() - REPEATABLE)

  async function findRecord(id: string): Promise<JobRecord> {
    const record = await store.find(id)
    if (!record) throw new SluiceError('job_not_found', { id })
    return record
  }

  const refusal = (code: 'job_ended' | 'job_not_retryable', { id, state }: JobRecord) =>
    new SluiceError(code, { id, state })

  /** A queued or running job; undefined where it has ended, or is not there. */
  async function openJob(id: string): Promise<ActiveJob | undefined> {
    const record = await store.find(id)
    const job = record && !hasEnded(record.state) ? runner.find(record) : undefined
    if (record?.progress) job?.noteStored(record.progress, record.turn)
    return job
  }

  function enqueue(record: JobRecord): JobView {
    runner.enqueue(record)
    return viewOf(record)
  }

  return {
    checkRoom: room.check,

    checkShelf: () => shelf.check(),

    load() {
      const queued = [...runner.active.values()].filter(({ record }) => record.state === 'queued')
      const oldest = Math.min(...queued.map(({ record }) => record.createdAt))
      return {
        queued: queued.length,
        running: runner.running,
        oldestQueuedAt: queued.length === 0 ? undefined : oldest,
        readAt: runner.readAt,
      }
    },

    isBusy: (namespace) => [...runner.active.values()].some(({ record }) => record.namespace === namespace),

    async submit({ request, uploads, fence, ...submission }) {
      const { idempotency } = submission
      const earlier = idempotency && (await findRepeated(idempotency))
      if (earlier) return { job: viewOf(earlier), repeated: true }
      const leave = room.enter(submission.owner)
      const bytes = uploads?.files.reduce((sum, { size }) => sum + size, 0)
      let mayHaveJob = false
      try {
        if (uploads) {
          await shelf.check()
          await shelf.keep(uploads.folder, uploads.files)
        }
        const now = clock()
        const { job, repeated } = await store.insert(
          {
            ...submission,
            id: newJobId(fence),
            request: envelope.seal({ request, files: uploads?.files, traceparent: traceparent?.() }),
            uploads: uploads && { folder: uploads.folder, bytes: bytes! },
            now,
          },
          now - REPEATABLE,
        )
        mayHaveJob = !repeated
        return { job: repeated ? viewOf(job) : enqueue(job), repeated }
      } catch (error) {
        // The job may be stored, and needs its uploads. Those that no job has are removed hourly.
        mayHaveJob ||= error instanceof SluiceError && error.code === 'database_answer_lost'
        throw error
      } finally {
        leave()
        if (uploads && !mayHaveJob && !shelf.isLocal) await tidying.discardQuietly(uploads.folder)
      }
    },

    async findRepeated(idempotency) {
      const record = await findRepeated(idempotency)
      return record && viewOf(record)
    },

    async find(id) {
      const record = await store.find(id)
      return record && viewOf(record)
    },

    async list(page) {
      const { rows, total } = await store.list(page)
      return { rows: rows.map(viewOf), total }
    },

    async result(id) {
      const record = (await (await openJob(id))?.end) ?? (await findRecord(id))
      if (record.error) throw new SluiceError(record.error.code, record.error.facts)
      if (!record.result) throw new SluiceError('stopping')
      return record.result
    },

    async *events(id, { seen, signal }) {
      const job = await openJob(id)
      if (job) return yield* follow(job, { seen, signal })
      const record = await store.find(id)
      if (record && stillView(record).version !== seen) yield stillView(record)
    },

    async files(id, page) {
      const live = runner.active.get(id)?.shownFiles
      if (live) return pageOfFiles(live, page)
      await findRecord(id)
      return store.files(id, page)
    },

    async *changes({ since, untilIdle = false, signal }) {
      await runner.current()
      const first = async () =>
        since === undefined ? [] : (await store.endedSince(since, MOST_ENDED)).map(stillView)
      yield* followAll(runner, { first, untilIdle, signal })
    },

    async cancel(id) {
      const job = await openJob(id)
      const record = job ? await runner.cancel(job) : await findRecord(id)
      if (!record) throw new SluiceError('job_not_found', { id })
      if (!job && !hasEnded(record.state)) throw new SluiceError('stopping')
      if (!job || record.state !== 'cancelled') throw refusal('job_ended', record)
      return stillView(record)
    },

    async cancelMatching(flowId, matches) {
      await runner.current()
      const ofFlow = [...runner.active.values()].filter((job) => job.record.flowId === flowId)
      for (const job of ofFlow) {
        const sealed = await store.request(job.id)
        if (sealed !== undefined && matches(envelope.open(sealed).request)) await runner.cancel(job)
      }
    },

    async retry(id, passwords) {
      const record = await findRecord(id)
      room.check(record.owner)
      if (record.state !== 'failed' && record.state !== 'cancelled')
        throw refusal('job_not_retryable', viewOf(record))
      const sealed = await store.request(id)
      if (sealed === undefined) throw new SluiceError('job_expired', { id })
      const { request, files } = envelope.open(sealed)
      const renewed = await performers[record.kind].renew(
        record.flowId,
        passwords ? { ...request, passwords } : request,
      )
      const payload = {
        ...renewed,
        request: envelope.seal({ request: renewed.request, files, traceparent: traceparent?.() }),
      }
      const queued = await store.retry(id, payload)
      if (!queued) throw refusal('job_not_retryable', await findRecord(id))
      return enqueue(queued)
    },

    async drop(flowId, remove) {
      const folders = await store.folders(flowId)
      await remove()
      await runner.current()
      const mine = [...runner.active.values()].filter((job) => job.record.flowId === flowId)
      await Promise.all(mine.map((job) => runner.cancel(job)))
      for (const folder of folders) await tidying.discardQuietly(folder)
    },

    async resume() {
      await runner.start()
      if (shelf.isLocal) await tidying.discardOrphans()
      await tidying.tidy()
    },

    async close() {
      tidying.close()
      await runner.close()
    },
  }
}
