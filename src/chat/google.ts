import type { ChatModel } from '../contract/chat-model.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { providerFetch } from './provider-fetch.ts'
import { type ChatOptions, providerChatModel } from './provider-model.ts'

export type GoogleChatOptions = ChatOptions & {
  /** Called before the first request. */
  apiKey(): Promise<string>
}

/** A model of Google. @throws Error for an invalid base URL */
export function googleChatModel(options: GoogleChatOptions): ChatModel {
  const { model } = options
  const baseURL = readBaseURL(options.baseURL)
  return providerChatModel({
    ...options,
    id: modelId('google', { model, baseURL }),
    provider: 'Google',
    imagesByAddress: false,
    systemFirst: true,
    async open() {
      const [apiKey, { createGoogle }] = await Promise.all([options.apiKey(), import('@ai-sdk/google')])
      const google = createGoogle({ apiKey, baseURL, fetch: providerFetch(options, baseURL) })
      return { model: google.languageModel(model), secrets: [apiKey] }
    },
    keyHint: 'Check the API key: the credential of the node, or GOOGLE_GENERATIVE_AI_API_KEY',
  })
}
