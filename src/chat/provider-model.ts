import type {
  ChatModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  TokenUsage,
  ToolCall,
  UserContent,
} from '../contract/chat-model.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { openOnce } from '../kit/open-once.ts'
import { providerFailure, retryVerdict } from '../kit/provider/failure.ts'
import { retry, type RetryOptions } from '../kit/retry.ts'
import { type ProviderMemo, readMemo, Thoughts, writeMemo } from './memo.ts'
import {
  type LanguageModel,
  mergeOptions,
  type ModelCall,
  type StreamPart,
  type Prompt,
  type PromptMessage,
  type ProviderOptions,
} from './sdk.ts'
import type { JsonSchema } from '../contract/tool.ts'
import type { Egress } from '../kit/egress/client.ts'
import { picturePart } from './pictures.ts'
import { isStrictSchema } from './strict-schema.ts'

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

/** Settings of the answer. If one is absent, the default of the provider applies. */
export type Sampling = Pick<
  ModelCall,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'stopSequences'
  | 'providerOptions'
>

/** How a request is written for a provider. */
export type CallOptions = {
  egress: Egress
  images: boolean
  /** Whether the provider fetches the address of a picture itself. */
  imagesByAddress: boolean
  /** Whether the provider requires all system messages before the others. */
  systemFirst?: boolean
  sampling: Sampling
  /** Strict mode for tools whose schema allows it. If undefined, the default of the provider applies. */
  strictTools?: boolean | undefined
  /** Provider options for an answer that must be JSON of the given schema. */
  answerOptions?: (schema: JsonSchema) => ProviderOptions
}

/** A request in the form of the library. */
export async function modelCall(
  { messages, tools = [], answerSchema }: ModelRequest,
  options: CallOptions,
  abortSignal: AbortSignal,
): Promise<ModelCall> {
  const { strictTools, sampling } = options
  return {
    ...sampling,
    prompt: await toPrompt(messages, options, abortSignal),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: parameters,
            ...(strictTools === undefined ? {} : { strict: strictTools && isStrictSchema(parameters) }),
          })),
          toolChoice: { type: 'auto' as const },
        }
      : {}),
    ...(answerSchema
      ? {
          responseFormat: { type: 'json' as const, ...answerSchema },
          providerOptions: mergeOptions(
            sampling.providerOptions ?? {},
            options.answerOptions?.(answerSchema.schema) ?? {},
          ),
        }
      : {}),
    abortSignal,
  }
}

type UserParts = Extract<PromptMessage, { role: 'user' }>['content']
type AssistantParts = Extract<PromptMessage, { role: 'assistant' }>['content']

/** Converts messages to a prompt of the AI SDK. */
async function toPrompt(
  messages: readonly ModelMessage[],
  options: CallOptions,
  signal: AbortSignal,
): Promise<Prompt> {
  const prompt: Prompt = []
  for (const message of options.systemFirst ? systemFirst(messages) : messages) {
    const last = prompt.at(-1)
    if (message.role === 'system') prompt.push({ role: 'system', content: message.content })
    else if (message.role === 'user')
      prompt.push({ role: 'user', content: await userParts(message.content, options, signal) })
    else if (message.role === 'assistant') {
      const content = assistantParts(message.content, message.toolCalls)
      // Providers refuse an empty message.
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    } else {
      const result = resultPart(message)
      // The results of calls made in one turn go into one message.
      if (last?.role === 'tool') last.content.push(result)
      else prompt.push({ role: 'tool', content: [result] })
    }
  }
  return prompt
}

const systemFirst = (messages: readonly ModelMessage[]) => [
  ...messages.filter(({ role }) => role === 'system'),
  ...messages.filter(({ role }) => role !== 'system'),
]

/** Pictures are left out for a model that takes none. */
async function userParts(
  content: string | UserContent[],
  { egress, images, imagesByAddress: byAddress }: CallOptions,
  signal: AbortSignal,
): Promise<UserParts> {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts = content.map(async (part) => {
    if (part.type === 'text') return [{ type: 'text' as const, text: part.text }]
    return images ? [await picturePart(part, { egress, byAddress, signal })] : []
  })
  return (await Promise.all(parts)).flat()
}

function assistantParts(text: string, calls: readonly ToolCall[] = []): AssistantParts {
  const memos = calls.map(({ memo }): ProviderMemo => readMemo(memo))
  return [
    ...memos.flatMap(({ thoughts }) =>
      thoughts.map((thought) => ({ type: 'reasoning' as const, ...thought })),
    ),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: inputOf(input),
      ...memos[index]!.options,
    })),
  ]
}

/** Providers accept only objects as input. For other text the result of the tool names the problem. */
function inputOf(text: string): object {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

const resultPart = (message: Extract<ModelMessage, { role: 'tool' }>) => ({
  type: 'tool-result' as const,
  toolCallId: message.callId,
  toolName: message.name,
  output: { type: message.failed ? ('error-text' as const) : ('text' as const), value: message.content },
})
