import { createStore, type StoreApi } from 'zustand'
import { afterEvent, type Answer, newAnswer, type Turn } from '../parts/turns.ts'
import { messageOf, ServerFailure } from '../server/call.ts'
import type { StreamedEvent } from '../server/event-frames.ts'
import { type AskBody, newChatId, rateAnswer, stopAnswer, streamAnswer } from '../server/chat.ts'

/** The conversation of a visitor. It is kept in the browser tab, so that it is still there after a reload. */
export type VisitorChat = {
  chatId: string
  turns: Turn[]
  isAnswering: boolean
  send(question: { question: string; form?: Record<string, unknown> }): void
  /** Decides about the call that waits. */
  decide(type: 'proceed' | 'reject', reason: string): void
  stop(): void
  rate(at: number, rating: 'THUMBS_UP' | 'THUMBS_DOWN'): Promise<void>
  /** Begins again; the conversation before is not shown any more. */
  restart(): void
}

/** What the conversation needs of the browser and the server. */
export type VisitorWorld = {
  storage: Pick<Storage, 'getItem' | 'setItem'>
  stream: typeof streamAnswer
  stopAnswer: typeof stopAnswer
  rateAnswer: typeof rateAnswer
}

/** Turns that are kept for a reload. */
const KEPT_TURNS = 50

type Kept = Pick<VisitorChat, 'chatId' | 'turns'>

const keyOf = (flowId: string) => `sluice.chat.${flowId}`

const LIVE = (): VisitorWorld => ({
  storage: sessionStorage,
  stream: streamAnswer,
  stopAnswer,
  rateAnswer,
})

export function createVisitorChat(flowId: string, world: VisitorWorld = LIVE()): StoreApi<VisitorChat> {
  const kept = readKept(world.storage, flowId)
  return createStore<VisitorChat>((set, get) => {
    const changeLast = (change: (answer: Answer) => Answer) => {
      const last = get().turns.at(-1)
      if (last?.answer) set({ turns: get().turns.with(-1, { ...last, answer: change(last.answer) }) })
    }
    const keep = () => {
      const { chatId, turns } = get()
      try {
        world.storage.setItem(keyOf(flowId), JSON.stringify({ chatId, turns: turns.slice(-KEPT_TURNS) }))
      } catch {
        // The store of the browser is full or switched off: the conversation ends with the page.
      }
    }

    async function ask(body: Omit<AskBody, 'chatId'>, question: string): Promise<void> {
      const { chatId, turns } = get()
      set({ turns: [...turns, { question, files: [], answer: newAnswer() }], isAnswering: true })
      const isShown = () => get().chatId === chatId
      try {
        const onEvent = (event: StreamedEvent) => {
          if (isShown()) changeLast((answer) => afterEvent(answer, event))
        }
        await world.stream(flowId, { ...body, chatId }, onEvent, 'visitor')
      } catch (error) {
        const failure = {
          code: error instanceof ServerFailure ? error.code : 'failed',
          message: messageOf(error),
        }
        if (isShown()) changeLast((answer) => ({ ...answer, state: 'ended', failure }))
      }
      if (!isShown()) return
      set({ isAnswering: false })
      keep()
    }

    return {
      ...kept,
      isAnswering: false,
      send({ question, form }) {
        if (!get().isAnswering) void ask(form ? { form } : { question }, question)
      },
      decide(type, reason) {
        const action = get().turns.at(-1)?.answer?.action
        if (!action) return
        const { nodeId } = action.data
        const feedback = reason.trim()
        const said = type === 'proceed' ? 'Approved' : 'Rejected'
        const question = feedback === '' ? said : `${said}: ${feedback}`
        const humanInput = {
          type,
          ...(typeof nodeId === 'string' ? { startNodeId: nodeId } : {}),
          ...(feedback === '' ? {} : { feedback }),
        }
        void ask({ question, humanInput }, question)
      },
      stop() {
        // The stream says when it has stopped; a server that does not answer has ended it already.
        void world.stopAnswer(flowId, get().chatId).catch(() => undefined)
      },
      async rate(at, rating) {
        const { chatId, turns } = get()
        const turn = turns[at]
        if (!turn?.answer?.id) return
        await world.rateAnswer(flowId, { chatId, messageId: turn.answer.id, rating })
        set({ turns: get().turns.with(at, { ...turn, answer: { ...turn.answer, rating } }) })
        keep()
      },
      restart() {
        set({ chatId: newChatId(), turns: [], isAnswering: false })
        keep()
      },
    }
  })
}

/** The conversation of this tab, or a new one. An answer that was being written when the page was left has ended. */
function readKept(storage: VisitorWorld['storage'], flowId: string): Kept {
  try {
    const { chatId, turns } = JSON.parse(storage.getItem(keyOf(flowId)) ?? '') as Kept
    if (typeof chatId === 'string' && Array.isArray(turns)) return { chatId, turns }
  } catch {
    // There is none, or it cannot be read.
  }
  return { chatId: newChatId(), turns: [] }
}
