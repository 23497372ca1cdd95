import { asSluiceError } from '../../kit/as-sluice-error.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { KeyLease, KeyedQueue } from '../../kit/keyed-queue.ts'
import type { ActiveJob } from '../active/active-job.ts'
import { ActiveJobs, endOfCancelled, showWaiting } from '../active/active-jobs.ts'
import { createHeldJobs } from './held-jobs.ts'
import type { JobRunner } from './runner.ts'
import { MOST_CHANGES, watchUploads } from './uploads-away.ts'
import { cancelledInQueue, createJobWork, type JobOutcome, type RunnerOptions } from './work.ts'

/** The shortest time between two writes of the progress of a job, in milliseconds: it is read after a restart. */
const NOTE_MS = 700

export type LocalJobRunnerOptions = RunnerOptions & {
  /** Runs work of one namespace in sequence; its slots are how many jobs run at the same time. */
  namespaceQueue: KeyedQueue
}

/** Runs the jobs of a database that this process has for itself. */
export function createLocalJobRunner({ namespaceQueue, ...options }: LocalJobRunnerOptions): JobRunner {
  const { store, log, clock } = options
  const work = createJobWork({ ...options, noteMs: NOTE_MS })
  const active = new ActiveJobs()
  const unfinished = new Set<Promise<void>>()
  let running = 0
  let closed = false

  const held = createHeldJobs(() => active.values())
  const uploads = watchUploads(options, () => {
    showWaiting(active, uploads)
    held.release()
  })

  /** Resolves with false where the job waits for its uploads, with its line. */
  async function perform(job: ActiveJob, lease: KeyLease): Promise<boolean> {
    held.begin(job)
    if (!closed && (await uploads.keeps(job.record))) return wait(job)
    running++
    try {
      const begun = await store.begin(job.id, clock())
      if (!begun) {
        active.abandon(job, new SluiceError('cancelled'))
        return true
      }
      job.enter(begun)
      const outcome = await work.attempt(job, lease)
      if (closed && 'error' in outcome && !job.isCancelled) await putBack(job)
      else if (!(await isQueuedAgain(job, outcome))) await conclude(job, outcome)
      else return wait(job)
    } catch (error) {
      // The store did not take the outcome: the next start continues from its last record.
      active.abandon(job, asSluiceError(error, log, { job: job.id }))
    } finally {
      running--
    }
    return true
  }

  function wait(job: ActiveJob): false {
    // It may just have been found again.
    if (uploads.now) held.hold(job)
    showWaiting(active, uploads)
    return false
  }

  /** Queues a job again whose uploads could not be read. */
  async function isQueuedAgain(job: ActiveJob, outcome: JobOutcome): Promise<boolean> {
    if ('result' in outcome && job.record.folder !== null) uploads.noteRead()
    if (!('error' in outcome) || !outcome.isUploadsAway || job.isCancelled) return false
    if (job.record.changes >= MOST_CHANGES) return false
    const queued = await store.requeue(job.id, job.record.changes)
    if (!queued) return false
    job.enter(queued)
    uploads.note(outcome.error)
    return true
  }

  /** Queues for the namespace until the job has run. */
  async function run(job: ActiveJob): Promise<void> {
    const { namespace, owner } = job.record
    for (;;) {
      const isOver = await held
        .whenFree(job, (signal) =>
          namespaceQueue.run(namespace, (lease) => perform(job, lease), { slot: true, owner, signal }),
        )
        .catch((error: unknown) => {
          if (job.signal.aborted) throw error
          // Its line is held.
          return false
        })
      if (isOver) return
    }
  }

  async function conclude(job: ActiveJob, outcome: JobOutcome): Promise<void> {
    const ended = await work.conclude(job, outcome)
    if (ended) active.end(job, ended)
    else active.abandon(job, new SluiceError('cancelled'))
  }

  /** Ends a job that was cancelled in the queue. A job that only this process stops stays in the queue. */
  async function endBeforeItBegan(job: ActiveJob): Promise<void> {
    if (!job.isCancelled) return active.abandon(job, new SluiceError('stopping'))
    await conclude(job, cancelledInQueue()).catch((error: unknown) =>
      active.abandon(job, asSluiceError(error, log, { job: job.id })),
    )
  }

  async function putBack(job: ActiveJob): Promise<void> {
    const queued = await store.requeue(job.id, job.record.changes)
    if (queued) job.enter(queued)
    active.abandon(job, new SluiceError('stopping'))
  }

  const runner: JobRunner = {
    active,
    get running() {
      return running
    },
    watch: (listener) => active.watch(listener),
    async start() {
      const queued = await store.recover()
      for (const record of queued) runner.enqueue(record)
      if (queued.length > 0) log.info('jobs-resumed', { count: queued.length })
    },
    async current() {},
    enqueue(record) {
      if (closed) return
      const job = active.renew(record)
      const over = run(job)
        .catch(() => endBeforeItBegan(job))
        .finally(() => unfinished.delete(over))
      unfinished.add(over)
    },
    find: ({ id }) => active.get(id),
    async cancel(job) {
      job.cancel()
      return endOfCancelled(job)
    },
    async close() {
      closed = true
      uploads.close()
      for (const job of active.values()) job.interrupt(new SluiceError('stopping'))
      await Promise.all(unfinished)
    },
  }
  return runner
}
