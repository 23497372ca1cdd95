import { isOfFlow } from '../callers/job-owner.ts'
import type { JobRecord } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'

/** After how many seconds a client may try a full queue again. */
const RETRY_AFTER = 30

export type QueueRoomOptions = {
  /** The queued and running jobs, by what this node knows. */
  active: ReadonlyMap<string, { readonly record: Pick<JobRecord, 'state' | 'owner'> }>
  /** How many jobs may be queued or running. */
  limit: number
  /** How many jobs of one owner may wait. */
  ownerLimit: number
  /** The reason why no job is accepted while the disk is full; undefined otherwise. */
  shortage?: (() => SluiceError | undefined) | undefined
}

/** Whether one more job may be queued. */
export type QueueRoom = {
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
