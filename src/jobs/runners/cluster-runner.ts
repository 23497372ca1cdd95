import { hasEnded } from '../has-ended.ts'
import type { JobRecord, JobStore } from '../../contract/job.ts'
import { type ClaimedJob, JOB_CHANGED, JOB_WAITS } from '../../contract/job-queue.ts'
import type { Cluster } from '../../contract/cluster.ts'
import type { Lease } from '../../contract/leases.ts'
import { asSluiceError } from '../../kit/as-sluice-error.ts'
import { coalesced } from '../../kit/coalesced.ts'
import { type ErrorCode, reasonOf, SluiceError } from '../../kit/errors.ts'
import type { ActiveJob } from '../active/active-job.ts'
import { ActiveJobs, endOfCancelled, showWaiting } from '../active/active-jobs.ts'
import { type JobRunner, SPARE_PLACES } from './runner.ts'
import { MOST_CHANGES, watchUploads } from './uploads-away.ts'
import { cancelledInQueue, createJobWork, type JobOutcome, type RunnerOptions } from './work.ts'

/** A run that ends so may succeed when it is repeated: the database was away, or another member has the namespace. */
const INTERRUPTIONS: readonly ErrorCode[] = [
  'database_unreachable',
  'database_read_only',
  'database_busy',
  'database_answer_lost',
  'turn_lost',
]

/** The shortest time between two writes of the progress of a job: those who follow it on other members wait for it. */
const NOTE_MS = 250

/** How long the files of a job are not stored again, in milliseconds for each of them: their list is stored as a whole. */
const FILES_WRITE_MS = 1

export type ClusterJobRunnerOptions = RunnerOptions & {
  cluster: Cluster
  /** How many jobs run on this member at the same time. */
  slots: number
}

/**
 * Runs jobs of a database that several members share. Each member knows all queued and running jobs: it reads them again at each ring of
 * the doorbell, and once a second.
 */
export function createClusterJobRunner({ cluster, slots, ...options }: ClusterJobRunnerOptions): JobRunner {
  const { store, shelf, log, clock } = options
  const { queue, doorbell } = cluster
  const work = createJobWork({ ...options, noteMs: NOTE_MS, store: { ...store, note } })
  const active = new ActiveJobs({ showsStored: true })
  /** The runs on this member, by job. */
  const running = new Map<string, Promise<void>>()
  /** Leases that are kept for the sweep after a run. */
  const releasing = new Set<Promise<void>>()
  /** Jobs that ended here since the last reading of the open jobs began. */
  const endedHere = new Set<string>()
  const filesNoted = new WeakMap<object, number>()
  const deaf: (() => void)[] = []
  let closed = false
  let readAt = 0

  const read = coalesced(async () => {
    endedHere.clear()
    const askedAt = clock()
    const rows = await queue.open()
    readAt = askedAt
    const open = new Set<string>()
    for (const { job: record, isCancelled } of rows) {
      open.add(record.id)
      if (closed || endedHere.has(record.id)) continue
      const job = active.take(record)
      if (running.has(record.id)) {
        if (isCancelled && !job.isCancelled) job.cancel()
        continue
      }
      job.follow(record)
      if (isCancelled && record.state === 'queued') await conclude(job, cancelledInQueue())
    }
    for (const job of [...active.values()])
      if (!open.has(job.id) && active.get(job.id) === job) await settle(job)
    showWaiting(active, uploads)
  })

  const claim = coalesced(async () => {
    while (!closed && running.size < slots + SPARE_PLACES) {
      const idleOnly = running.size >= slots
      const claimed = await queue.claim(clock(), { idleOnly, folders: await uploads.usable() })
      if (!claimed) return
      begin(claimed)
    }
  })

  /** The next ring or poll does what fails. */
  const quietly = (task: () => Promise<void>) => () =>
    void task().catch((error: unknown) => {
      if (!closed) log.warn('jobs-not-read', { reason: reasonOf(error) })
    })
  const readSoon = quietly(read)
  const claimSoon = quietly(claim)
  const uploads = watchUploads(options, () => {
    showWaiting(active, uploads)
    claimSoon()
  })

  /** A job that is not open any more: it has ended on another member, or was removed with its flow. */
  async function settle(job: ActiveJob): Promise<void> {
    const record = await store.find(job.id)
    if (record && !hasEnded(record.state)) return
    if (running.has(job.id)) {
      // The run has no row any more. Its member stores nothing, since the end names the run.
      job.cancel()
      return
    }
    const { folder } = job.record
    if (folder !== null)
      await shelf.dropCopies(folder).catch((error: unknown) => {
        log.warn('uploads-not-discarded', { folder, reason: reasonOf(error) })
      })
    if (record) active.end(job, record)
    else active.abandon(job, new SluiceError('cancelled'))
  }

  function begin({ job: record, lease }: ClaimedJob): void {
    const job = active.take(record)
    job.enter(record)
    const run: Promise<void> = perform(job, lease).finally(() => {
      if (running.get(job.id) === run) running.delete(job.id)
      doorbell.ring(JOB_CHANGED)
      claimSoon()
    })
    running.set(job.id, run)
  }

  async function perform(job: ActiveJob, lease: Lease): Promise<void> {
    const kept: Promise<unknown>[] = []
    const lose = () => job.interrupt(lease.lost.reason as SluiceError)
    if (lease.lost.aborted) lose()
    else lease.lost.addEventListener('abort', lose)
    if (closed) job.interrupt(new SluiceError('stopping'))
    doorbell.ring(JOB_CHANGED)
    try {
      const outcome = await work.attempt(job, {
        key: lease.namespace,
        keepUntil: (rest) => void kept.push(rest),
      })
      if ('error' in outcome && outcome.isUploadsAway) uploads.note(outcome.error)
      else if ('result' in outcome && job.record.folder !== null) uploads.noteRead()
      if (isInterrupted(job, lease, outcome)) await giveUp(job, lease)
      else await conclude(job, outcome)
    } catch (error) {
      // The job is queued again once the lease is given back or taken.
      asSluiceError(error, log, { job: job.id })
      job.renew()
    } finally {
      lease.lost.removeEventListener('abort', lose)
      const released = Promise.allSettled(kept)
        .then(() => lease.release())
        .finally(() => releasing.delete(released))
      releasing.add(released)
    }
  }

  const isInterrupted = (job: ActiveJob, lease: Lease, outcome: JobOutcome): boolean =>
    'error' in outcome &&
    !job.isCancelled &&
    (lease.lost.aborted ||
      closed ||
      ((outcome.isUploadsAway || INTERRUPTIONS.includes(outcome.error.code)) &&
        job.record.changes < MOST_CHANGES))

  /** Queues the job again. With a lost lease another member does it. */
  async function giveUp(job: ActiveJob, lease: Lease): Promise<void> {
    const queued = lease.lost.aborted ? undefined : await store.requeue(job.id, job.record.changes)
    job.renew()
    if (queued) job.enter(queued)
    showWaiting(active, uploads)
  }

  async function conclude(job: ActiveJob, outcome: JobOutcome): Promise<void> {
    const ended = await work.conclude(job, outcome)
    if (!ended) return job.renew()
    endedHere.add(job.id)
    active.end(job, ended)
    doorbell.ring(JOB_CHANGED)
  }

  /** Stores the files before the progress: every member shows both as they are stored. The files less often, since their list may be long. */
  async function note(...[id, progress, changes]: Parameters<JobStore['note']>): Promise<void> {
    const files = active.get(id)?.files
    const now = performance.now()
    if (files && changes !== undefined && now >= (filesNoted.get(files) ?? 0)) {
      filesNoted.set(files, now + files.length * FILES_WRITE_MS)
      await queue.noteFiles(id, files, changes)
    }
    // A copy, since the run goes on while it is written.
    const noted = structuredClone(progress)
    await store.note(id, noted, changes)
    if (changes !== undefined) active.get(id)?.noteStored(noted, changes)
    doorbell.ring(JOB_CHANGED)
  }

  return {
    active,
    get running() {
      return running.size
    },
    get readAt() {
      return readAt
    },
    watch: (listener) => active.watch(listener),

    async start() {
      // Jobs of deleted flows are cancelled; those of members that are gone are queued again.
      await store.recover()
      await read()
      deaf.push(
        doorbell.listen(JOB_CHANGED, readSoon),
        doorbell.listen(JOB_WAITS, () => {
          readSoon()
          claimSoon()
        }),
      )
      claimSoon()
    },

    current: read,

    enqueue(record) {
      // A run here may have its end in the database, and not have told it: it tells it alone.
      if (!closed) (running.has(record.id) ? active.renew(record) : active.take(record)).follow(record)
      doorbell.ring(JOB_WAITS)
    },

    find: (record: JobRecord) => (closed ? undefined : active.take(record)),

    async cancel(job) {
      await queue.cancel(job.id)
      doorbell.ring(JOB_CHANGED)
      readSoon()
      return endOfCancelled(job)
    },

    async close() {
      closed = true
      uploads.close()
      for (const end of deaf) end()
      for (const id of running.keys()) active.get(id)?.interrupt(new SluiceError('stopping'))
      await Promise.all(running.values())
      await Promise.all(releasing)
      for (const job of [...active.values()]) active.abandon(job, new SluiceError('stopping'))
    },
  }
}
