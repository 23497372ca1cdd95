import type { NodeTurns } from '../../contract/leases.ts'
import { createTurns, type Turns } from '../../kit/keyed-queue.ts'

/**
 * The turns of namespaces where several nodes write to them: work waits for its turn in this process first, then for that among the
 * nodes. It takes no slots: jobs are begun by the queue of all nodes.
 */
export function turnsOfNodes(nodes: Pick<NodeTurns, 'take'>): Turns {
  const local = createTurns()
  return {
    get keys() {
      return local.keys
    },
    idle: () => local.idle(),
    run: (key, work, { signal } = {}) =>
      local.run(
        key,
        async (turn) => {
          const taken = await nodes.take(key, signal)
          const kept: Promise<unknown>[] = []
          try {
            return await work({ key, keepUntil: (rest) => void kept.push(rest) })
          } finally {
            turn.keepUntil(Promise.allSettled(kept).then(() => taken.release()))
          }
        },
        { signal },
      ),
  }
}
