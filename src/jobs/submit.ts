import type { IncomingHttpHeaders } from 'node:http'
import { newJobId } from './job-fence.ts'
import type { Idempotency, JobRecord, JobStore } from '../contract/job.ts'
import type { UploadShelf } from '../contract/upload-shelf.ts'
import type { Clock } from '../kit/clock.ts'
import { SluiceError } from '../kit/errors.ts'
import { sha256 } from '../kit/hash.ts'
import { canonicalJson, type Json, type JsonObject } from '../kit/json.ts'
import type { JobView } from './active/job-view.ts'
import type { JobEnvelope } from './envelope.ts'
import type { Jobs } from './jobs.ts'
import type { KnownJobs } from './known-jobs.ts'
import type { Performers } from './performer.ts'
import type { JobRunner } from './runners/runner.ts'
import { isOfFlow } from '../callers/job-owner.ts'

/** How long a repeated request with the same Idempotency-Key gets the first job, in milliseconds. */
const REPEATABLE = 24 * 3_600_000

export type SubmittingOptions = {
  store: JobStore
  shelf: UploadShelf
  envelope: JobEnvelope
  performers: Performers
  runner: JobRunner
  known: KnownJobs
  room: QueueRoom
  removeUploads(folder: string): Promise<void>
  traceparent: (() => string | undefined) | undefined
  clock: Clock
}

/** How jobs come into the queue: by a request, or again after they failed. */
export function submittingJobs(options: SubmittingOptions): Pick<Jobs, 'submit' | 'findRepeated' | 'retry'> {
  const { store, shelf, envelope, performers, runner, known, room, traceparent, clock } = options

  const findRepeated = (idempotency: Idempotency) => store.findRepeated(idempotency, clock() - REPEATABLE)

  function enqueue(record: JobRecord): JobView {
    runner.enqueue(record)
    return known.viewOf(record)
  }

  const notRetryable = ({ id, state }: JobRecord) => new SluiceError('job_not_retryable', { id, state })

  return {
    async submit({ request, uploads, fence, ...submission }) {
      const { idempotency } = submission
      const earlier = idempotency && (await findRepeated(idempotency))
      if (earlier) return { job: known.viewOf(earlier), repeated: true }
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
        return { job: repeated ? known.viewOf(job) : enqueue(job), repeated }
      } catch (error) {
        // The job may be stored, and needs its uploads. Those that no job has are removed hourly.
        mayHaveJob ||= error instanceof SluiceError && error.code === 'database_answer_lost'
        throw error
      } finally {
        leave()
        if (uploads && !mayHaveJob && !shelf.isLocal) await options.removeUploads(uploads.folder)
      }
    },

    async findRepeated(idempotency) {
      const record = await findRepeated(idempotency)
      return record && known.viewOf(record)
    },

    async retry(id, passwords) {
      const record = await known.findRecord(id)
      room.check(record.owner)
      if (record.state !== 'failed' && record.state !== 'cancelled') throw notRetryable(known.viewOf(record))
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
      if (!queued) throw notRetryable(await known.findRecord(id))
      return enqueue(queued)
    },
  }
}

/** The longest accepted key, in characters. */
const MAX_KEY_LENGTH = 255

/** The `Idempotency-Key` of a request. @throws SluiceError `idempotency_key_invalid` */
export function idempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && (key === '' || key.length > MAX_KEY_LENGTH))
    throw new SluiceError('idempotency_key_invalid')
  return key
}

/**
 * What makes a request a repetition of an earlier one: the same key, flow and caller, and the same content. Both values
 * are hashes. Undefined for a request without a key.
 *
 * @throws SluiceError `idempotency_key_invalid`
 */
export async function idempotencyOf(
  { headers, query }: { headers: IncomingHttpHeaders; query: unknown },
  sent: { flowId: string; caller(): Promise<string>; content: Json },
): Promise<Idempotency | undefined> {
  const key = idempotencyKey(headers)
  if (key === undefined) return undefined
  return {
    scope: sha256(canonicalJson([key, sent.flowId, await sent.caller()])),
    fingerprint: sha256(canonicalJson([query as JsonObject, sent.content])),
  }
}

/** After how many seconds a client may try a full queue again. */
const RETRY_AFTER = 30

type QueueRoomOptions = {
  /** The queued and running jobs, by what this member knows. */
  active: ReadonlyMap<string, { readonly record: Pick<JobRecord, 'state' | 'owner'> }>
  /** How many jobs may be queued or running. */
  limit: number
  /** How many jobs of one owner may wait. */
  ownerLimit: number
  /** The reason why no job is accepted while the disk is full; undefined otherwise. */
  shortage?: (() => SluiceError | undefined) | undefined
}

/** Whether one more job may be queued. */
type QueueRoom = {
  /** @throws SluiceError `queue_full`, `queue_share_full`, `storage_full` */
  check(owner: string): void
  /**
   * The same, and keeps the place while the job is stored: several requests at once do not pass the limits together. Returns what gives
   * the place back.
   */
  enter(owner: string): () => void
}

export function queueRoom({ active, limit, ownerLimit, shortage }: QueueRoomOptions): QueueRoom {
  /** The owners of jobs that are being stored. */
  const arriving: string[] = []

  function check(owner: string): void {
    const full = shortage?.()
    if (full) throw full
    if (active.size + arriving.length >= limit)
      throw new SluiceError('queue_full', { limit, retryAfter: RETRY_AFTER })
    let waiting = arriving.filter((one) => one === owner).length
    for (const { record } of active.values())
      if (record.state === 'queued' && record.owner === owner) waiting++
    if (waiting >= ownerLimit)
      throw new SluiceError('queue_share_full', {
        limit: ownerLimit,
        whose: isOfFlow(owner) ? 'this flow, without a key,' : 'this key',
        retryAfter: RETRY_AFTER,
      })
  }

  return {
    check,
    enter(owner) {
      check(owner)
      arriving.push(owner)
      return () => void arriving.splice(arriving.indexOf(owner), 1)
    },
  }
}
