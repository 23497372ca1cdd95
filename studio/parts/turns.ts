import type {
  ChatMessage,
  ExecutedNode,
  PendingAction,
  QuestionUpload,
  SourceDocument,
  UsedTool,
} from '../server/chat.ts'
import { waitingCalls } from './waiting-calls.ts'
import type { StreamedEvent } from '../server/event-frames.ts'

/** Why an answer did not end. `cancelled`: it was stopped. */
export type AnswerFailure = { code: string; message: string; nodeId?: string | undefined }

/** A tool call; `pending` until its result is there. */
export type ToolCall = UsedTool & { pending?: boolean }

/** A node of an agent flow; `data` is there once it has run. */
export type RunStep = Pick<ExecutedNode, 'nodeId' | 'nodeLabel' | 'status'> & Partial<ExecutedNode>

export type Answer = {
  /** The id of the message, once it is stored. */
  id?: string
  state: 'answering' | 'ended'
  text: string
  thinking: string
  tools: ToolCall[]
  sources: SourceDocument[]
  steps: RunStep[]
  action?: PendingAction | undefined
  executionId?: string | undefined
  failure?: AnswerFailure | undefined
  rating?: 'THUMBS_UP' | 'THUMBS_DOWN' | undefined
}

/** A question with its answer. A decision about a waiting call is a question too. */
export type Turn = {
  question: string
  files: { name: string; url?: string | undefined }[]
  /** What the question brought, until the server has stored it: so that one that failed can be asked again. */
  uploads?: QuestionUpload[] | undefined
  /** When the question was stored; undefined for one that was just sent. */
  askedAt?: string | undefined
  answer?: Answer | undefined
}

export const newAnswer = (): Answer => ({
  state: 'answering',
  text: '',
  thinking: '',
  tools: [],
  sources: [],
  steps: [],
})

/** The turns of a stored conversation. A tool call that an earlier turn shows is left out. */
export function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = []
  const shown = new Set<string>()
  for (const message of messages) {
    if (message.role === 'userMessage') {
      const { failure } = message
      turns.push({
        question: message.content,
        files: message.fileUploads.map(({ name, url }) => ({
          name: String(name),
          url: typeof url === 'string' ? url : undefined,
        })),
        askedAt: message.createdDate,
        ...(failure
          ? {
              answer: {
                ...newAnswer(),
                state: 'ended',
                failure,
                executionId: message.executionId ?? undefined,
              },
            }
          : {}),
      })
      continue
    }
    const tools = (message.usedTools ?? []).filter(({ trace }) => !trace || !shown.has(trace.callId))
    for (const { trace } of tools) if (trace) shown.add(trace.callId)
    const answer = answerOf(message, tools)
    const last = turns.at(-1)
    if (last && !last.answer) last.answer = answer
    else turns.push({ question: '', files: [], askedAt: message.createdDate, answer })
  }
  return turns
}

function answerOf(message: ChatMessage, tools: ToolCall[]): Answer {
  const { id, content, sourceDocuments, action, agentFlowExecutedData, executionId, failure, feedback } =
    message
  const thought = message.reasonContent
  return {
    id,
    state: 'ended',
    text: withoutRequest(content, action ?? undefined),
    thinking: isThought(thought) ? thought.thinking : '',
    tools,
    sources: sourceDocuments ?? [],
    steps: agentFlowExecutedData ?? [],
    action: action ?? undefined,
    executionId: executionId ?? undefined,
    failure: failure ?? undefined,
    rating: feedback?.rating,
  }
}

const isThought = (value: unknown): value is { thinking: string } =>
  typeof value === 'object' && value !== null && 'thinking' in value && typeof value.thinking === 'string'

/** The answer after an event of its stream. */
export function afterEvent(answer: Answer, { event, data, ...more }: StreamedEvent): Answer {
  switch (event) {
    case 'token':
      return { ...answer, text: answer.text + String(data) }
    case 'thinking':
      return { ...answer, thinking: answer.thinking + String(data) }
    case 'calledTools':
      return { ...answer, tools: [...answer.tools, ...pending(data as UsedTool[])] }
    case 'toolResult':
      return { ...answer, tools: withResult(answer.tools, data as UsedTool) }
    case 'usedTools':
      return { ...answer, tools: finalTools(answer.tools, data as UsedTool[]) }
    case 'sourceDocuments':
      return { ...answer, sources: data as SourceDocument[] }
    case 'nextAgentFlow':
      return { ...answer, steps: withStep(answer.steps, data as RunStep) }
    case 'agentFlowExecutedData':
      return { ...answer, steps: data as RunStep[] }
    case 'action':
      return {
        ...answer,
        action: data as PendingAction,
        text: withoutRequest(answer.text, data as PendingAction),
      }
    case 'metadata': {
      const { chatMessageId, executionId } = data as { chatMessageId?: string; executionId?: string }
      return { ...answer, ...(chatMessageId ? { id: chatMessageId } : {}), executionId }
    }
    case 'error':
      return {
        ...answer,
        failure: {
          code: String(more.code ?? 'failed'),
          message: String(data),
          nodeId: more.nodeId as string,
        },
      }
    case 'abort':
      return { ...answer, failure: { code: 'cancelled', message: 'The answer was stopped' } }
    case 'end':
      return { ...answer, state: 'ended' }
    default:
      return answer
  }
}

const pending = (calls: readonly UsedTool[]): ToolCall[] => calls.map((call) => ({ ...call, pending: true }))

function withResult(tools: readonly ToolCall[], result: UsedTool): ToolCall[] {
  const id = result.trace?.callId
  const at = tools.findIndex(({ pending, trace }) => pending && trace?.callId === id)
  return at < 0 ? [...tools, result] : tools.with(at, result)
}

/** The list at the end of an answer has calls of earlier turns too: those that were not seen here are left out. */
function finalTools(tools: readonly ToolCall[], all: readonly UsedTool[]): ToolCall[] {
  if (tools.length === 0) return [...all]
  const seen = new Set(tools.map(({ trace }) => trace?.callId))
  return all.filter(({ trace }) => trace === undefined || seen.has(trace.callId))
}

function withStep(steps: readonly RunStep[], step: RunStep): RunStep[] {
  const last = steps.at(-1)
  const goesOn = last?.nodeId === step.nodeId && last.status !== 'FINISHED'
  return goesOn ? [...steps.slice(0, -1), { ...last, status: step.status }] : [...steps, step]
}

/** Cuts the description of a waiting call from the end of an answer: it is shown with the buttons. */
function withoutRequest(text: string, action: PendingAction | undefined): string {
  const [call] = action ? waitingCalls(action) : []
  const at = call ? text.lastIndexOf(`Attempting to use the tool ${call.tool}:`) : -1
  return at < 0 ? text : text.slice(0, at).trimEnd()
}
