import { SluiceError } from '../../kit/errors.ts'
import { createShares } from '../../kit/shares.ts'

/**
 * What a request does to others:
 *
 * - `free`: next to nothing. It never waits, so health and metrics are answered whatever else there is to do.
 * - `short`: it reads or computes. So many are in work at a time.
 * - `waiting`: it may wait for a model, a job, a namespace or events, so it takes no place among those in work.
 */
export type RequestWork = 'free' | 'short' | 'waiting'

export type RequestQueueOptions = {
  /** How many requests there may be at a time, in work or waiting for their turn. */
  most: number
  /** How many `short` ones may be in work at a time. */
  mostInWork: number
  /** Called with the reason for each request that is refused. */
  onShed(reason: ShedReason): void
  /** Calls a function in the next turn of the event loop, after what has arrived meanwhile was read. */
  later?: (next: () => void) => void
}

/** `requests`: there are too many of all; `key`: of one owner. */
export type ShedReason = 'requests' | 'key'

export type RequestQueue = {
  /**
   * Waits for the turn of a request; at most one begins in each turn of the event loop. The owner with the fewest short requests in work
   * is next, then the one served longest ago; the requests of one owner begin in the order of arrival. Undefined where it has its turn
   * now. Resolves with what ends it.
   *
   * @param owner the key or the address that it comes from
   * @param signal the client has left
   * @throws SluiceError `server_busy`; the reason of `signal`
   */
  take(
    owner: string,
    work: Exclude<RequestWork, 'free'>,
    signal?: () => AbortSignal,
  ): EndRequest | Promise<EndRequest>
  /** How many requests wait for their turn, and how many have begun and not ended. */
  load(): { waiting: number; inWork: number }
}

/** Ends the request, once. */
export type EndRequest = () => void

type Waiting = { owner: string; isShort: boolean; begin(): void; refuse(error: unknown): void }

/** Which part of a limit one owner may have: the rest is for others. */
const SHARE = 3 / 4

const RETRY_AFTER = 1

export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const { most, mostInWork, onShed, later = setImmediate } = options
  const mostOfOwner = Math.ceil(most * SHARE)
  const mostInWorkOfOwner = Math.ceil(mostInWork * SHARE)
  /** The requests that wait, by owner, in the order of arrival. No list is empty. */
  const queues = new Map<string, Waiting[]>()
  const ofOwner = new Map<string, number>()
  const shares = createShares()
  let waiting = 0
  let all = 0
  let short = 0
  let isBetweenTurns = true

  const mayBegin = ({ owner, isShort }: Waiting) =>
    !isShort || (short < mostInWork && shares.inWork(owner) < mostInWorkOfOwner)

  /** The request that is next, taken out of its queue. */
  function takeNext(): Waiting | undefined {
    let next: Waiting | undefined
    for (const [owner, queue] of queues) {
      if (next && shares.compare(owner, next.owner) >= 0) continue
      next = queue.find(mayBegin) ?? next
    }
    if (next) remove(next)
    return next
  }

  function remove(entry: Waiting): void {
    const queue = queues.get(entry.owner)!
    queue.splice(queue.indexOf(entry), 1)
    if (queue.length === 0) queues.delete(entry.owner)
    waiting--
  }

  function beginNext(): void {
    if (!isBetweenTurns) return
    const next = takeNext()
    if (!next) return
    begin(next)
    next.begin()
  }

  /** No other begins before the event loop has read what has arrived: a request may compute for long once it has begun. */
  function begin({ owner, isShort }: Pick<Waiting, 'owner' | 'isShort'>): void {
    isBetweenTurns = false
    later(() => {
      isBetweenTurns = true
      beginNext()
    })
    shares.begin(owner)
    if (isShort) short++
    else shares.end(owner)
  }

  function leave(owner: string): void {
    all--
    const left = ofOwner.get(owner)! - 1
    if (left === 0) ofOwner.delete(owner)
    else ofOwner.set(owner, left)
  }

  function endOf({ owner, isShort }: Pick<Waiting, 'owner' | 'isShort'>): EndRequest {
    let ended = false
    return () => {
      if (ended) return
      ended = true
      leave(owner)
      if (!isShort) return
      short--
      shares.end(owner)
      beginNext()
    }
  }

  function refusal(reason: ShedReason): SluiceError {
    onShed(reason)
    return new SluiceError('server_busy', { retryAfter: RETRY_AFTER })
  }

  /** Makes room for an owner: refuses the newest waiting request of the one with the most, where that has more. */
  function makeRoomFor(owner: string): void {
    let longest: Waiting[] = []
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue
    const newest = longest.at(-1)
    if (!newest || longest.length <= (queues.get(owner)?.length ?? 0) + 1) throw refusal('requests')
    remove(newest)
    leave(newest.owner)
    newest.refuse(refusal('requests'))
  }

  return {
    take(owner, work, signal) {
      if ((ofOwner.get(owner) ?? 0) >= mostOfOwner) throw refusal('key')
      if (all >= most) makeRoomFor(owner)
      all++
      ofOwner.set(owner, (ofOwner.get(owner) ?? 0) + 1)
      const mine = { owner, isShort: work === 'short' }
      const place = Promise.withResolvers<EndRequest>()
      const entry: Waiting = { ...mine, begin: () => place.resolve(endOf(mine)), refuse: place.reject }
      if (isBetweenTurns && queues.size === 0 && mayBegin(entry)) {
        begin(entry)
        return endOf(mine)
      }
      const gone = signal?.()
      const withdraw = () => {
        if (!queues.get(owner)?.includes(entry)) return
        remove(entry)
        leave(owner)
        place.reject(gone?.reason)
      }
      gone?.addEventListener('abort', withdraw)
      const queue = queues.get(owner)
      if (queue) queue.push(entry)
      else queues.set(owner, [entry])
      waiting++
      if (gone?.aborted) withdraw()
      else beginNext()
      return place.promise
    },
    load: () => ({ waiting, inWork: all - waiting }),
  }
}
