import type { ChatModel, ModelRequest } from '../contract/chat-model.ts'
import { isObject, type JsonObject } from '../kit/json.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { withoutPages } from '../kit/provider/no-pages.ts'
import { citedPages, withPages } from './citations.ts'
import { ANSWER_SCHEMA, compatibleBody, type CompatibleQuirks } from './compatible-quirks.ts'
import { providerFetch } from './provider-fetch.ts'
import { type ChatOptions, providerChatModel } from './provider-model.ts'
import type { StreamPart } from './sdk.ts'
import { isStrictSchema } from './strict-schema.ts'
import { withoutThinkTags } from './think-tags.ts'
import { withoutTools } from './without-tools.ts'

/** Where a server is called, and with what. */
export type CompatibleAddress = {
  baseURL: string
  /** Undefined for a server without a key. */
  apiKey: string | undefined
  /** The header that has the key, where it is not `Authorization: Bearer`. */
  keyHeader?: string
  /** What follows each path: `api-version`. */
  query?: Record<string, string>
}

export type CompatibleChatOptions = Omit<ChatOptions, 'baseURL'> & {
  /** Where the model is known to be before its first call, for its id. */
  baseURL: string
  /** Called before the first request. */
  address?(): Promise<CompatibleAddress>
  /** Called before the first request, where there is no `address`. Undefined for a server without a key. */
  apiKey?(): Promise<string | undefined>
  headers: Record<string, string>
  /** The name in messages: "Groq". */
  provider?: string
  quirks?: CompatibleQuirks
  /** What else is in the body of each request. */
  parameters?: JsonObject
}

/** The key of this client in `providerOptions`. */
const NAME = 'compatible'

/** A model behind OpenAI's protocol: llama.cpp, vLLM, and the providers of the table. @throws Error for an invalid base URL */
export function compatibleChatModel(options: CompatibleChatOptions): ChatModel {
  const { model, headers, quirks = {}, parameters, sampling, provider = 'The model server' } = options
  const baseURL = readBaseURL(options.baseURL)
  const address =
    options.address ??
    (async (): Promise<CompatibleAddress> => ({ baseURL, apiKey: await options.apiKey?.() }))
  const made = providerChatModel({
    ...options,
    sampling: { ...sampling, providerOptions: { ...sampling.providerOptions, ...optionsOf(parameters) } },
    id: modelId('openai-compatible', { model, baseURL }),
    provider,
    imagesByAddress: true,
    async open() {
      const [{ baseURL: place, apiKey, keyHeader, query }, { createOpenAICompatible }] = await Promise.all([
        address(),
        import('@ai-sdk/openai-compatible'),
      ])
      const client = createOpenAICompatible({
        name: NAME,
        ...(apiKey === undefined || keyHeader ? {} : { apiKey }),
        baseURL: place,
        headers: apiKey !== undefined && keyHeader ? { ...headers, [keyHeader]: apiKey } : headers,
        ...(query ? { queryParams: query } : {}),
        fetch: withoutPages(providerFetch(options, place), { provider, stage: 'chat' }),
        includeUsage: quirks.countsUnasked !== true,
        supportsStructuredOutputs: quirks.jsonObjectsOnly !== true,
        transformRequestBody: (body) => compatibleBody(body as JsonObject, quirks),
      })
      return { model: client.chatModel(model), secrets: [apiKey ?? '', ...Object.values(headers)] }
    },
    answerOptions: (schema) => ({
      [NAME]: quirks.jsonObjectsOnly
        ? { [ANSWER_SCHEMA]: schema as JsonObject }
        : { strictJsonSchema: isStrictSchema(schema) },
    }),
    rawChunks: quirks.citations === true,
    rework: (parts, request) => reworked(parts, request, quirks),
    keyHint: 'Check the API key: the credential of the node',
  })
  return quirks.noTools ? withoutTools(made, provider) : made
}

const optionsOf = (parameters: JsonObject = {}) =>
  Object.keys(parameters).length === 0 ? {} : { [NAME]: parameters }

function reworked(
  parts: AsyncIterable<StreamPart>,
  { answerSchema }: ModelRequest,
  { thinkTags, citations }: CompatibleQuirks,
): AsyncIterable<StreamPart> {
  const thought = thinkTags ? withoutThinkTags(parts) : parts
  // A list of pages would spoil an answer that must be JSON.
  return citations && !answerSchema ? cited(thought) : thought
}

/** The pages come with the pieces of a stream; the last piece that has some has them all. */
function cited(parts: AsyncIterable<StreamPart>): AsyncIterable<StreamPart> {
  let pages: string[] = []
  async function* noting(): AsyncGenerator<StreamPart> {
    for await (const part of parts) {
      if (part.type === 'raw' && isObject(part.rawValue)) {
        const found = citedPages(part.rawValue)
        if (found.length > 0) pages = found
      }
      yield part
    }
  }
  return withPages(noting(), () => pages)
}
