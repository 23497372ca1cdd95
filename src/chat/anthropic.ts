import type { ChatModel } from '../contract/chat-model.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { providerFetch } from './provider-fetch.ts'
import { type ChatOptions, providerChatModel } from './provider-model.ts'

export const ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1'

export type AnthropicChatOptions = ChatOptions & {
  /** Called before the first request. */
  apiKey(): Promise<string>
}

/** A model of Anthropic. @throws Error for an invalid base URL */
export function anthropicChatModel(options: AnthropicChatOptions): ChatModel {
  const { model } = options
  const baseURL = readBaseURL(options.baseURL)
  return providerChatModel({
    ...options,
    id: modelId('anthropic', { model, baseURL }),
    provider: 'Anthropic',
    imagesByAddress: true,
    systemFirst: true,
    async open() {
      const [apiKey, { createAnthropic }] = await Promise.all([options.apiKey(), import('@ai-sdk/anthropic')])
      const anthropic = createAnthropic({
        apiKey,
        baseURL,
        fetch: providerFetch(options, baseURL),
      })
      return { model: anthropic.languageModel(model), secrets: [apiKey] }
    },
    keyHint: 'Check the API key: the credential of the node, or ANTHROPIC_API_KEY',
  })
}
