import type { PredictionRequest, Emit, PreparedRun, Predictor } from '../../agent/prediction.ts'
import type { AgentEvent, AgentOutcome, UsedTool } from '../../contract/agent.ts'
import type { ChatFile, ChatMessageRow, ChatMessageStore } from '../../contract/chat-message-store.ts'
import type { ChatType } from '../../contract/chat-message.ts'
import type { TokenUsage } from '../../contract/chat-model.ts'
import type { Fence } from '../../contract/fence.ts'
import type { ExecutionFailure, FlowExecutionStore } from '../../contract/flow-execution-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Warning } from '../../flow/apply-request.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { type EndedExecution, executionLog } from './execution-log.ts'
import { eventForVisitor, outcomeForVisitor } from './manager-facts.ts'
import type { ChatRuns } from './runs.ts'

/** A question of a client, after its body was read. */
export type ChatRequest = Omit<PredictionRequest, 'messageId' | 'chatId' | 'fence'> & {
  chatId: string | undefined
  leadEmail?: string | undefined
  /** Pictures to store with the question. */
  files: readonly ChatFile[]
  chatType: ChatType
  /** Parts of the request without effect, to list in the answer. */
  warnings?: readonly Warning[]
}

/** A question and its answer, ready to run. */
export type ChatTurn = {
  /** Whether the answer can be streamed. */
  streams: boolean
  /** The id of the answer, known before the answer. */
  chatMessageId: string
  /**
   * Stores the question, so that it is kept if the answer fails. This is the last step that can refuse the request.
   *
   * @throws SluiceError `session_taken`, `flow_not_found`
   */
  begin(): Promise<void>
  /**
   * Answers the question and stores the answer; of a streamed answer that is cut short, the part that was streamed.
   * Call it once.
   *
   * @param onEvent receives the events of a streamed answer
   * @throws SluiceError the failure; the reason of the signal if it was stopped
   */
  run(gone: AbortSignal, onEvent?: Emit): Promise<{ prediction: Prediction; usage: TokenUsage }>
}

/** An answer as clients of Flowise expect it. */
export type Prediction = {
  text: string
  chatId: string
  chatMessageId: string
  sessionId: string
} & JsonObject

/** Who asks: the name of the caller, and what limits the caller to the documents of its pins. */
export type ChatCaller = { name: string; fence: Fence | undefined }

/** A manager, who may continue every session. */
export const MANAGER: ChatCaller = { name: 'manager', fence: undefined }

/** @param caller owns the session if the flow is closed, or if its key has pins */
export type PrepareTurn = (flow: FlowRow, request: ChatRequest, caller: ChatCaller) => Promise<ChatTurn>

export type TurnOptions = {
  predictor: Predictor
  messages: ChatMessageStore
  executions: FlowExecutionStore
  runs: ChatRuns
}

/** The owner of a session; null for an open flow, whose sessions have no owner unless the key has pins. */
export const sessionOwner = (flow: FlowRow, { name, fence }: ChatCaller): string | null =>
  flow.apiKeyId === null && !fence ? null : name

export function createPrepareTurn({ predictor, messages, executions, runs }: TurnOptions): PrepareTurn {
  return async (flow, request, caller) => {
    const { leadEmail, files, chatType, warnings = [], ...question } = request
    // Without a chat id the session id names the conversation, so that a run that waits can be resumed.
    const chatId = question.chatId ?? question.sessionId ?? randomId()
    const chatMessageId = randomId()
    const prepared = await predictor.prepare(flowSource(flow), {
      ...question,
      chatId,
      messageId: chatMessageId,
      fence: caller.fence,
    })
    const owner = sessionOwner(flow, caller)
    const ids = { chatId, chatMessageId, sessionId: prepared.sessionId }
    const common = {
      flowId: flow.id,
      chatId,
      sessionId: prepared.sessionId,
      chatType,
      memoryType: prepared.memoryType ?? null,
    }

    const message: ChatMessageRow = {
      ...common,
      id: randomId(),
      role: 'userMessage',
      content: question.question ?? (question.form ? JSON.stringify(question.form) : ''),
      details: {
        ...(leadEmail === undefined ? {} : { leadEmail }),
        ...(files.length === 0 ? {} : { fileUploads: files.map(storedFile) }),
      },
      createdAt: Date.now(),
    }

    const store = (content: string, details: JsonObject) =>
      messages.addAnswer(message.id, {
        ...common,
        id: chatMessageId,
        role: 'apiMessage',
        content,
        details,
        createdAt: Date.now(),
      })

    const isManager = caller.name === MANAGER.name

    /** The answer of a chat flow stays as clients of Flowise know it: without the id of a run, which only managers read. */
    function forVisitor(outcome: AgentOutcome): AgentOutcome {
      const { executionId, ...shown } = outcomeForVisitor(outcome)
      return prepared.answerer || executionId === undefined ? shown : { ...shown, executionId }
    }

    async function runFlow(
      signal: AbortSignal,
      onEvent?: Emit,
    ): Promise<{ outcome: AgentOutcome; stored: Promise<unknown> }> {
      const answered = answerSoFar()
      const execution = executionLog(executions, {
        facts: { flowId: flow.id, questionId: message.id, chatId, sessionId: prepared.sessionId },
        question: message.content,
        answerer: prepared.answerer,
        decision: question.humanInput,
      })
      try {
        const outcome = await prepared.run((event) => {
          execution.note(event)
          if (!onEvent || event.event === 'span') return
          answered.note(event)
          const shown = isManager ? event : eventForVisitor(event)
          return shown && onEvent(shown)
        }, signal)
        const ended = await execution.ended(outcome)
        return { outcome: { ...outcome, ...answered.thinking(), ...idOf(ended) }, stored: ended.stored }
      } catch (error) {
        const thrown: unknown = signal.aborted ? signal.reason : error
        const failure = failureOf(thrown)
        const ended = await execution.failed(failure, signal.aborted)
        const details: JsonObject = { failure, ...idOf(ended) }
        const { text, ...rest } = answered.parts()
        const keep =
          text === '' ? messages.noteFailure(message.id, details) : store(text, { ...rest, ...details })
        await Promise.all([keep, ended.stored])
        throw thrown
      }
    }

    return {
      streams: prepared.streams,
      chatMessageId,
      begin: () =>
        messages.addQuestion({
          ...{ message, owner, files },
          anyOwner: isManager,
          // The answers have documents of the fence: others must not go on with them.
          ownedOnly: caller.fence !== undefined,
        }),
      run(gone, onEvent) {
        return runs.run({ flowId: flow.id, chatId, owner }, gone, async (signal) => {
          const { outcome, stored } = await runFlow(signal, onEvent)
          // The record of the run is written beside the answer, which does not come later for it.
          await Promise.all([store(textOf(outcome), detailsOf(outcome)), stored])
          const prediction = {
            ...predictionOf(isManager ? outcome : forVisitor(outcome), prepared, warnings),
            ...(question.question === undefined ? {} : { question: question.question }),
            ...ids,
          }
          return { prediction, usage: outcome.usage }
        })
      },
    }
  }
}

/** The most characters of thinking that are stored with an answer. */
const STORED_THINKING = 50_000

/** Collects what a client has received of an answer, to keep it if the answer does not end. */
function answerSoFar() {
  let text = ''
  const thought = { thinking: '', thinkingDuration: 0 }
  const usedTools: UsedTool[] = []
  const thinking = () => (thought.thinking === '' ? {} : { reasonContent: { ...thought } })
  return {
    note(event: AgentEvent) {
      if (event.event === 'token') text += event.data
      if (event.event === 'toolResult') usedTools.push(event.data)
      if (event.event !== 'thinking') return
      thought.thinking = (thought.thinking + event.data).slice(0, STORED_THINKING)
      thought.thinkingDuration += event.duration ?? 0
    },
    thinking,
    parts: () => ({ text, ...thinking(), ...(usedTools.length > 0 ? { usedTools } : {}) }),
  }
}

const idOf = ({ executionId }: EndedExecution) => (executionId === undefined ? {} : { executionId })

/** Why an answer did not end, as it is stored. A failure inside the server has its details in the log alone. */
function failureOf(thrown: unknown): ExecutionFailure {
  if (!(thrown instanceof SluiceError)) return { code: 'internal', message: 'Internal error' }
  const { code, message, facts } = thrown
  return {
    code,
    message,
    ...(facts.hint === undefined ? {} : { hint: facts.hint }),
    ...(facts.nodeId === undefined ? {} : { nodeId: String(facts.nodeId) }),
  }
}

const storedFile = ({ id, name, mime }: ChatFile) => ({ id, name, mime, type: 'stored-file' })

const textOf = ({ text, json }: AgentOutcome): string => (json === undefined ? text : JSON.stringify(json))

/** The present fields of an outcome, with their names in the answer and the stored message. */
function detailsOf(outcome: AgentOutcome): JsonObject {
  const { sourceDocuments, usedTools, action, agentFlowExecutedData, executionId, reasonContent } = outcome
  const details = { sourceDocuments, usedTools, action, agentFlowExecutedData, executionId, reasonContent }
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)) as JsonObject
}

function predictionOf(
  { reasonContent: _, ...outcome }: AgentOutcome,
  { memoryType, streams, warnings }: PreparedRun,
  requestWarnings: readonly Warning[],
) {
  const all = [...requestWarnings, ...warnings]
  return {
    text: outcome.text,
    ...(outcome.json === undefined ? {} : { json: outcome.json }),
    ...(memoryType === undefined ? {} : { memoryType }),
    ...detailsOf(outcome),
    isStreamValid: streams,
    ...(all.length === 0 ? {} : { warnings: all as Json[] }),
  }
}
