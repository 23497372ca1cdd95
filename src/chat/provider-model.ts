import type { ModelMessage, ChatModel, ModelRequest, ModelEvent } from '../contract/chat-model.ts'
import type { JsonSchema } from '../contract/tool.ts'
import type { Egress } from '../kit/egress/client.ts'
import { SluiceError } from '../kit/errors.ts'
import { openOnce } from '../kit/open-once.ts'
import { providerFailure, retryVerdict } from '../kit/provider/failure.ts'
import { retry, type RetryOptions } from '../kit/retry.ts'
import { isStrictSchema } from './strict-schema.ts'
import { modelEvents } from './model-events.ts'
import { picturePart } from './pictures.ts'
import { toPrompt } from './prompt.ts'
import { type LanguageModel, mergeOptions, type ModelCall, type ProviderOptions } from './sdk.ts'

/** A model ready to be called, and the secrets that its messages may never show. */
export type OpenChatModel = { model: LanguageModel; secrets: readonly string[] }

/** What a flow says of how its model is to answer; absent where the provider decides. */
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
  /** By which people know the provider: "OpenAI". */
  provider: string
  /** Loads the client and finds its key, at the first call. */
  open(): Promise<OpenChatModel>
  egress: Egress
  streaming: boolean
  images: boolean
  /** Whether the provider looks up a picture's address itself. */
  imagesByAddress: boolean
  /** Whether it wants all system messages before anything else. */
  systemFirst?: boolean
  sampling: Sampling
  /** Whether input of tools is to follow its schema to the letter, where the schema allows it; else the provider decides. */
  strictTools?: boolean | undefined
  /** Provider options for an answer that must be JSON of the given schema. */
  answerOptions?: (schema: JsonSchema) => ProviderOptions
  /** What to do when the provider does not accept the key. */
  keyHint: string
  retry?: Pick<RetryOptions, 'attempts' | 'baseMs' | 'random' | 'wait'>
}

/** A person waits for the answer: a provider that does not recover soon is given up. */
const PATIENCE = { attempts: 3, baseMs: 500, patienceMs: 20_000 }

/**
 * Makes a chat model of a provider's: one call a turn, its answer handed on as it comes. A call that fails before its
 * first word is made again where that may help; after it the failure is the caller's.
 */
export function providerChatModel(options: ProviderModelOptions): ChatModel {
  const { id, provider, streaming, images } = options
  // The credential that is missing now may be there at the next call.
  const open = openOnce(options.open)

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let secrets: readonly string[] = []
    // A consumer that stops reading ends the call.
    const left = new AbortController()
    try {
      const abortSignal = AbortSignal.any([signal, left.signal])
      const opened = await open()
      secrets = opened.secrets
      const call = await callOf(request, options, abortSignal)
      const { first, rest } = await retry(() => begin(opened.model, call, provider), {
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
      left.abort()
    }
  }

  return { id, streaming, images, stream }
}

/** Calls, and waits for the first event: until then a call can be made again. */
async function begin(model: LanguageModel, call: ModelCall, provider: string) {
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
