import type { UsedTool } from '../contract/agent.ts'
import type { ChatModel, ModelMessage, TokenUsage, ToolCall } from '../contract/chat-model.ts'
import type { Document } from '../contract/document.ts'
import type { JsonSchema, Tool, ToolCallContext } from '../contract/tool.ts'
import { addUsage, runModelTurn, throwIfCancelled } from './model-turn.ts'
import type { Emit } from './prediction.ts'
import { parseCallInput, refusedCall, runToolCall, type ToolCallResult } from './tool-calls.ts'
import { readToolInput } from './tool-input.ts'

/** The limits of one answer. `steps` counts model calls, `tokens` input and output together. */
export type LoopLimits = { steps: number; milliseconds: number; tokens: number }

/** Tool calls per model turn. More than this points to a confused model or an injected instruction. */
const MAX_CALLS = 32

export const DEFAULT_LOOP_LIMITS: LoopLimits = { steps: 15, milliseconds: 600_000, tokens: 1_000_000 }

export type LoopAgent = {
  model: ChatModel
  tools: ReadonlyMap<string, Tool>
  callContext: ToolCallContext
  limits: LoopLimits
  /** The shape of an answer that must be JSON. Its tokens are not emitted. */
  answerSchema?: { name: string; schema: JsonSchema }
  /** Whether a person must approve calls of a tool. */
  needsApproval?(tool: Tool): boolean
}

/**
 * A tool call of the last model turn. `approved`: a person has approved it. `answer` is set when the call has been made
 * or refused.
 */
type OpenCall = { call: ToolCall; approved?: boolean; answer?: { output: string; failed: boolean } }

/**
 * The progress of a loop. It is stored as JSON while the run waits for a person: a renamed field would break the runs
 * that wait.
 */
export type LoopState = {
  messages: ModelMessage[]
  usedTools: UsedTool[]
  documents: Document[]
  usage: TokenUsage
  /** The number of model calls so far. */
  steps: number
  /** The calls of the last model turn, until all have an answer. */
  open: OpenCall[]
}

export type LoopResult = {
  text: string
  state: LoopState
  /** The text is not the model's: a limit was reached, or a tool answered the user directly. */
  stopped?: boolean
  /** The call that waits for a person's decision. */
  waiting?: ToolCall
}

export const initialLoopState = (messages: ModelMessage[]): LoopState => ({
  messages,
  usedTools: [],
  documents: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  steps: 0,
  open: [],
})

/**
 * Calls a model, then the tools that it requests, again and again, until the model answers, a person has to decide, or
 * a limit is reached. A limit ends the loop with a text that names it, not with an exception.
 *
 * @throws SluiceError `cancelled`, and the errors of the model
 */
export async function runLoop(
  agent: LoopAgent,
  state: LoopState,
  emit: Emit,
  signal: AbortSignal,
): Promise<LoopResult> {
  const { milliseconds } = agent.limits
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), milliseconds)
  const progress = { state }
  try {
    return await loop(agent, progress, emit, AbortSignal.any([signal, deadline.signal]))
  } catch (error) {
    throwIfCancelled(signal)
    if (!deadline.signal.aborted) throw error
    return stop(
      `Agent stopped because it took longer than ${milliseconds / 1000} seconds.`,
      progress.state,
      emit,
    )
  } finally {
    clearTimeout(timer)
  }
}

/** Applies a person's decision to the first call that waits for one. */
export function applyDecision(state: LoopState, proceed: boolean, feedback: string | undefined): LoopState {
  const waiting = state.open.find(({ approved, answer }) => !approved && !answer)
  if (!waiting) return state
  if (proceed)
    return {
      ...state,
      open: state.open.map((open) => (open === waiting ? { ...open, approved: true } : open)),
    }
  const answer = refusedCall(
    waiting.call,
    `The user did not allow this call.${feedback ? ` The user says: ${feedback}` : ''}`,
  )
  return withAnswers(state, [answer])
}

/** @param progress holds the latest state, also after this function throws */
async function loop(
  agent: LoopAgent,
  progress: { state: LoopState },
  emit: Emit,
  signal: AbortSignal,
): Promise<LoopResult> {
  const { model, limits, answerSchema } = agent
  const descriptions = [...agent.tools.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }))
  for (;;) {
    let { state } = progress
    if (state.open.length > 0) {
      state = progress.state = await answerOpen(agent, state, emit, signal)
      const waiting = state.open.find(({ answer }) => !answer)
      if (waiting) return { text: '', state, waiting: waiting.call }
      const direct = directAnswer(agent, state.open)
      state = progress.state = closeTurn(state)
      if (direct !== undefined) return stop(direct, state, emit)
    }
    const limit = limitReached(state, limits)
    if (limit !== undefined) return stop(limit, state, emit)
    throwIfCancelled(signal)
    const request = {
      messages: state.messages,
      ...(descriptions.length > 0 ? { tools: descriptions } : {}),
      ...(answerSchema ? { answerSchema } : {}),
    }
    const turn = await runModelTurn(model, request, answerSchema ? withoutTokens(emit) : emit, signal)
    state = { ...state, steps: state.steps + 1, usage: addUsage(state.usage, turn.usage) }
    if (turn.calls.length === 0) {
      const message: ModelMessage = { role: 'assistant', content: turn.text }
      return { text: turn.text, state: { ...state, messages: [...state.messages, message] } }
    }
    const message: ModelMessage = { role: 'assistant', content: turn.text, toolCalls: turn.calls }
    progress.state = {
      ...state,
      messages: [...state.messages, message],
      open: turn.calls.map((call) => ({ call })),
    }
  }
}

function limitReached({ steps, usage }: LoopState, limits: LoopLimits): string | undefined {
  if (steps >= limits.steps) return 'Agent stopped due to max iterations.'
  if (usage.inputTokens + usage.outputTokens >= limits.tokens)
    return `Agent stopped because it used more than ${limits.tokens} tokens.`
  return undefined
}

/** Makes all calls that need no approval, in parallel. Calls that wait for approval stay without an answer. */
async function answerOpen(
  agent: LoopAgent,
  state: LoopState,
  emit: Emit,
  signal: AbortSignal,
): Promise<LoopState> {
  const free = state.open
    .filter(({ approved, answer, call }) => !answer && (approved || !awaitsApproval(agent, call)))
    .map(({ call }) => call)
  if (free.length === 0) return state
  const made = free.slice(0, MAX_CALLS)
  const skipped = free.slice(MAX_CALLS)
  await emit({
    event: 'calledTools',
    data: made.map((call) => ({
      tool: call.name,
      toolInput: parseCallInput(call),
      toolOutput: '',
      trace: { callId: call.id },
    })),
  })
  const make = async (call: ToolCall) => {
    const result = await runToolCall(call, agent.tools, agent.callContext, signal)
    await emit({ event: 'toolResult', data: result.used })
    return result
  }
  return withAnswers(state, [
    ...(await Promise.all(made.map(make))),
    ...skipped.map((call) =>
      refusedCall(call, `Not called: no more than ${MAX_CALLS} calls are made at once.`),
    ),
  ])
}

/** Whether a person has to approve a call. A call that cannot be made (unknown tool, invalid input) needs no approval. */
function awaitsApproval({ tools, needsApproval }: LoopAgent, call: ToolCall): boolean {
  const tool = tools.get(call.name)
  if (!tool || !needsApproval?.(tool)) return false
  try {
    readToolInput(call.input, tool.parameters)
    return true
  } catch {
    return false
  }
}

function withAnswers(state: LoopState, answers: readonly ToolCallResult[]): LoopState {
  const byCall = new Map(answers.map((answer) => [answer.call, answer]))
  return {
    ...state,
    usedTools: [...state.usedTools, ...answers.map(({ used }) => used)],
    documents: [...state.documents, ...answers.flatMap(({ documents }) => documents)],
    open: state.open.map((open) => {
      const answer = byCall.get(open.call)
      return answer ? { ...open, answer: { output: answer.output, failed: answer.failed } } : open
    }),
  }
}

/** The outputs of `returnDirect` tools, which go to the user unchanged. Failed calls go to the model instead. */
function directAnswer({ tools }: LoopAgent, open: readonly OpenCall[]): string | undefined {
  const direct = open.filter(({ call, answer }) => tools.get(call.name)?.returnDirect && !answer!.failed)
  return direct.length > 0 ? direct.map(({ answer }) => answer!.output).join('\n\n') : undefined
}

/** Adds the answers to the messages, in the order of the calls. */
const closeTurn = (state: LoopState): LoopState => ({
  ...state,
  open: [],
  messages: [
    ...state.messages,
    ...state.open.map(
      ({ call, answer }): ModelMessage => ({
        role: 'tool',
        callId: call.id,
        name: call.name,
        content: answer!.output,
        ...(answer!.failed ? { failed: true } : {}),
      }),
    ),
  ],
})

/** Ends with a text that is not the model's. It becomes an assistant message of the conversation all the same. */
async function stop(text: string, state: LoopState, emit: Emit): Promise<LoopResult> {
  await emit({ event: 'token', data: text })
  return {
    text,
    stopped: true,
    state: { ...state, messages: [...state.messages, { role: 'assistant', content: text }] },
  }
}

const withoutTokens =
  (emit: Emit): Emit =>
  (event) => {
    if (event.event !== 'token') return emit(event)
  }
