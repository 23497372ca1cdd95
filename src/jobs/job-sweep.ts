import type { Alone } from '../contract/alone.ts'
import type { FateShelf } from '../contract/dry-run.ts'
import type { JobStore } from '../contract/job.ts'
import type { UploadShelf } from '../contract/upload-shelf.ts'
import type { Clock } from '../kit/clock.ts'
import { reasonOf } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'

const HOUR = 3_600_000
/** How long a failed job can be retried, in milliseconds. */
const RETRYABLE = 24 * HOUR
/** How long an ended job is listed, in milliseconds; its row of the history stays. */
const VISIBLE = 7 * 24 * HOUR
/** How many ended jobs are listed, how many bytes their results may take, and how many rows the history has. */
const KEPT = { jobs: 10_000, resultBytes: 256 * 2 ** 20, historyRows: 100_000 }
/** How many bytes the lists of dry runs may take; the newest are kept. */
const FATE_BYTES = 2 ** 30

export type JobSweepOptions = {
  store: JobStore
  shelf: UploadShelf
  /** The lists of dry runs, which are removed after a day. */
  fates?: Pick<FateShelf, 'sweep'> | undefined
  /** How many bytes the uploads of failed jobs may take until they are retried. */
  uploadBytes: number
  alone: Alone
  log: Log
  clock: Clock
}

/** Removes what is no longer kept of jobs: every hour, and when it is asked for. */
export function createJobSweep(options: JobSweepOptions) {
  const { store, shelf, fates, uploadBytes, alone, log, clock } = options
  const hourly = setInterval(() => void sweep(), HOUR).unref()

  /** The uploads of failed jobs are removed first. */
  async function sweep(): Promise<void> {
    const now = clock()
    await store
      .sweep({ ...KEPT, requestsSince: now - RETRYABLE, uploadBytes, jobsSince: now - VISIBLE })
      .then(removeAll)
      .then(() => fates?.sweep(now - RETRYABLE, FATE_BYTES))
      .then(() => (shelf.isLocal ? undefined : alone('uploads', sweepOrphans)))
      .catch((error: unknown) => log.warn('jobs-not-tidied', { reason: reasonOf(error) }))
  }

  const removeAll = async (folders: readonly string[]) => {
    for (const folder of folders) await shelf.remove(folder)
  }

  /** Removes uploads that no job has: their request or their server ended before. */
  async function sweepOrphans(): Promise<void> {
    const found = await shelf.folders()
    // Read afterwards, so that a job that is stored meanwhile is among them.
    const needed = new Set(await store.folders())
    await removeAll(found.filter((folder) => !needed.has(folder)))
  }

  return {
    sweep,
    sweepOrphans,
    /** Removes uploads; the hourly work tries again what fails here. */
    removeQuietly: (folder: string) =>
      shelf.remove(folder).catch((error: unknown) => {
        log.warn('uploads-not-discarded', { folder, reason: reasonOf(error) })
      }),
    close: () => clearInterval(hourly),
  }
}
