import { asSluiceError } from '../../kit/as-sluice-error.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { KeyedTurn, Turns } from '../../kit/turns.ts'
import type { ActiveJob } from '../active/active-job.ts'
import { ActiveJobs, endOfCancelled } from '../active/active-jobs.ts'
import type { JobRunner } from './runner.ts'
import { cancelledInQueue, createJobWork, type JobOutcome, type RunnerOptions } from './work.ts'

/** The shortest time between two writes of the progress of a job, in milliseconds: it is read after a restart. */
const NOTE_MS = 700

export type LocalJobRunnerOptions = RunnerOptions & {
  /** The turns of namespaces; its slots are how many jobs run at the same time. */
  turns: Turns
}

/** Runs the jobs of a database that this process has for itself. */
export function createLocalJobRunner({ turns, ...options }: LocalJobRunnerOptions): JobRunner {
  const { store, log, clock } = options
  const work = createJobWork({ ...options, noteMs: NOTE_MS })
  const active = new ActiveJobs()
  const unfinished = new Set<Promise<void>>()
  let running = 0
  let closed = false

  async function perform(job: ActiveJob, turn: KeyedTurn): Promise<void> {
    running++
    try {
      const begun = await store.begin(job.id, clock())
      if (!begun) return active.abandon(job, new SluiceError('cancelled'))
      job.enter(begun)
      const outcome = await work.attempt(job, turn)
      if (closed && 'error' in outcome && !job.isCancelled) await putBack(job)
      else await conclude(job, outcome)
    } catch (error) {
      // The store did not take the outcome: the next start continues from its last record.
      active.abandon(job, asSluiceError(error, log, { job: job.id }))
    } finally {
      running--
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
    const queued = await store.requeue(job.id, job.record.turn)
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
      const job = active.take(record)
      const run = turns
        .run(record.namespace, (turn) => perform(job, turn), {
          slot: true,
          owner: record.owner,
          signal: job.signal,
        })
        .catch(() => endBeforeItBegan(job))
        .finally(() => unfinished.delete(run))
      unfinished.add(run)
    },
    find: ({ id }) => active.get(id),
    async cancel(job) {
      job.cancel()
      return endOfCancelled(job)
    },
    async close() {
      closed = true
      for (const job of active.values()) job.interrupt(new SluiceError('stopping'))
      await Promise.all(unfinished)
    },
  }
  return runner
}
