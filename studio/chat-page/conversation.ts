import { createStore, type StoreApi } from 'zustand'
import { afterEvent, type Answer, newAnswer, type Turn } from '../parts/turns.ts'
import { messageOf, ServerFailure } from '../server/call.ts'
import type { StreamedEvent } from '../server/event-frames.ts'
import { type AskBody, newChatId, rateAnswer, stopStream, streamAnswer } from '../server/chat.ts'

type Asked = Omit<AskBody, 'chatId'>

/** `asked`: what was sent, so that a question that failed can be asked again. */
export type AskedTurn = Turn & { asked: Asked }

/** The conversation of a visitor. It is kept in the browser tab, so that it is still there after a reload. */
export type VisitorChat = {
  chatId: string
  turns: AskedTurn[]
  state: 'ready' | 'answering' | 'stopping'
  send(question: { question: string; form?: Record<string, unknown> }): void
  /** Decides about the call that waits. */
  decide(type: 'proceed' | 'reject', reason: string): void
  /** Sends the last question once more, in the place of its answer. */
  askAgain(): void
  stop(): void
  rate(at: number, rating: 'THUMBS_UP' | 'THUMBS_DOWN'): Promise<void>
  /** Begins again; the conversation before is not shown any more. */
  restart(): void
}

/** What the conversation needs of the browser and the server. */
export type VisitorWorld = {
  storage: Pick<Storage, 'getItem' | 'setItem'>
  stream: typeof streamAnswer
  stopStream: typeof stopStream
  rateAnswer: typeof rateAnswer
}

/** Turns that are kept for a reload. */
const KEPT_TURNS = 50

type Kept = Pick<VisitorChat, 'chatId' | 'turns'>

/** What an answer has instead of its end where the page was left while it was written. */
const LEFT = { code: 'page_left', message: 'The page was left before the answer ended' }

const keyOf = (flowId: string) => `sluice.chat.${flowId}`

const LIVE = (): VisitorWorld => ({
  storage: sessionStorage,
  stream: streamAnswer,
  stopStream,
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

    /** Of the answer that is written. */
    let stream = new AbortController()

    async function ask(asked: Asked, question: string, before: AskedTurn[] = get().turns): Promise<void> {
      const { chatId } = get()
      set({ turns: [...before, { question, asked, files: [], answer: newAnswer() }], state: 'answering' })
      // Now, too: a page that is left at this moment has asked, and this conversation is the one that was asked in.
      keep()
      stream = new AbortController()
      const { signal } = stream
      const isShown = () => get().chatId === chatId
      try {
        const onEvent = (event: StreamedEvent) => {
          if (isShown()) changeLast((answer) => afterEvent(answer, event))
        }
        await world.stream(flowId, { ...asked, chatId }, onEvent, { asker: 'visitor', signal })
      } catch (error) {
        const failure = {
          code: error instanceof ServerFailure ? error.code : 'failed',
          message: messageOf(error),
        }
        if (isShown()) changeLast((answer) => ({ ...answer, state: 'ended', failure }))
      }
      if (!isShown()) return
      set({ state: 'ready' })
      keep()
    }

    return {
      ...kept,
      state: 'ready',
      send({ question, form }) {
        if (get().state === 'ready') void ask(form ? { form } : { question }, question)
      },
      decide(type, reason) {
        const action = get().turns.at(-1)?.answer?.action
        if (!action || get().state !== 'ready') return
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
      askAgain() {
        const { turns, state } = get()
        const last = turns.at(-1)
        if (last && state === 'ready') void ask(last.asked, last.question, turns.slice(0, -1))
      },
      stop() {
        if (get().state !== 'answering') return
        set({ state: 'stopping' })
        world.stopStream(flowId, get().chatId, stream)
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
        get().stop()
        set({ chatId: newChatId(), turns: [], state: 'ready' })
        keep()
      },
    }
  })
}

/** The conversation of this tab, or a new one. */
function readKept(storage: VisitorWorld['storage'], flowId: string): Kept {
  try {
    const { chatId, turns } = JSON.parse(storage.getItem(keyOf(flowId)) ?? '') as Kept
    if (typeof chatId === 'string' && Array.isArray(turns)) return { chatId, turns: turns.map(keptTurn) }
  } catch {
    // There is none, or it cannot be read.
  }
  return { chatId: newChatId(), turns: [] }
}

/** A turn as it was kept, perhaps by an earlier version of this page. An answer that was being written has ended. */
function keptTurn({ question, asked = { question }, answer, ...turn }: AskedTurn): AskedTurn {
  const wasLeft = answer?.state === 'answering'
  return { ...turn, question, asked, answer: wasLeft ? { ...answer, state: 'ended', failure: LEFT } : answer }
}
