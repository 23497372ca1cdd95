import { setTimeout as wait } from 'node:timers/promises'
import { SluiceError } from '../../kit/errors.ts'

/** Whose run it is. `owner` is null where the flow is open: there whoever knows the chat may stop it. */
export type RunKey = { flowId: string; chatId: string; owner: string | null }

export type ChatRuns = {
  /**
   * Does work that ends early when the client is gone, when somebody stops the chat, or some time after the server
   * is told to stop; the reason of the signal, a SluiceError, says which.
   */
  run<T>(of: RunKey, gone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Stops what a chat is doing; tells how many runs that were. A manager stops anybody's. */
  abort(of: RunKey, options?: { anyOwner: boolean }): number
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>
}

/** How long answers under way may still take once the server is told to stop: containers are killed after ten seconds. */
const GRACE_MS = 5000

/** The answers that are being made. Two of one chat know nothing of each other. */
export function createChatRuns(stopping: AbortSignal, graceMs = GRACE_MS): ChatRuns {
  const underWay = new Map<RunKey, { stop: AbortController; ended: Promise<unknown> }>()
  const stopped = new AbortController()
  stopping.addEventListener('abort', async () => {
    await wait(graceMs, undefined, { ref: false })
    stopped.abort(new SluiceError('stopping'))
  })

  return {
    async run(of, gone, work) {
      const stop = new AbortController()
      const ended = work(AbortSignal.any([gone, stop.signal, stopped.signal]))
      const key = { ...of }
      underWay.set(key, { stop, ended: ended.catch(() => {}) })
      try {
        return await ended
      } finally {
        underWay.delete(key)
      }
    },
    abort({ flowId, chatId, owner }, { anyOwner } = { anyOwner: false }) {
      const meant = [...underWay].filter(
        ([of]) => of.flowId === flowId && of.chatId === chatId && (anyOwner || of.owner === owner),
      )
      for (const [, { stop }] of meant) stop.abort(new SluiceError('cancelled'))
      return meant.length
    },
    async idle() {
      while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ ended }) => ended))
    },
  }
}
