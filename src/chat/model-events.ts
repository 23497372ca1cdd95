import type { ModelEvent, TokenUsage } from '../contract/chat-model.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'
import { type Thought, writeMemo } from './memo.ts'
import { mergeOptions, type StreamPart } from './sdk.ts'

type Finish = Extract<StreamPart, { type: 'finish' }>
type End = Extract<ModelEvent, { type: 'end' }>

/**
 * Converts the stream of a provider to model events. A tool call is one event, with the thoughts before it.
 *
 * @throws the error that the stream reports; SluiceError `provider_failed` for a stream that ends too early
 */
export async function* modelEvents(
  parts: AsyncIterable<StreamPart>,
  provider: string,
): AsyncGenerator<ModelEvent> {
  const thoughts = new Thoughts()
  let calls = 0
  let hasText = false
  for await (const part of parts) {
    switch (part.type) {
      case 'text-delta':
        if (part.delta === '') break
        hasText = true
        yield { type: 'text', text: part.delta }
        break
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        thoughts.add(part)
        if (part.type === 'reasoning-delta' && part.delta !== '') yield { type: 'thinking', text: part.delta }
        break
      case 'tool-call': {
        if (part.providerExecuted) break
        calls++
        const memo = writeMemo(thoughts.take(), part.providerMetadata)
        const call = { id: part.toolCallId, name: part.toolName, input: part.input }
        yield { type: 'toolCall', call: memo ? { ...call, memo } : call }
        break
      }
      case 'error':
        throw asError(part.error)
      case 'finish': {
        const { unified } = part.finishReason
        if (unified === 'error') throw new Error('its model stopped because of an error')
        if (unified === 'interrupted' && calls === 0 && !hasText)
          throw new SluiceError('provider_failed', { provider, reason: 'its answer ended too early' })
        yield {
          type: 'end',
          reason: calls > 0 && unified !== 'length' ? 'toolCalls' : REASONS[unified],
          usage: usageOf(part),
        }
        return
      }
    }
  }
  throw new SluiceError('provider_failed', { provider, reason: 'its answer ended too early' })
}

const REASONS: Record<Exclude<Finish['finishReason']['unified'], 'error'>, End['reason']> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'toolCalls',
  'content-filter': 'filtered',
  interrupted: 'other',
  other: 'other',
}

const usageOf = ({ usage }: Finish): TokenUsage => ({
  inputTokens: usage.inputTokens.total ?? 0,
  outputTokens: usage.outputTokens.total ?? 0,
})

/** Client libraries report a failed stream as an Error, as a text, or as the object that the provider sent. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  return new Error(isObject(thrown) ? String(thrown.message ?? 'an error without a message') : String(thrown))
}

type ThoughtPart = Extract<StreamPart, { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>

/** Collects the parts of each thought. Any part may have the signature. */
class Thoughts {
  readonly #open = new Map<string, Thought>()

  add(part: ThoughtPart): void {
    const thought = this.#open.get(part.id) ?? { text: '' }
    if (part.type === 'reasoning-delta') thought.text += part.delta
    if (part.providerMetadata)
      thought.providerOptions = mergeOptions(thought.providerOptions ?? {}, part.providerMetadata)
    this.#open.set(part.id, thought)
  }

  take(): Thought[] {
    const taken = [...this.#open.values()]
    this.#open.clear()
    return taken
  }
}
