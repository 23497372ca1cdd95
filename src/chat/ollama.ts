import type { ChatModel } from '../contract/chat-model.ts'
import type { EgressFetch } from '../kit/egress/client.ts'
import type { JsonObject } from '../kit/json.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { type ChatOptions, fetchWithTimeouts } from './options.ts'
import { providerChatModel } from './provider-model.ts'

export type OllamaChatOptions = Omit<ChatOptions, 'sampling'> & {
  /** Finds the key of the server in front of Ollama, at the first call; undefined where none was given. */
  apiKey(): Promise<string | undefined>
  /** How Ollama is to run the model: `temperature`, `num_ctx`, … as its API calls them. */
  options: JsonObject
  think: boolean | undefined
  /** How long the model stays loaded: "5m". */
  keepAlive: string
  /** Whether every answer is to be JSON. */
  json: boolean
}

/** Talks to Ollama, over its own `/api/chat`. @throws Error for a base URL that is none */
export function ollamaChatModel(options: OllamaChatOptions): ChatModel {
  const { egress, model, think } = options
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
      const fetch = asOllamaHasIt(fetchWithTimeouts(egress, options.timeoutMs), options)
      const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
      const ollama = createOllama({ baseURL: `${baseURL}/api`, headers, fetch })
      return { model: ollama.chat(model), secrets: [apiKey ?? ''] }
    },
    keyHint: 'The server in front of Ollama asks for a key',
  })
}

type OllamaMessage = {
  content: string | []
  tool_calls?: { id: string; function: { name: string } }[]
  tool_call_id?: string
}

/** The client of Ollama knows little of its options, and leaves a picture without words in a shape that Ollama refuses. */
function asOllamaHasIt(fetch: EgressFetch, { options, keepAlive, json }: OllamaChatOptions): EgressFetch {
  return (url, init) => {
    const body = JSON.parse(init!.body as string)
    const names = new Map<string, string>()
    const messages = body.messages.map(({ content, tool_call_id, ...message }: OllamaMessage) => {
      for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name)
      const tool_name = tool_call_id === undefined ? undefined : names.get(tool_call_id)
      return { ...message, content: content || '', ...(tool_name ? { tool_name } : {}) }
    })
    const { tool_choice, format = json ? 'json' : undefined, ...rest } = body
    const asked = { ...rest, messages, format, options, keep_alive: keepAlive }
    return fetch(url, { ...init, body: JSON.stringify(asked) })
  }
}
