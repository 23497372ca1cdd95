import type { ChatModel, ModelEvent, ModelMessage, ModelRequest } from '../contract/chat-model.ts'
import type { JsonSchema } from '../contract/tool.ts'
import type { Egress } from '../kit/egress/client.ts'
import { SluiceError } from '../kit/errors.ts'
import { openOnce } from '../kit/open-once.ts'
import { providerFailure, retryVerdict } from '../kit/provider/failure.ts'
import { retry, type RetryOptions } from '../kit/retry.ts'
import { modelEvents } from './model-events.ts'
import { picturePart } from './pictures.ts'
import { toPrompt } from './prompt.ts'
import { type LanguageModel, mergeOptions, type ModelCall, type ProviderOptions } from './sdk.ts'
import { isStrictSchema } from './strict-schema.ts'

/** A model of the AI SDK, and the secrets that must not appear in error messages. */
export type OpenChatModel = { model: LanguageModel; secrets: readonly string[] }

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

export type ProviderModelOptions = {
  id: string
  /** The name of the provider in messages: "OpenAI". */
  provider: string
  /** Loads the client library and reads the key. Called before the first request. */
  open(): Promise<OpenChatModel>
  egress: Egress
  streaming: boolean
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
  /** The hint of the error when the provider refuses the key. */
  keyHint: string
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
  const { id, provider, streaming, images } = options
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
      const call = await callOf(request, options, abortSignal)
      const { first, rest } = await retry(() => startCall(opened.model, call, provider), {
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
async function startCall(model: LanguageModel, call: ModelCall, provider: string) {
  const { stream } = await model.doStream(call)
  const rest = modelEvents(stream, provider)
  const { value, done } = await rest.next()
  if (done) throw new SluiceError('provider_failed', { provider, reason: 'its answer is empty' })
  return { first: value, rest }
}

async function callOf(
  { messages, tools = [], answerSchema }: ModelRequest,
  options: ProviderModelOptions,
  abortSignal: AbortSignal,
): Promise<ModelCall> {
  const { egress, imagesByAddress: byAddress, strictTools, sampling } = options
  const pictures = { egress, byAddress, signal: abortSignal }
  return {
    ...sampling,
    prompt: await toPrompt(messages, {
      systemFirst: options.systemFirst ?? false,
      picture: options.images ? (picture) => picturePart(picture, pictures) : undefined,
    }),
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

const textOf = ({ content }: ModelMessage): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
