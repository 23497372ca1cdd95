import type { Leases } from '../../contract/leases.ts'
import { createKeyedQueue, type KeyedQueue } from '../../kit/keyed-queue.ts'

/**
 * The queue of namespaces where several members write to them: work waits in this process first, then for the lease among the
 * members. It takes no slots: jobs are begun by the queue of all members.
 */
export function leasedQueue(leases: Pick<Leases, 'take'>): KeyedQueue {
  const local = createKeyedQueue()
  return {
    get keys() {
      return local.keys
    },
    idle: () => local.idle(),
    run: (key, work, { signal } = {}) =>
      local.run(
        key,
        async (lease) => {
          const taken = await leases.take(key, signal)
          const kept: Promise<unknown>[] = []
          try {
            return await work({ key, keepUntil: (rest) => void kept.push(rest) })
          } finally {
            lease.keepUntil(Promise.allSettled(kept).then(() => taken.release()))
          }
        },
        { signal },
      ),
  }
}
