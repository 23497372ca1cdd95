import type { Alone } from '../contract/alone.ts'
import { onlyMember } from '../kit/only-member.ts'
import type { FateShelf } from '../contract/dry-run.ts'
import type { JobStore } from '../contract/job.ts'
import type { UploadShelf } from '../contract/upload-shelf.ts'
import type { Clock } from '../kit/clock.ts'
import { SluiceError } from '../kit/errors.ts'
import { flowFacts } from '../kit/flow-facts.ts'
import type { Log } from '../kit/log.ts'
import type { SecretBox } from '../kit/secret-box.ts'
import type { KeyedQueue } from '../kit/keyed-queue.ts'
import { follow } from './active/follow.ts'
import { followAll } from './active/follow-all.ts'
import { stillView } from './active/job-view.ts'
import { stalled } from './active/stalled.ts'
import { cancellingJobs } from './cancel.ts'
import { jobEnvelope } from './envelope.ts'
import type { Jobs } from './jobs.ts'
import { knownJobs } from './known-jobs.ts'
import { pageOfFiles } from './page-of-files.ts'
import type { Performers } from './performer.ts'
import { queueRoom, submittingJobs } from './submit.ts'
import { createLocalJobRunner } from './runners/local-runner.ts'
import type { JobRunner } from './runners/runner.ts'
import type { RunnerOptions } from './runners/work.ts'
import { createJobSweep } from './job-sweep.ts'

/** How many ended jobs a stream of changes begins with. */
const MOST_ENDED = 1000

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
  fates?: Pick<FateShelf, 'sweep'>
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
  /** Runs work of one namespace in sequence; its slots are how many jobs run at the same time. */
  namespaceQueue: KeyedQueue
  /** The `traceparent` of the running request. */
  traceparent?: () => string | undefined
}

/**
 * Jobs run independently of the connection of their request. Jobs that are queued or running when the process ends, also
 * by a crash, continue at the next start.
 */
export function createJobs(options: JobsOptions): Jobs {
  const { store, shelf, alone = onlyMember, box, performers, fates, log, uploadBytes } = options
  const { shortage, queueLimit = 1000, clock = Date.now, namespaceQueue, traceparent } = options
  const { ownerLimit = Math.ceil(queueLimit / 4) } = options
  const envelope = jobEnvelope(box)
  const jobSweep = createJobSweep({ store, shelf, fates, uploadBytes, alone, log, clock })
  const onFailure = () => void jobSweep.sweep()
  const flowFactsOf = async (id: string) =>
    flowFacts((await options.findFlow?.(id).catch(() => undefined)) ?? { id })
  const work = { store, shelf, envelope, performers, log, clock, flowFactsOf, onFailure }
  const runner = options.createRunner?.(work) ?? createLocalJobRunner({ ...work, namespaceQueue })

  const known = knownJobs(store, runner)
  const room = queueRoom({ active: runner.active, limit: queueLimit, ownerLimit, shortage })

  const shared = { store, envelope, runner, known, removeUploads: jobSweep.removeQuietly }

  return {
    ...submittingJobs({ ...shared, shelf, performers, room, traceparent, clock }),
    ...cancellingJobs(shared),

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

    async find(id) {
      const record = await store.find(id)
      return record && known.viewOf(record)
    },

    async list(page) {
      const { rows, total } = await store.list(page)
      return { rows: rows.map(known.viewOf), total }
    },

    async result(id) {
      const record = (await (await known.openJob(id))?.end) ?? (await known.findRecord(id))
      if (record.error) throw new SluiceError(record.error.code, record.error.facts)
      if (!record.result) throw new SluiceError('stopping')
      return record.result
    },

    stalled: (options) => stalled(runner.active, options),

    async *events(id, { seen, signal }) {
      const job = await known.openJob(id)
      if (job) return yield* follow(job, { seen, signal })
      const record = await store.find(id)
      if (record && stillView(record).version !== seen) yield stillView(record)
    },

    async files(id, page) {
      const live = runner.active.get(id)?.shownFiles
      if (live) return pageOfFiles(live, page)
      await known.findRecord(id)
      return store.files(id, page)
    },

    async *changes({ since, untilIdle = false, signal }) {
      await runner.current()
      const first = async () =>
        since === undefined ? [] : (await store.endedSince(since, MOST_ENDED)).map(stillView)
      yield* followAll(runner, { first, untilIdle, signal })
    },

    async resume() {
      await runner.start()
      if (shelf.isLocal) await jobSweep.sweepOrphans()
      await jobSweep.sweep()
    },

    async close() {
      jobSweep.close()
      await runner.close()
    },
  }
}
