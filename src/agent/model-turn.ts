import type { ChatModel, ModelEvent, ModelRequest, TokenUsage, ToolCall } from '../contract/chat-model.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Emit } from './prediction.ts'
import { runSpan } from './run-spans.ts'

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
  const begun = { kind: 'model', name: model.id, ...(purpose === undefined ? {} : { purpose }) } as const
  return runSpan(begun, signal, async (note) => {
    const turn = await readTurn(model, request, emit, signal)
    note(turn.usage)
    return turn
  })
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
