import { setTimeout as wait } from 'node:timers/promises'
import { SluiceError } from '../../kit/errors.ts'

/** A run in a conversation. `owner` is null for an open flow: every caller that has the chat id may stop its runs. */
export type RunKey = { flowId: string; chatId: string; owner: string | null }

export type ChatRuns = {
  /**
   * Does work with a signal that aborts when the client leaves, when the conversation is stopped, or some seconds after
   * the server begins to stop. The reason of the signal is a SluiceError.
   */
  run<T>(key: RunKey, gone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Stops the runs of a conversation and returns their number. `anyOwner`: also those of other owners. */
  abort(key: RunKey, options?: { anyOwner: boolean }): number
  /** Resolves when no run is in progress. */
  idle(): Promise<void>
}

/** How long runs may continue after the server begins to stop: containers are killed after ten seconds. */
const GRACE_MS = 5000

/** The runs in progress. A conversation may have several. */
export function createChatRuns(stopping: AbortSignal, graceMs = GRACE_MS): ChatRuns {
  const running = new Map<RunKey, { stop: AbortController; ended: Promise<unknown> }>()
  const stopped = new AbortController()
  stopping.addEventListener('abort', async () => {
    await wait(graceMs, undefined, { ref: false })
    stopped.abort(new SluiceError('stopping'))
  })

  return {
    async run(run, gone, work) {
      const stop = new AbortController()
      const ended = work(AbortSignal.any([gone, stop.signal, stopped.signal]))
      // A copy: the same key may run several times.
      const key = { ...run }
      running.set(key, { stop, ended: ended.catch(() => {}) })
      try {
        return await ended
      } finally {
        running.delete(key)
      }
    },
    abort({ flowId, chatId, owner }, { anyOwner } = { anyOwner: false }) {
      const found = [...running].filter(
        ([run]) => run.flowId === flowId && run.chatId === chatId && (anyOwner || run.owner === owner),
      )
      for (const [, { stop }] of found) stop.abort(new SluiceError('cancelled'))
      return found.length
    },
    async idle() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
