import type {
  ChatModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  TokenUsage,
  ToolCall,
} from '../contract/chat-model.ts'
import type { RunSpan } from '../contract/run-span.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json } from '../kit/json.ts'
import type { Emit } from './prediction.ts'
import { nodeOfPart } from './part-nodes.ts'
import { type BegunSpan, recordedStep, runSpan } from './run-spans.ts'

/** The complete answer of one model call. */
export type ModelTurn = {
  text: string
  calls: ToolCall[]
  usage: TokenUsage
  reason: Extract<ModelEvent, { type: 'end' }>['reason']
}

/**
 * Calls a model once and emits its tokens as they arrive. When its thinking ends, a last `thinking` event has the
 * duration in milliseconds.
 *
 * @param purpose why the model is called, for the record of the run, where that is not the answer itself
 */
export function runModelTurn(
  model: ChatModel,
  request: ModelRequest,
  emit: Emit,
  signal: AbortSignal,
  purpose?: string,
): Promise<ModelTurn> {
  const nodeId = nodeOfPart(model)
  const begun: BegunSpan = {
    ...{ kind: 'model', name: model.id },
    ...(purpose === undefined ? {} : { purpose }),
    ...(nodeId === undefined ? {} : { nodeId }),
  }
  return runSpan(begun, signal, async (note) => {
    const { answer, input } = recordedStep()
    const turn = answer
      ? await repeatedTurn(answer, emit)
      : await readTurn(model, input === undefined ? request : withInput(request, input), emit, signal)
    const { text, calls, usage } = turn
    note({
      ...{ ...usage, output: text },
      ...(calls.length > 0 ? { calls } : {}),
      ...(answer ? { recorded: true } : {}),
    })
    return turn
  })
}

/** A turn as the record of a run has it. No model is called. */
async function repeatedTurn(answer: RunSpan, emit: Emit): Promise<ModelTurn> {
  const { output: text = '', calls = [], inputTokens = 0, outputTokens = 0 } = answer
  if (text !== '') await emit({ event: 'token', data: text })
  const reason = calls.length > 0 ? 'toolCalls' : 'stop'
  return { text, calls, usage: { inputTokens, outputTokens }, reason }
}

/** The same request, whose last message says something else: the question, or what a tool gave. */
function withInput(request: ModelRequest, input: Json): ModelRequest {
  const content = typeof input === 'string' ? input : JSON.stringify(input)
  const last = request.messages.at(-1)
  if (!last) return request
  return { ...request, messages: [...request.messages.slice(0, -1), { ...last, content } as ModelMessage] }
}

async function readTurn(
  model: ChatModel,
  request: ModelRequest,
  emit: Emit,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const turn: ModelTurn = { text: '', calls: [], usage: { inputTokens: 0, outputTokens: 0 }, reason: 'other' }
  let thinkingSince: number | undefined
  for await (const event of model.stream(request, signal)) {
    throwIfCancelled(signal)
    if (event.type === 'thinking') {
      thinkingSince ??= performance.now()
      await emit({ event: 'thinking', data: event.text })
      continue
    }
    if (thinkingSince !== undefined) {
      await emit({ event: 'thinking', data: '', duration: Math.round(performance.now() - thinkingSince) })
      thinkingSince = undefined
    }
    if (event.type === 'text') {
      turn.text += event.text
      if (event.text !== '') await emit({ event: 'token', data: event.text })
    } else if (event.type === 'toolCall') turn.calls.push(event.call)
    else {
      turn.usage = event.usage
      turn.reason = event.reason
    }
  }
  return turn
}

export const NO_TOKENS: TokenUsage = { inputTokens: 0, outputTokens: 0 }

export const addUsage = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
})

export const usageSince = (before: TokenUsage, now: TokenUsage): TokenUsage => ({
  inputTokens: now.inputTokens - before.inputTokens,
  outputTokens: now.outputTokens - before.outputTokens,
})

/** @throws SluiceError `cancelled` */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new SluiceError('cancelled', {}, { cause: signal.reason })
}
