import type { ChatModel } from '../contract/chat-model.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { type ChatOptions, providerFetch, providerChatModel } from './provider-model.ts'
import { isStrictSchema } from './strict-schema.ts'

export type CompatibleChatOptions = ChatOptions & {
  /** Called before the first request. Undefined for a server without a key. */
  apiKey(): Promise<string | undefined>
  headers: Record<string, string>
}

/** The key of this client in `providerOptions`. */
const NAME = 'compatible'

/** A model behind OpenAI's protocol: llama.cpp, vLLM, LM Studio. @throws Error for an invalid base URL */
export function compatibleChatModel(options: CompatibleChatOptions): ChatModel {
  const { model, headers } = options
  const baseURL = readBaseURL(options.baseURL)
  return providerChatModel({
    ...options,
    id: modelId('openai-compatible', { model, baseURL }),
    provider: 'The model server',
    imagesByAddress: true,
    async open() {
      const [apiKey, { createOpenAICompatible }] = await Promise.all([
        options.apiKey(),
        import('@ai-sdk/openai-compatible'),
      ])
      const client = createOpenAICompatible({
        name: NAME,
        ...(apiKey === undefined ? {} : { apiKey }),
        baseURL,
        headers,
        fetch: providerFetch(options, baseURL),
        includeUsage: true,
        supportsStructuredOutputs: true,
      })
      return { model: client.chatModel(model), secrets: [apiKey ?? '', ...Object.values(headers)] }
    },
    answerOptions: (schema) => ({ [NAME]: { strictJsonSchema: isStrictSchema(schema) } }),
    keyHint: 'Check the API key: the credential of the node',
  })
}
