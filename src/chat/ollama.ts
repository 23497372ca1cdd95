import type { ChatModel } from '../contract/chat-model.ts'
import type { EgressFetch } from '../kit/egress/client.ts'
import type { JsonObject } from '../kit/json.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { providerFetch } from './provider-fetch.ts'
import { type ChatOptions, providerChatModel } from './provider-model.ts'

export type OllamaChatOptions = Omit<ChatOptions, 'sampling'> & {
  /** The key of a proxy in front of Ollama. Called before the first request; undefined without a key. */
  apiKey(): Promise<string | undefined>
  /** Model options with the names of Ollama's API: `temperature`, `num_ctx`, … */
  options: JsonObject
  think: boolean | undefined
  /** How long the model stays loaded after a call: "5m". */
  keepAlive: string
  /** Every answer must be JSON. */
  json: boolean
}

/** A model of Ollama, over its own `/api/chat`. @throws Error for an invalid base URL */
export function ollamaChatModel(options: OllamaChatOptions): ChatModel {
  const { model, think } = options
  const baseURL = readBaseURL(options.baseURL).replace(/\/api$/, '')
  return providerChatModel({
    ...options,
    id: modelId('ollama', { model, baseURL }),
    provider: 'Ollama',
    imagesByAddress: false,
    sampling: think === undefined ? {} : { providerOptions: { ollama: { think } } },
    async open() {
      const [apiKey, { createOllama }] = await Promise.all([
        options.apiKey(),
        import('ollama-ai-provider-v2'),
      ])
      const fetch = withOllamaFields(providerFetch(options, baseURL), options)
      const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
      const ollama = createOllama({ baseURL: `${baseURL}/api`, headers, fetch })
      return { model: ollama.chat(model), secrets: [apiKey ?? ''] }
    },
    keyHint: 'The server in front of Ollama requires a key',
  })
}

type OllamaMessage = {
  content: string | []
  tool_calls?: { id: string; function: { name: string } }[]
  tool_call_id?: string
}

/**
 * Completes the request bodies of the client library: it does not know all options, does not name the tool of a result,
 * and sends `content: []` for a picture without text, which Ollama refuses.
 */
function withOllamaFields(fetch: EgressFetch, { options, keepAlive, json }: OllamaChatOptions): EgressFetch {
  return (url, init) => {
    const body = JSON.parse(init!.body as string)
    const names = new Map<string, string>()
    const messages = body.messages.map(({ content, tool_call_id, ...message }: OllamaMessage) => {
      for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name)
      const tool_name = tool_call_id === undefined ? undefined : names.get(tool_call_id)
      return { ...message, content: content || '', ...(tool_name ? { tool_name } : {}) }
    })
    const { tool_choice, format = json ? 'json' : undefined, ...rest } = body
    const completed = { ...rest, messages, format, options, keep_alive: keepAlive }
    return fetch(url, { ...init, body: JSON.stringify(completed) })
  }
}
