import type { Alone } from '../contract/alone.ts'
import type { EnginePlaceStore } from '../contract/engine-place-store.ts'
import type { BlobShelf } from '../contract/blob-shelf.ts'
import type { JobStore } from '../contract/job.ts'
import type { Clock } from '../kit/clock.ts'
import { reasonOf } from '../kit/errors.ts'
import type { Originals } from '../upsert/originals.ts'
import { settledBefore } from '../jobs/settled-before.ts'
import { type OldParts, removeOld } from './retention.ts'

const HOUR_MS = 3_600_000

/** How long it is known where an engine is that no index has, in milliseconds. */
const PLACE_KEPT_MS = 24 * HOUR_MS

/** How long a file may take on its way to the storage, in milliseconds. */
const LONGEST_PUT_MS = 24 * HOUR_MS

export type SweepOptions = {
  parts: OldParts
  originals: Originals
  blobs: BlobShelf
  /** Whether the files are in a bucket: then they may be of another server, and its clock is another one. */
  inBucket: boolean
  jobStore: Pick<JobStore, 'list'>
  places: Pick<EnginePlaceStore, 'removeUnused'>
  alone: Alone
  /** When this process began, in ms since 1970. */
  startedAt: number
  clock?: Clock
}

/**
 * Removes what is kept no longer and what no document names: now, and every hour. Of several servers one does it. Returns what ends it;
 * that resolves when the first removal is over.
 */
export function startSweeps(options: SweepOptions): () => Promise<void> {
  const { parts, originals, blobs, inBucket, jobStore, places, alone, startedAt, clock = Date.now } = options
  const { log, stores } = parts
  const sweepOld = () =>
    alone('retention', async () => {
      await removeOld(parts, clock())
      await places.removeUnused(clock() - PLACE_KEPT_MS)
    })
  const sweepFiles = () =>
    alone('originals', async () => {
      await originals.sweepLeftovers(inBucket ? await settledBefore(jobStore, clock()) : startedAt)
      await blobs.sweep(clock() - LONGEST_PUT_MS)
    })
  const noteUnswept = (error: unknown) => log.warn('stores-not-tidied', { reason: reasonOf(error) })
  const hourly = setInterval(() => {
    sweepOld().catch(noteUnswept)
    if (inBucket) sweepFiles().catch(noteUnswept)
  }, HOUR_MS).unref()
  const first = sweepOld()
    .then(() => stores.sweepRemoved())
    .then(() => originals.sweep())
    .then(sweepFiles)
    .catch(noteUnswept)
  return async () => {
    clearInterval(hourly)
    await first
  }
}
