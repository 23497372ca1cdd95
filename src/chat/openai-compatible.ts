import type { ChatModel } from '../contract/chat-model.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { isStrictSchema } from './strict-schema.ts'
import { type ChatOptions, fetchWithTimeouts } from './options.ts'
import { providerChatModel } from './provider-model.ts'

export type CompatibleChatOptions = ChatOptions & {
  /** Finds the key, at the first call; undefined where none was given. */
  apiKey(): Promise<string | undefined>
  headers: Record<string, string>
}

/** Under this name the client takes options that are meant for it. */
const NAME = 'compatible'

/** Talks to a server that speaks OpenAI's protocol: llama.cpp, vLLM, LM Studio. @throws Error for a base URL that is none */
export function compatibleChatModel(options: CompatibleChatOptions): ChatModel {
  const { egress, model, headers } = options
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
        fetch: fetchWithTimeouts(egress, options.timeoutMs),
        includeUsage: true,
        supportsStructuredOutputs: true,
      })
      return { model: client.chatModel(model), secrets: [apiKey ?? '', ...Object.values(headers)] }
    },
    answerOptions: (schema) => ({ [NAME]: { strictJsonSchema: isStrictSchema(schema) } }),
    keyHint: 'Check the API key: the credential of the node',
  })
}
