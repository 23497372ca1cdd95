import type { Doorbell } from '../../contract/doorbell.ts'

/** How often listeners are called without a ring, in milliseconds. */
const POLL_MS = 1000

/** The most topics of one statement. */
const MOST_TOPICS = 100

/** A doorbell whose rings come from a connection of its own. */
export type ClusterDoorbell = Doorbell & {
  /** Calls the listeners of a topic. */
  answer(topic: string): void
  close(): void
}

/**
 * Rings that are made before the earlier ones are sent go together, each topic once: PostgreSQL lets one transaction at a time
 * notify, so there must be few.
 *
 * @param send sends topics to all members; a failure is a lost ring
 */
export function createDoorbell(send: (topics: readonly string[]) => Promise<unknown>): ClusterDoorbell {
  const listeners = new Map<string, Set<() => void>>()
  const waiting = new Set<string>()
  let isSending = false
  let isClosed = false
  const polling = setInterval(() => {
    for (const topic of [...listeners.keys()]) answer(topic)
  }, POLL_MS).unref()

  function answer(topic: string): void {
    for (const listener of [...(listeners.get(topic) ?? [])]) listener()
  }

  async function sendWaiting(): Promise<void> {
    isSending = true
    while (waiting.size > 0 && !isClosed) {
      const topics = [...waiting].slice(0, MOST_TOPICS)
      for (const topic of topics) waiting.delete(topic)
      await send(topics).catch(() => {})
    }
    isSending = false
  }

  return {
    answer,
    ring(topic) {
      if (isClosed) return
      waiting.add(topic)
      if (!isSending) void sendWaiting()
    },
    listen(topic, listener) {
      const others = listeners.get(topic) ?? new Set()
      // A function of its own: the same listener may listen twice.
      const own = () => listener()
      listeners.set(topic, others.add(own))
      return () => {
        others.delete(own)
        if (others.size === 0 && listeners.get(topic) === others) listeners.delete(topic)
      }
    },
    close() {
      isClosed = true
      clearInterval(polling)
    },
  }
}
