import type { ChatModel } from '../contract/chat-model.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { providerFetch } from './provider-fetch.ts'
import { type ChatOptions, providerChatModel } from './provider-model.ts'
import { isStrictSchema } from './strict-schema.ts'

export type OpenAIChatOptions = ChatOptions & {
  /** Called before the first request. */
  apiKey(): Promise<string>
  headers: Record<string, string>
  /** Use the Responses API, not Chat Completions. */
  responses: boolean
  strictTools?: boolean | undefined
}

/** A model of OpenAI. @throws Error for an invalid base URL */
export function openAIChatModel(options: OpenAIChatOptions): ChatModel {
  const { model, headers, responses } = options
  const baseURL = readBaseURL(options.baseURL)
  return providerChatModel({
    ...options,
    id: modelId('openai', { model, baseURL }),
    provider: 'OpenAI',
    imagesByAddress: true,
    async open() {
      const [apiKey, { createOpenAI }] = await Promise.all([options.apiKey(), import('@ai-sdk/openai')])
      const fetch = providerFetch(options, baseURL)
      const openAI = createOpenAI({ apiKey, baseURL, headers, fetch })
      const secrets = [apiKey, ...Object.values(headers)]
      return { model: responses ? openAI.responses(model) : openAI.chat(model), secrets }
    },
    // The Responses API treats every schema as strict unless this option is false.
    strictTools: options.strictTools ?? (responses ? false : undefined),
    answerOptions: (schema) => ({ openai: { strictJsonSchema: isStrictSchema(schema) } }),
    keyHint: 'Check the API key: the credential of the node, or OPENAI_API_KEY',
  })
}
