import type { ChatModel } from '../contract/chat-model.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { isStrictSchema } from './strict-schema.ts'
import { type ChatOptions, fetchWithTimeouts } from './options.ts'
import { providerChatModel } from './provider-model.ts'

export type OpenAIChatOptions = ChatOptions & {
  /** Finds the key, at the first call. */
  apiKey(): Promise<string>
  headers: Record<string, string>
  /** The newer of the two protocols; chat completions without it. */
  responses: boolean
  strictTools?: boolean | undefined
}

/** Talks to OpenAI. @throws Error for a base URL that is none */
export function openAIChatModel(options: OpenAIChatOptions): ChatModel {
  const { egress, model, headers, responses } = options
  const baseURL = readBaseURL(options.baseURL)
  return providerChatModel({
    ...options,
    id: modelId('openai', { model, baseURL }),
    provider: 'OpenAI',
    imagesByAddress: true,
    async open() {
      const [apiKey, { createOpenAI }] = await Promise.all([options.apiKey(), import('@ai-sdk/openai')])
      const fetch = fetchWithTimeouts(egress, options.timeoutMs)
      const openAI = createOpenAI({ apiKey, baseURL, headers, fetch })
      const secrets = [apiKey, ...Object.values(headers)]
      return { model: responses ? openAI.responses(model) : openAI.chat(model), secrets }
    },
    // The newer protocol treats every schema as strict unless this option says otherwise.
    strictTools: options.strictTools ?? (responses ? false : undefined),
    answerOptions: (schema) => ({ openai: { strictJsonSchema: isStrictSchema(schema) } }),
    keyHint: 'Check the API key: the credential of the node, or OPENAI_API_KEY',
  })
}
