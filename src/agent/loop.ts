import type { UsedTool } from '../contract/agent.ts'
import type { ModelMessage, ChatModel, ToolCall, TokenUsage } from '../contract/chat-model.ts'
import type { Document } from '../contract/document.ts'
import type { CallContext, JsonSchema, Tool } from '../contract/tool.ts'
import type { Emit } from './prediction.ts'
import { type ToolCallResult, runToolCall, refusedCall, parseCallInput } from './tool-calls.ts'
import { readToolInput } from './tool-input.ts'
import { addUsage, runModelTurn, throwIfCancelled } from './model-turn.ts'

/** What one answer may cost. */
export type LoopLimits = { steps: number; milliseconds: number; tokens: number }

/** How many calls of one turn are made; a model that asks for more has lost its way, or was led astray. */
const MOST_CALLS = 32

export const DEFAULT_LOOP_LIMITS: LoopLimits = { steps: 15, milliseconds: 600_000, tokens: 1_000_000 }

export type LoopAgent = {
  model: ChatModel
  tools: ReadonlyMap<string, Tool>
  /** What code of tools may know of the run. */
  callContext: CallContext
  limits: LoopLimits
  /** The answer is to be JSON of this shape; then no tokens are let out. */
  answerSchema?: { name: string; schema: JsonSchema }
  /** Whether a person is asked before a tool is called. */
  needsApproval?(tool: Tool): boolean
}

/** A call of the last turn, with its answer once there is one. */
type OpenCall = { call: ToolCall; approved?: boolean; answer?: { output: string; failed: boolean } }

/** How far a loop has come: plain JSON, so that it can wait for a person as long as it takes. */
export type LoopState = {
  messages: ModelMessage[]
  usedTools: UsedTool[]
  documents: Document[]
  usage: TokenUsage
  /** How often the model was asked. */
  steps: number
  open: OpenCall[]
}

export type LoopResult = {
  text: string
  state: LoopState
  /** The words are not the model's: a limit was reached, or a tool has answered the user. */
  stopped?: boolean
  /** The call that a person has to decide on before anything goes on. */
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
 * Asks a model, does what it asks for, tells it what came of that, and asks again, until it answers, a person is needed
 * or a limit is reached; a limit ends with a clear answer, never with an exception.
 *
 * @throws SluiceError `cancelled`, and what the model throws
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

/** Lays a person's decision on the call that waits for it. */
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

/** @param progress holds the state as it is, also when this throws */
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
      const said: ModelMessage = { role: 'assistant', content: turn.text }
      return { text: turn.text, state: { ...state, messages: [...state.messages, said] } }
    }
    const said: ModelMessage = { role: 'assistant', content: turn.text, toolCalls: turn.calls }
    progress.state = {
      ...state,
      messages: [...state.messages, said],
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

/** Makes the calls that may be made, all at once; what needs a person's word stays without an answer. */
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
  const made = free.slice(0, MOST_CALLS)
  const left = free.slice(MOST_CALLS)
  await emit({
    event: 'calledTools',
    data: made.map((call) => ({ tool: call.name, toolInput: parseCallInput(call), toolOutput: '' })),
  })
  return withAnswers(state, [
    ...(await Promise.all(made.map((call) => runToolCall(call, agent.tools, agent.callContext, signal)))),
    ...left.map((call) =>
      refusedCall(call, `Not called: no more than ${MOST_CALLS} calls are made at once.`),
    ),
  ])
}

/** Nobody is asked about a call that cannot be made. */
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

/** What goes to the user as it is; a failure does not, the model shall do something about it. */
function directAnswer({ tools }: LoopAgent, open: readonly OpenCall[]): string | undefined {
  const direct = open.filter(({ call, answer }) => tools.get(call.name)?.returnDirect && !answer!.failed)
  return direct.length > 0 ? direct.map(({ answer }) => answer!.output).join('\n\n') : undefined
}

/** Tells the model what came of its calls, in the order in which it made them. */
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

/** Ends with words of our own, or of a tool: they are part of the conversation as if the model had said them. */
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
