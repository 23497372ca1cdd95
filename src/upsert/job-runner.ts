import type { JobEnd, JobFailure, JobRecord, JobStage, JobStore } from '../contract/job.ts'
import type { UploadShelf } from '../contract/upload-shelf.ts'
import { asSluiceError } from '../kit/as-sluice-error.ts'
import type { Clock } from '../kit/clock.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import type { Log } from '../kit/log.ts'
import type { KeyedTurn, Turns } from '../kit/turns.ts'
import { ActiveJob } from './active-job.ts'
import type { JobEnvelope } from './job-envelope.ts'
import type { Performers } from './performer.ts'

/** The shortest time between two writes of the progress of a job, in milliseconds. */
const PROGRESS_WRITE_MS = 700

/** The jobs that are queued or running in this process. */
export type JobRunner = {
  /** By id, without jobs that have ended. */
  readonly active: ReadonlyMap<string, ActiveJob>
  /** Calls `listener` at every change of any job, also at its end. Returns what ends the calls. */
  watch(listener: (job: ActiveJob) => void): () => void
  /** Starts a queued job when its turn comes. Undefined if the runner is closed. */
  enqueue(record: JobRecord): ActiveJob | undefined
  /** Cancels a queued or running job. Resolves with its record, or undefined if it was removed with its flow. */
  cancel(job: ActiveJob): Promise<JobRecord | undefined>
  /** Stops the running jobs and puts them back into the queue for the next start. */
  close(): Promise<void>
}

export type JobRunnerOptions = {
  store: JobStore
  shelf: UploadShelf
  envelope: JobEnvelope
  performers: Performers
  log: Log
  clock: Clock
  turns: Turns
  /** Called when a job has failed or was cancelled. */
  onFailure(): void
}

type Outcome = { result: JsonObject } | { error: SluiceError }

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { store, shelf, envelope, performers, log, clock, turns, onFailure } = options
  const active = new Map<string, ActiveJob>()
  const unfinished = new Set<Promise<void>>()
  const watchers = new Set<(job: ActiveJob) => void>()
  let closed = false

  async function perform(job: ActiveJob, turn: KeyedTurn): Promise<void> {
    try {
      const begun = await store.begin(job.id, clock())
      if (!begun) return abandon(job, new SluiceError('cancelled'))
      job.enter(begun)
      const beganAt = performance.now()
      const outcome = await attempt(job, begun, turn)
      if (closed && 'error' in outcome && !job.isCancelled) await putBack(job)
      else await conclude(job, outcome, Math.round(performance.now() - beganAt))
    } catch (error) {
      // The store did not take the outcome: the next start continues from its last record.
      abandon(job, asSluiceError(error, log, { job: job.id }))
    }
  }

  /** Ends a job that was cancelled in the queue. A job that only this process stops stays in the queue. */
  async function endBeforeItBegan(job: ActiveJob): Promise<void> {
    if (!job.isCancelled) return abandon(job, new SluiceError('stopping'))
    await conclude(job, { error: new SluiceError('cancelled') }, 0).catch((error: unknown) =>
      abandon(job, asSluiceError(error, log, { job: job.id })),
    )
  }

  async function attempt(job: ActiveJob, { kind, folder }: JobRecord, turn: KeyedTurn): Promise<Outcome> {
    let noting: NodeJS.Timeout | undefined
    const note = () => {
      noting = undefined
      store.note(job.id, job.progress!).catch((error: unknown) => {
        log.warn('job-progress-not-kept', { id: job.id, reason: reasonOf(error) })
      })
    }
    try {
      const receipt = await store.receipt(job.id)
      if (receipt) {
        job.advance(receipt.progress)
        return { result: receipt.result }
      }
      const { request, files = [] } = envelope.open((await store.request(job.id)) ?? '')
      const uploads = folder === null ? undefined : await shelf.fetch(folder, files)
      job.stop.signal.throwIfAborted()
      const result = await performers[kind].run(request, {
        jobId: job.id,
        uploads,
        turn,
        signal: job.stop.signal,
        onFiles: (rows) => job.takeFiles(rows),
        onProgress(progress) {
          job.advance(progress)
          noting ??= setTimeout(note, PROGRESS_WRITE_MS).unref()
        },
      })
      return { result }
    } catch (error) {
      return {
        error: job.isCancelled ? new SluiceError('cancelled') : asSluiceError(error, log, { job: job.id }),
      }
    } finally {
      clearTimeout(noting)
    }
  }

  async function conclude(job: ActiveJob, outcome: Outcome, took: number): Promise<void> {
    const now = clock()
    const { folder } = job.record
    const done = 'result' in outcome
    const result = done ? { ...outcome.result, jobId: job.id, timeTaken: took } : null
    const error = done ? null : failureOf(outcome.error, job.progress?.stage)
    const state = done ? 'done' : job.isCancelled ? 'cancelled' : 'failed'
    const history = {
      id: randomId(),
      result: error ? { error: { code: error.code, message: error.message } } : countsOf(result!),
    }
    // If the disk is full, the uploads are removed first; the job cannot be retried then.
    const forget = error?.code === 'storage_full' && folder !== null && shelf.isLocal
    if (forget) await discard(folder)
    const end: JobEnd = {
      id: job.id,
      state,
      progress: job.progress ?? null,
      result,
      error,
      files: job.files,
      ...(job.record.kind === 'upsert' ? { history } : {}),
      ...(forget ? { forget } : {}),
      now,
    }
    const ended = await store.end(end).catch(async (reason: unknown) => {
      await store.endLater(end)
      throw reason
    })
    log.info('job-ended', { id: job.id, flow: job.record.flowId, state, code: error?.code, took })
    if (folder !== null && (done || !ended)) await discard(folder)
    if (!done) onFailure()
    if (!ended) return abandon(job, new SluiceError('cancelled'))
    active.delete(job.id)
    job.enter(ended)
  }

  const discard = (folder: string) =>
    shelf.discard(folder).catch((error: unknown) => {
      log.warn('uploads-not-discarded', { folder, reason: reasonOf(error) })
    })

  async function putBack(job: ActiveJob): Promise<void> {
    const queued = await store.requeue(job.id)
    if (queued) job.enter(queued)
    abandon(job, new SluiceError('stopping'))
  }

  function abandon(job: ActiveJob, error: SluiceError): void {
    active.delete(job.id)
    job.abandon(error)
  }

  return {
    active,
    enqueue(record) {
      if (closed) return undefined
      const job = new ActiveJob(record)
      active.set(job.id, job)
      const notify = () => {
        for (const listener of watchers) listener(job)
      }
      job.watch(notify)
      notify()
      const run = turns
        .run(record.namespace, (turn) => perform(job, turn), { slot: true, signal: job.stop.signal })
        .catch(() => endBeforeItBegan(job))
        .finally(() => unfinished.delete(run))
      unfinished.add(run)
      return job
    },
    watch(listener) {
      watchers.add(listener)
      return () => void watchers.delete(listener)
    },
    async cancel(job) {
      job.cancel()
      return job.end.catch((error: SluiceError) => {
        if (error.code === 'cancelled') return undefined
        throw error
      })
    },
    async close() {
      closed = true
      for (const job of active.values()) job.stop.abort(new SluiceError('stopping'))
      await Promise.all(unfinished)
    },
  }
}

function failureOf(error: SluiceError, stage: JobStage | undefined): JobFailure {
  const facts = stage === undefined ? error.facts : { stage, ...error.facts }
  return { code: error.code, message: error.message, facts }
}

/** The counters of a result, for the history: `numAdded`, `numSkipped` and so on, and how many chunks there are. */
const countsOf = (result: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(result).filter(([name]) => name.startsWith('num') || name === 'totalKeys'),
  )
