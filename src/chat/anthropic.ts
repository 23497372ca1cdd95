import type { ChatModel } from '../contract/chat-model.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { type ChatOptions, fetchWithTimeouts } from './options.ts'
import { providerChatModel } from './provider-model.ts'

export const ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1'

export type AnthropicChatOptions = ChatOptions & {
  /** Finds the key, at the first call. */
  apiKey(): Promise<string>
}

/** Talks to Claude. @throws Error for a base URL that is none */
export function anthropicChatModel(options: AnthropicChatOptions): ChatModel {
  const { egress, model } = options
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
        fetch: fetchWithTimeouts(egress, options.timeoutMs),
      })
      return { model: anthropic.languageModel(model), secrets: [apiKey] }
    },
    keyHint: 'Check the API key: the credential of the node, or ANTHROPIC_API_KEY',
  })
}
