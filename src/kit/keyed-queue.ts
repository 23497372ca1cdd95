import { createShares } from './shares.ts'

/** The lease of a key, while its work runs. */
export type KeyLease = {
  readonly key: string
  /** Keeps the lease until `rest` has settled, also after the work itself has ended. */
  keepUntil(rest: Promise<unknown>): void
}

export type KeyedWorkOptions = {
  /** Gives up waiting. Work that has begun is not stopped. */
  signal?: AbortSignal | undefined
  /** Whether the work needs one of the slots. */
  slot?: boolean
  /**
   * Whose work it is, the key unless given. A free slot goes to the owner with the fewest slots, then to the one who got one longest
   * ago; the work of one owner gets them in the order of arrival.
   */
  owner?: string | undefined
}

export type KeyedQueueOptions = {
  /** How many slots more there are for owners who have none: work that fills all slots does not keep those of others waiting. */
  spare?: number
}

/** Runs work of one key in sequence, and work of different keys side by side. */
export type KeyedQueue = {
  /**
   * Waits for the lease of `key`, runs `work` and passes the lease on, also when the work fails.
   *
   * The queue of a key is in order of arrival. Work that needs a slot joins it once it has the slot, at most one per key:
   * so work without a slot waits for at most one work with a slot that is queued.
   *
   * @throws the reason of `signal` where it aborts before the work has begun; and what `work` throws
   */
  run<T>(key: string, work: (lease: KeyLease) => Promise<T>, options?: KeyedWorkOptions): Promise<T>
  /** How many keys have a queue. */
  readonly keys: number
  /** Resolves when no work runs or waits and every lease has ended. */
  idle(): Promise<void>
}

type Entry = { key: string; owner: string; begin(): void }

/** @param slots how many keys may have work with a slot at the same time */
export function createKeyedQueue(
  slots = Number.POSITIVE_INFINITY,
  { spare = 0 }: KeyedQueueOptions = {},
): KeyedQueue {
  /** The first entry of a queue has the lease. */
  const queues = new Map<string, Entry[]>()
  const withoutSlot: Entry[] = []
  const keysWithSlot = new Set<string>()
  const shares = createShares()
  const unfinished = new Set<Promise<void>>()

  function join(entry: Entry): void {
    const queue = queues.get(entry.key)
    if (queue) queue.push(entry)
    else {
      queues.set(entry.key, [entry])
      entry.begin()
    }
  }

  function leave(entry: Entry): void {
    const queue = queues.get(entry.key)!
    queue.splice(queue.indexOf(entry), 1)
    // The first entry may have its lease already: then `begin` changes nothing.
    if (queue.length === 0) queues.delete(entry.key)
    else queue[0]!.begin()
  }

  /** The work that gets the next slot; undefined where there is none, or no slot for it. */
  function nextForSlot(): Entry | undefined {
    let next: Entry | undefined
    for (const entry of withoutSlot)
      if (!keysWithSlot.has(entry.key) && (!next || shares.compare(entry.owner, next.owner) < 0)) next = entry
    if (!next || keysWithSlot.size < slots) return next
    return keysWithSlot.size < slots + spare && shares.inWork(next.owner) === 0 ? next : undefined
  }

  function fillSlots(): void {
    for (;;) {
      const entry = keysWithSlot.size < slots + spare ? nextForSlot() : undefined
      if (!entry) return
      withoutSlot.splice(withoutSlot.indexOf(entry), 1)
      keysWithSlot.add(entry.key)
      shares.begin(entry.owner)
      join(entry)
    }
  }

  function freeSlot({ key, owner }: Entry): void {
    keysWithSlot.delete(key)
    shares.end(owner)
    fillSlots()
  }

  return {
    get keys() {
      return queues.size
    },
    async run(key, work, { signal, slot = false, owner = key } = {}) {
      signal?.throwIfAborted()
      const lease = Promise.withResolvers<void>()
      const finished = Promise.withResolvers<void>()
      unfinished.add(finished.promise)
      const end = () => {
        unfinished.delete(finished.promise)
        finished.resolve()
      }
      const entry: Entry = {
        key,
        owner,
        begin() {
          signal?.removeEventListener('abort', giveUp)
          lease.resolve()
        },
      }
      function giveUp(): void {
        const place = withoutSlot.indexOf(entry)
        if (place >= 0) withoutSlot.splice(place, 1)
        else {
          leave(entry)
          if (slot) freeSlot(entry)
        }
        end()
        lease.reject(signal!.reason)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      if (slot) {
        withoutSlot.push(entry)
        fillSlots()
      } else join(entry)
      await lease.promise
      const kept: Promise<unknown>[] = []
      try {
        // It may have aborted between the start of the lease and this line.
        signal?.throwIfAborted()
        return await work({ key, keepUntil: (rest) => void kept.push(rest) })
      } finally {
        if (slot) freeSlot(entry)
        void Promise.allSettled(kept).then(() => {
          leave(entry)
          end()
        })
      }
    },
    async idle() {
      while (unfinished.size > 0) await Promise.all(unfinished)
    },
  }
}
