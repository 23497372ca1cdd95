import type {
  JobEnd,
  JobFailure,
  JobRecord,
  JobStage,
  JobStore,
  EndState,
  JobFile,
} from '../../contract/job.ts'
import type { ShelvedFile, UploadShelf } from '../../contract/upload-shelf.ts'
import { asSluiceError } from '../../kit/as-sluice-error.ts'
import type { Clock } from '../../kit/clock.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { JsonObject } from '../../kit/json.ts'
import { failureFacts } from '../../kit/failure-facts.ts'
import type { Log, LogFacts } from '../../kit/log.ts'
import type { KeyLease } from '../../kit/keyed-queue.ts'
import type { ActiveJob } from '../active/active-job.ts'
import { isAway } from './uploads-away.ts'
import type { JobEnvelope } from '../envelope.ts'
import type { Performers } from '../performer.ts'
import { storedSourceName } from '../../documents/conversation.ts'
import type { FileOutcomes } from '../../contract/failed-file-store.ts'
import { fenceOfJob } from '../job-fence.ts'

/** What a run of a job came to, and its milliseconds. `isUploadsAway`: it did not begin, since its uploads could not be read. */
export type JobOutcome = ({ result: JsonObject } | { error: SluiceError; isUploadsAway?: boolean }) & {
  took: number
}

/** The outcome of a job that was cancelled before it began. */
export const cancelledInQueue = (): JobOutcome => ({ error: new SluiceError('cancelled'), took: 0 })

/** Does the work of jobs, and stores how they ended. */
export type JobWork = {
  /** Runs a job that has begun. */
  attempt(job: ActiveJob, lease: KeyLease): Promise<JobOutcome>
  /**
   * Stores the end of a job. Resolves with its record; with undefined where the store does not know this run any more: the job was
   * removed with its flow, or another member runs it.
   */
  conclude(job: ActiveJob, outcome: JobOutcome): Promise<JobRecord | undefined>
}

export type JobWorkOptions = {
  store: JobStore
  shelf: UploadShelf
  envelope: JobEnvelope
  performers: Performers
  log: Log
  clock: Clock
  /** The flow of a job in a log line. */
  flowFactsOf(flowId: string): Promise<LogFacts>
  /** Called when a job has failed or was cancelled. */
  onFailure(): void
  /** The shortest time between two writes of the progress of a job, in milliseconds. */
  noteMs: number
}

/** What a runner of jobs gets: it sets the time between writes itself. */
export type RunnerOptions = Omit<JobWorkOptions, 'noteMs'>

export function createJobWork(options: JobWorkOptions): JobWork {
  const { store, shelf, envelope, performers, log, clock, flowFactsOf, onFailure, noteMs } = options

  /** @throws UploadsAwayError */
  async function fetchUploads(folder: string, files: readonly ShelvedFile[]) {
    try {
      return await shelf.fetch(folder, files)
    } catch (error) {
      if (!isAway(error)) throw error
      // A part of them would look like all of them.
      await shelf.dropCopies(folder)
      throw new UploadsAwayError(error as SluiceError)
    }
  }

  async function resultOf(job: ActiveJob, lease: KeyLease): Promise<JsonObject> {
    const { kind, folder, attempt } = job.record
    let noting: NodeJS.Timeout | undefined
    let isChanged = false
    let isOver = false
    const noteSoon = () => {
      isChanged = true
      noting ??= setTimeout(() => void note(), noteMs).unref()
    }
    /** One write at a time: of two, the later could arrive first. */
    const note = async () => {
      isChanged = false
      await store.note(job.id, job.progress!, job.record.changes).catch((error: unknown) => {
        log.warn('job-progress-not-kept', { job: job.id, reason: reasonOf(error) })
      })
      noting = undefined
      if (isChanged && !isOver) noteSoon()
    }
    try {
      const { request, files = [], traceparent } = envelope.open((await store.request(job.id)) ?? '')
      const { chatId } = request
      job.origin = {
        uploads: new Set(files.map(({ name }) => name)),
        chatId: typeof chatId === 'string' ? chatId : undefined,
      }
      const receipt = await store.receipt(job.id)
      if (receipt) {
        job.advance(receipt.progress)
        return receipt.result
      }
      const uploads = folder === null ? undefined : await fetchUploads(folder, files)
      job.signal.throwIfAborted()
      return await performers[kind].run(request, {
        jobId: job.id,
        attempt,
        uploads,
        traceparent,
        lease,
        signal: job.signal,
        onFiles: (rows) => job.takeFiles(rows),
        onProgress(progress) {
          job.advance(progress)
          noteSoon()
        },
      })
    } finally {
      isOver = true
      clearTimeout(noting)
    }
  }

  /** The request as a retry finds it; undefined where it stays as it is. One that cannot be decrypted stays. */
  async function requestAfter(job: ActiveJob): Promise<string | undefined> {
    const sealed = await store.request(job.id)
    try {
      return sealed === undefined ? undefined : envelope.withoutPasswords(sealed)
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'secret_unreadable') return undefined
      throw error
    }
  }

  const remove = (folder: string) =>
    shelf.remove(folder).catch((error: unknown) => {
      log.warn('uploads-not-discarded', { folder, reason: reasonOf(error) })
    })

  return {
    async attempt(job, lease) {
      const beganAt = performance.now()
      const outcome = await resultOf(job, lease).then(
        (result) => ({ result }),
        (thrown: unknown) => {
          const isUploadsAway = thrown instanceof UploadsAwayError
          const error = isUploadsAway ? thrown.failure : thrown
          return {
            error: job.isCancelled
              ? new SluiceError('cancelled')
              : asSluiceError(error, log, { job: job.id }),
            isUploadsAway,
          }
        },
      )
      return { ...outcome, took: Math.round(performance.now() - beganAt) }
    },

    async conclude(job, outcome) {
      const { folder, changes } = job.record
      const { took } = outcome
      const done = 'result' in outcome
      const result = done ? { ...outcome.result, jobId: job.id, timeTaken: took } : null
      const error = done ? null : failureOf(outcome.error, job.progress?.stage)
      const state = done ? 'done' : error!.code === 'cancelled' ? 'cancelled' : 'failed'
      const history = {
        id: randomId(),
        result: error ? { error: { code: error.code, message: error.message } } : countsOf(result!),
      }
      // If the disk is full, the uploads are removed first; the job cannot be retried then.
      const uploadsRemoved = error?.code === 'storage_full' && folder !== null && shelf.isLocal
      if (uploadsRemoved) await remove(folder)
      const request = done || uploadsRemoved ? undefined : await requestAfter(job)
      const end: JobEnd = {
        id: job.id,
        changes,
        state,
        progress: job.progress ?? null,
        result,
        error,
        files: job.files,
        outcomes: fileOutcomesOf(job, state, result),
        ...(job.record.kind === 'upsert' ? { history } : {}),
        ...(uploadsRemoved ? { uploadsRemoved } : {}),
        ...(request === undefined ? {} : { request }),
        now: clock(),
      }
      const ended = await store.end(end).catch(async (reason: unknown) => {
        await store.endLater(end)
        throw reason
      })
      if (ended)
        log.info('job-ended', {
          ...{ job: job.id, kind: job.record.kind, ...(await flowFactsOf(job.record.flowId)), state, took },
          ...('error' in outcome ? failureFacts(outcome.error) : {}),
        })
      if (folder !== null) {
        const isNeeded = ended ? !done : (await store.find(job.id)) !== undefined
        await (isNeeded ? shelf.dropCopies(folder) : remove(folder))
      }
      if (ended && !done) onFailure()
      return ended
    },
  }
}

/** The uploads of a job could not be read. */
class UploadsAwayError extends Error {
  readonly failure: SluiceError

  constructor(failure: SluiceError) {
    super(failure.message, { cause: failure })
    this.failure = failure
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

type EndedFile = Partial<Pick<JobFile, 'code' | 'message' | 'original'>> & { name: string; state: string }

/** A file in the result of an upsert, as far as it is read here. */
type FileOfResult = Omit<EndedFile, 'state'> & { status: string }

/**
 * What a job that has ended tells for the list of failed files. A failed job has stored nothing, so that none of its files
 * counts as loaded. Undefined for jobs that tell nothing: the cancelled ones, other work than upserts, and files of a
 * conversation, whose failures the conversation tells.
 */
export function fileOutcomesOf(
  { record, files, origin }: Pick<ActiveJob, 'record' | 'files' | 'origin'>,
  state: EndState,
  result: JsonObject | null,
): FileOutcomes | undefined {
  const rows: readonly EndedFile[] | undefined = files ?? filesOf(result)
  if (record.kind !== 'upsert' || state === 'cancelled' || !rows || !origin) return undefined
  if (origin.chatId !== undefined) return undefined
  const fence = fenceOfJob(record.id)
  const sourceOf = (name: string) => storedSourceName(name, fence === '' ? undefined : { fence })
  const outcomes: FileOutcomes = { namespace: record.namespace, fence, failed: [], loaded: [] }
  for (const { name, state: ended, code = null, message = '', original = null } of rows)
    if (ended === 'failed') {
      const uploaded = origin.uploads.has(name)
      outcomes.failed.push({ name, source: sourceOf(name), code, message, uploaded, original })
    } else if (state === 'done') outcomes.loaded.push(sourceOf(name))
  return outcomes
}

/** The files in the result of a job whose process ended between the publication and the end. */
const filesOf = (result: JsonObject | null): EndedFile[] | undefined =>
  Array.isArray(result?.files)
    ? (result.files as unknown as FileOfResult[]).map(({ status, ...file }) => ({ ...file, state: status }))
    : undefined
