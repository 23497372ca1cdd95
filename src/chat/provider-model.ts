import type { ChatModel, ModelEvent, ModelMessage, ModelRequest, TokenUsage } from '../contract/chat-model.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'
import { openOnce } from '../kit/open-once.ts'
import { providerFailure, retryVerdict } from '../kit/provider/failure.ts'
import { retry, type RetryOptions } from '../kit/retry.ts'
import { type Thought, writeMemo } from './memo.ts'
import { type CallOptions, modelCall } from './model-call.ts'
import { type LanguageModel, mergeOptions, type ModelCall, type StreamPart } from './sdk.ts'

/** A model of the AI SDK, and the secrets that must not appear in error messages. */
export type OpenChatModel = { model: LanguageModel; secrets: readonly string[] }

export type ProviderModelOptions = CallOptions & {
  id: string
  /** The name of the provider in messages: "OpenAI". */
  provider: string
  /** Loads the client library and reads the key. Called before the first request. */
  open(): Promise<OpenChatModel>
  streaming: boolean
  /** The hint of the error when the provider refuses the key. */
  keyHint: string
  /** Whether the stream also has its pieces as they came (`raw`), for `rework`. */
  rawChunks?: boolean
  /** Changes the parts of an answer before they become events. */
  rework?(parts: AsyncIterable<StreamPart>, request: ModelRequest): AsyncIterable<StreamPart>
  retry?: Pick<RetryOptions, 'attempts' | 'baseMs' | 'random' | 'wait'>
}

/** The options that all providers share. */
export type ChatOptions = Pick<
  ProviderModelOptions,
  'egress' | 'streaming' | 'images' | 'sampling' | 'retry'
> & {
  model: string
  baseURL: string
  /** How long the provider may send nothing, before its answer and within it, in milliseconds. Default: 5 minutes. */
  timeoutMs?: number | undefined
}

/** A model may need minutes to be loaded and to think before its first token. */
const SILENCE_MS = 300_000

/** The most bytes of one answer: a stream has some 200 bytes for each token. */
const ANSWER_BYTES = 32 * 2 ** 20

/** A fetch for the provider at `baseURL`. Its response headers and body bytes may each be `timeoutMs` apart. */
export const providerFetch = (
  { egress, timeoutMs = SILENCE_MS }: Pick<ChatOptions, 'egress' | 'timeoutMs'>,
  baseURL: string,
) =>
  egress
    .forProvider(baseURL)
    .limited({ headersMs: timeoutMs, idleMs: timeoutMs, responseBytes: ANSWER_BYTES })

/** A person waits for the answer, so the retries end soon. */
const PATIENCE = { attempts: 3, baseMs: 500, patienceMs: 20_000 }

/**
 * A chat model from a model of the AI SDK. A call that fails before its first event is retried if that may help. A
 * later failure is thrown.
 */
export function providerChatModel(options: ProviderModelOptions): ChatModel {
  const { id, provider, streaming, images, rework = (parts) => parts } = options
  // A failed open is tried again at the next call: the missing credential may have been added.
  const open = openOnce(options.open)

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let secrets: readonly string[] = []
    // Aborted when the consumer stops reading, which ends the call.
    const abandoned = new AbortController()
    try {
      const abortSignal = AbortSignal.any([signal, abandoned.signal])
      const opened = await open()
      secrets = opened.secrets
      const made = await modelCall(request, options, abortSignal)
      const call = options.rawChunks ? { ...made, includeRawChunks: true } : made
      const start = () => startCall(opened.model, call, provider, (parts) => rework(parts, request))
      const { first, rest } = await retry(start, {
        ...PATIENCE,
        ...options.retry,
        verdict: retryVerdict,
        signal,
      })
      yield first
      yield* rest
    } catch (error) {
      if (signal.aborted) throw new SluiceError('cancelled', {}, { cause: error })
      throw providerFailure(error, {
        provider,
        stage: 'chat',
        unreadable: 'its answer cannot be read',
        secrets,
        texts: request.messages.map(textOf),
        keyHint: options.keyHint,
      })
    } finally {
      abandoned.abort()
    }
  }

  return { id, streaming, images, stream }
}

/** Starts a call and waits for its first event. Until then the call can be retried. */
async function startCall(
  model: LanguageModel,
  call: ModelCall,
  provider: string,
  rework: (parts: AsyncIterable<StreamPart>) => AsyncIterable<StreamPart>,
) {
  const { stream } = await model.doStream(call)
  const rest = modelEvents(rework(stream), provider)
  const { value, done } = await rest.next()
  if (done) throw new SluiceError('provider_failed', { provider, reason: 'its answer is empty' })
  return { first: value, rest }
}

const textOf = ({ content }: ModelMessage): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

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
