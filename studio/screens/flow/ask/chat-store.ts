import { createStore, type StoreApi } from 'zustand'
import { ServerFailure, messageOf } from '../../../server/call.ts'
import {
  type AskBody,
  deleteMessages,
  listMessages,
  newChatId,
  type QuestionUpload,
  rateAnswer,
  stopStream,
  streamAnswer,
} from '../../../server/chat.ts'
import type { StreamedEvent } from '../../../server/event-frames.ts'
import { afterEvent, type Answer, newAnswer, type Turn, turnsOf } from '../../../parts/turns.ts'

/** A question to send. */
export type NewQuestion = {
  question: string
  form?: Record<string, unknown> | undefined
  uploads?: QuestionUpload[] | undefined
  overrides?: object | undefined
}

/** The conversation that is shown, and its answer while it is written. It outlives the screen: an answer goes on. */
export type Chat = {
  flowId: string
  chatId: string | undefined
  turns: Turn[]
  state: 'empty' | 'loading' | 'ready' | 'answering'
  /** Why the conversation cannot be shown, or a question cannot be asked again. */
  failure: string | undefined
  /** Shows a conversation, or none yet. */
  open(chatId: string | undefined): void
  /** Reads the open conversation again, after a failure. */
  readAgain(): void
  /** Asks, and gives the id of the conversation at once. */
  send(question: NewQuestion): string
  /** Decides about the call that waits. */
  decide(type: 'proceed' | 'reject', reason: string): void
  /** Asks a question again; it and all after it are deleted first. */
  askAgain(at: number, question: string, overrides?: object): Promise<void>
  stop(): void
  rate(at: number, rating: 'THUMBS_UP' | 'THUMBS_DOWN', content?: string): Promise<void>
}

export type ChatStore = StoreApi<Chat>

/** How often a conversation whose answer another request writes is read again, in milliseconds, and how many times. */
const READ_AGAIN = { ms: 1500, times: 40 }

const chats = new Map<string, ChatStore>()

/** The chat of a flow in this browser tab. */
export function chatOf(flowId: string): ChatStore {
  const known = chats.get(flowId)
  if (known) return known
  const made = createChat(flowId)
  chats.set(flowId, made)
  return made
}

function createChat(flowId: string): ChatStore {
  return createStore<Chat>((set, get) => {
    const shows = (chatId: string) => get().chatId === chatId
    /** Of the answer that is written. */
    let stream = new AbortController()

    async function load(chatId: string, again = READ_AGAIN.times): Promise<void> {
      try {
        const turns = turnsOf(await listMessages(flowId, chatId))
        if (!shows(chatId) || get().state === 'answering') return
        set({ turns, state: 'ready', failure: undefined })
        const unanswered = turns.length > 0 && turns.at(-1)!.answer === undefined
        if (unanswered && again > 0)
          setTimeout(() => shows(chatId) && void load(chatId, again - 1), READ_AGAIN.ms)
      } catch (error) {
        if (shows(chatId)) set({ state: 'ready', failure: messageOf(error) })
      }
    }

    const changeAnswer = (chatId: string, change: (answer: Answer) => Answer) => {
      if (!shows(chatId)) return
      const { turns } = get()
      const last = turns.at(-1)
      if (last?.answer) set({ turns: turns.with(-1, { ...last, answer: change(last.answer) }) })
    }

    async function ask(body: AskBody, turn: Turn): Promise<void> {
      const { chatId } = body
      set({ chatId, turns: [...get().turns, turn], state: 'answering', failure: undefined })
      stream = new AbortController()
      const { signal } = stream
      const onEvent = (event: StreamedEvent) => changeAnswer(chatId, (answer) => afterEvent(answer, event))
      try {
        await streamAnswer(flowId, body, onEvent, { signal })
      } catch (error) {
        const code = error instanceof ServerFailure ? error.code : 'failed'
        const failure = { code, message: messageOf(error) }
        changeAnswer(chatId, (answer) => ({ ...answer, state: 'ended', failure }))
      }
      if (!shows(chatId)) return
      set({ state: 'ready' })
      // The stored turns have ids and times. A question that was refused is not stored, so it must stay as it is.
      const { failure } = get().turns.at(-1)?.answer ?? {}
      if (!failure || ['cancelled'].includes(failure.code)) await load(chatId)
    }

    return {
      flowId,
      chatId: undefined,
      turns: [],
      state: 'empty',
      failure: undefined,
      open(chatId) {
        if (chatId === get().chatId) return
        if (chatId === undefined) return set({ chatId, turns: [], state: 'empty', failure: undefined })
        set({ chatId, turns: [], state: 'loading', failure: undefined })
        void load(chatId)
      },
      readAgain() {
        const { chatId, turns, state } = get()
        if (chatId === undefined || state === 'answering') return
        set({ state: turns.length === 0 ? 'loading' : 'ready', failure: undefined })
        void load(chatId)
      },
      send({ question, form, uploads, overrides }) {
        const chatId = get().chatId ?? newChatId()
        const body: AskBody = {
          chatId,
          ...(form ? { form } : { question }),
          ...(uploads?.length ? { uploads } : {}),
          ...(overrides ? { overrideConfig: overrides } : {}),
        }
        const files = (uploads ?? []).map(({ name }) => ({ name }))
        void ask(body, { question, files, uploads, answer: newAnswer() })
        return chatId
      },
      decide(type, reason) {
        const { chatId, turns } = get()
        const action = turns.at(-1)?.answer?.action
        if (chatId === undefined || !action) return
        const { nodeId } = action.data
        const feedback = reason.trim()
        const question = `${type === 'proceed' ? 'Approved' : 'Rejected'}${feedback ? `: ${feedback}` : ''}`
        const humanInput = {
          type,
          ...(typeof nodeId === 'string' ? { startNodeId: nodeId } : {}),
          ...(feedback ? { feedback } : {}),
        }
        void ask({ chatId, question, humanInput }, { question, files: [], answer: newAnswer() })
      },
      async askAgain(at, question, overrides) {
        const { chatId, turns, state } = get()
        const turn = turns[at]
        if (chatId === undefined || !turn || state === 'answering') return
        set({ state: 'answering', failure: undefined })
        try {
          // A turn that was not read back yet, or whose answer failed, may be stored all the same.
          const askedAt = turn.askedAt ?? turnsOf(await listMessages(flowId, chatId))[at]?.askedAt
          if (askedAt !== undefined) await deleteMessages(flowId, chatId, askedAt)
        } catch (error) {
          if (shows(chatId)) set({ state: 'ready', failure: messageOf(error) })
          return
        }
        if (!shows(chatId)) return
        set({ turns: turns.slice(0, at) })
        const { uploads, files } = turn
        const body = {
          chatId,
          question,
          ...(uploads?.length ? { uploads } : {}),
          ...(overrides ? { overrideConfig: overrides } : {}),
        }
        void ask(body, { question, files: uploads?.length ? files : [], uploads, answer: newAnswer() })
      },
      stop() {
        const { chatId } = get()
        if (chatId !== undefined) stopStream(flowId, chatId, stream)
      },
      async rate(at, rating, content) {
        const { chatId, turns } = get()
        const turn = turns[at]
        if (chatId === undefined || !turn?.answer?.id) return
        await rateAnswer(flowId, {
          chatId,
          messageId: turn.answer.id,
          rating,
          ...(content ? { content } : {}),
        })
        if (shows(chatId))
          set({ turns: get().turns.with(at, { ...turn, answer: { ...turn.answer, rating } }) })
      },
    }
  })
}
