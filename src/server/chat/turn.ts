import type { AgentOutcome } from '../../contract/agent.ts'
import type { ChatType } from '../../contract/chat-message.ts'
import type { TokenUsage } from '../../contract/chat-model.ts'
import type { PredictionRequest, Emit, PreparedRun, Predictor } from '../../agent/prediction.ts'
import type { ChatFile, ChatMessageRow, ChatMessageStore } from '../../contract/chat-message-store.ts'
import type { FlowExecutionStore } from '../../contract/flow-execution-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Warning } from '../../flow/overrides.ts'
import { randomId } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { flowSource } from '../stored-flow.ts'
import { executionLog } from './execution-log.ts'
import type { ChatRuns } from './runs.ts'

/** A question of a client, read and ready to be asked. */
export type ChatRequest = Omit<PredictionRequest, 'messageId' | 'chatId'> & {
  chatId: string | undefined
  leadEmail?: string | undefined
  /** Pictures to be kept with the question. */
  files: readonly ChatFile[]
  chatType: ChatType
  /** What of the request took no effect, to be named with the answer. */
  warnings?: readonly Warning[]
}

/** A question that can be answered; its answer has an id before it has a text. */
export type ChatTurn = {
  /** Whether the answer can be told piece by piece. */
  streams: boolean
  /** The id that the answer will have. */
  chatMessageId: string
  /**
   * Stores the question, so that one that fails is not lost; the last that can be refused before an answer begins.
   *
   * @throws SluiceError `session_taken`, `flow_not_found`
   */
  begin(): Promise<void>
  /**
   * Asks, once, and stores the answer; of one that was told piece by piece and broke off, what the client has seen.
   *
   * @param shown what is told, where the client sees it
   * @throws SluiceError why there is no answer; the reason of the signal where it was stopped
   */
  run(gone: AbortSignal, shown?: Emit): Promise<{ prediction: Prediction; usage: TokenUsage }>
}

/** An answer as clients of Flowise read it (compat 3.3). */
export type Prediction = {
  text: string
  chatId: string
  chatMessageId: string
  sessionId: string
} & JsonObject

/** @param caller the name of whoever asks; a session of a closed flow is its own */
export type PrepareTurn = (flow: FlowRow, request: ChatRequest, caller: string) => Promise<ChatTurn>

export type TurnOptions = {
  predictor: Predictor
  messages: ChatMessageStore
  executions: FlowExecutionStore
  runs: ChatRuns
}

/** Whose a conversation is: of nobody in particular where the flow is open. */
export const sessionOwner = (flow: FlowRow, caller: string): string | null =>
  flow.apiKeyId === null ? null : caller

export function createPrepareTurn({ predictor, messages, executions, runs }: TurnOptions): PrepareTurn {
  return async (flow, request, caller) => {
    const { leadEmail, files, chatType, warnings = [], ...asked } = request
    // An agent flow that is resumed, and a client that names its session alone, goes on with that.
    const chatId = asked.chatId ?? asked.sessionId ?? randomId()
    const chatMessageId = randomId()
    const prepared = await predictor.prepare(flowSource(flow), { ...asked, chatId, messageId: chatMessageId })
    const owner = sessionOwner(flow, caller)
    const ids = { chatId, chatMessageId, sessionId: prepared.sessionId }
    const common = {
      flowId: flow.id,
      chatId,
      sessionId: prepared.sessionId,
      chatType,
      memoryType: prepared.memoryType ?? null,
    }

    const question: ChatMessageRow = {
      ...common,
      id: randomId(),
      role: 'userMessage',
      content: asked.question ?? (asked.form ? JSON.stringify(asked.form) : ''),
      details: {
        ...(leadEmail === undefined ? {} : { leadEmail }),
        ...(files.length === 0 ? {} : { fileUploads: files.map(storedFile) }),
      },
      createdAt: Date.now(),
    }

    const store = (content: string, details: JsonObject) =>
      messages.addAnswer(question.id, {
        ...common,
        id: chatMessageId,
        role: 'apiMessage',
        content,
        details,
        createdAt: Date.now(),
      })

    async function work(signal: AbortSignal, shown?: Emit): Promise<AgentOutcome> {
      let seen = ''
      const facts = { flowId: flow.id, questionId: question.id, chatId, sessionId: prepared.sessionId }
      const execution = executionLog(executions, facts, asked.humanInput !== undefined)
      try {
        const outcome = await prepared.run((event) => {
          execution.note(event)
          if (shown && event.event === 'token') seen += event.data
          return shown?.(event)
        }, signal)
        const executionId = await execution.ended(outcome)
        return executionId === undefined ? outcome : { ...outcome, executionId }
      } catch (error) {
        await execution.failed(error, signal.aborted)
        if (seen !== '') await store(seen, {})
        throw signal.aborted ? signal.reason : error
      }
    }

    return {
      streams: prepared.streams,
      chatMessageId,
      begin: () => messages.addQuestion({ message: question, owner, anyOwner: caller === 'manager', files }),
      run(gone, shown) {
        return runs.run({ flowId: flow.id, chatId, owner }, gone, async (signal) => {
          const outcome = await work(signal, shown)
          await store(textOf(outcome), detailsOf(outcome))
          const prediction = {
            ...predictionOf(outcome, prepared, warnings),
            ...asking(asked.question),
            ...ids,
          }
          return { prediction, usage: outcome.usage }
        })
      },
    }
  }
}

const storedFile = ({ id, name, mime }: ChatFile) => ({ id, name, mime, type: 'stored-file' })

const asking = (question: string | undefined) => (question === undefined ? {} : { question })

const textOf = ({ text, json }: AgentOutcome): string => (json === undefined ? text : JSON.stringify(json))

/** What of an outcome is there, by the names that both the answer and the stored message give it. */
function detailsOf(outcome: AgentOutcome): JsonObject {
  const { sourceDocuments, usedTools, action, agentFlowExecutedData, executionId } = outcome
  const told = { sourceDocuments, usedTools, action, agentFlowExecutedData, executionId }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)) as JsonObject
}

function predictionOf(
  outcome: AgentOutcome,
  { memoryType, streams, warnings }: PreparedRun,
  ofRequest: readonly Warning[],
) {
  const all = [...ofRequest, ...warnings]
  return {
    text: outcome.text,
    ...(outcome.json === undefined ? {} : { json: outcome.json }),
    ...(memoryType === undefined ? {} : { memoryType }),
    ...detailsOf(outcome),
    isStreamValid: streams,
    ...(all.length === 0 ? {} : { warnings: all as Json[] }),
  }
}
