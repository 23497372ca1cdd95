import { setTimeout as wait } from 'node:timers/promises'
import type { ChatRunKey, SharedChatRuns } from '../../contract/chat-run-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'

export type ChatRuns = {
  /**
   * Does work with a signal that aborts when the client leaves, when the conversation is stopped, or some seconds after
   * the server begins to stop. The reason of the signal is a SluiceError.
   */
  run<T>(key: ChatRunKey, gone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /**
   * Stops the runs of a conversation: those of this process at once, those of other members when they hear of it, within about a
   * second. `anyOwner`: also those of other owners.
   */
  abort(key: ChatRunKey, options?: { anyOwner: boolean }): Promise<void>
  /** Resolves when no run is in progress. */
  idle(): Promise<void>
}

/** `isShared`: other members know of the run. */
type Running = ChatRunKey & { stop: AbortController; isShared: boolean; over: Promise<unknown> }

/** How long runs may continue after the server begins to stop: containers are killed after ten seconds. */
const GRACE_MS = 5000

/** The topic of the doorbell: a run must stop. */
const STOPS = 'chat-stops'

/** The runs in progress. A conversation may have several. @param shared for a server whose database has several members */
export function createChatRuns(
  stopping: AbortSignal,
  { shared, graceMs = GRACE_MS }: { shared?: SharedChatRuns | undefined; graceMs?: number } = {},
): ChatRuns {
  const running = new Map<string, Running>()
  const stopped = new AbortController()
  let endCalls: (() => void) | undefined
  let isReading = false
  let isRung = false
  stopping.addEventListener('abort', async () => {
    await wait(graceMs, undefined, { ref: false })
    stopped.abort(new SluiceError('stopping'))
  })

  const idsOfShared = () => [...running].filter(([, { isShared }]) => isShared).map(([id]) => id)

  const stop = (run: Running | undefined) => run?.stop.abort(new SluiceError('cancelled'))

  /** Stops the runs that other members were asked to stop. Called at each ring and once a second. */
  async function readStops({ store }: SharedChatRuns): Promise<void> {
    isRung = true
    if (isReading) return
    isReading = true
    while (isRung) {
      isRung = false
      const ids = idsOfShared()
      // After a failure, the next call reads them.
      const asked = ids.length === 0 ? [] : await store.beat(ids).catch(() => [])
      for (const id of asked) stop(running.get(id))
    }
    isReading = false
  }

  async function share(id: string, run: Running, known: SharedChatRuns): Promise<void> {
    endCalls ??= known.doorbell.listen(STOPS, () => void readStops(known))
    const { flowId, chatId, owner } = run
    await known.store.begin({ id, flowId, chatId, owner })
    run.isShared = true
  }

  async function withdraw(id: string, run: Running, { store }: SharedChatRuns): Promise<void> {
    run.isShared = false
    // A row that stays is soon one of a lost run.
    await store.end(id).catch(() => {})
  }

  async function perform<T>(id: string, run: Running, work: () => Promise<T>): Promise<T> {
    try {
      if (shared) await share(id, run, shared)
      return await work()
    } finally {
      if (shared && run.isShared) await withdraw(id, run, shared)
      running.delete(id)
      if (running.size === 0) {
        endCalls?.()
        endCalls = undefined
      }
    }
  }

  return {
    run(key, gone, work) {
      const id = randomId()
      const run: Running = { ...key, stop: new AbortController(), isShared: false, over: Promise.resolve() }
      running.set(id, run)
      const signal = AbortSignal.any([gone, run.stop.signal, stopped.signal])
      const ended = perform(id, run, () => work(signal))
      run.over = ended.catch(() => {})
      return ended
    },
    async abort(key, { anyOwner } = { anyOwner: false }) {
      const { flowId, chatId, owner } = key
      const found = [...running.values()].filter(
        (run) => run.flowId === flowId && run.chatId === chatId && (anyOwner || run.owner === owner),
      )
      found.forEach(stop)
      await shared?.store.askToStop(key, anyOwner)
      shared?.doorbell.ring(STOPS)
    },
    async idle() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ over }) => over))
    },
  }
}
