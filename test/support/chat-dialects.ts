import { isObject, type JsonObject } from '../../src/kit/json.ts'
import type { ChatProvider } from '../../src/nodes/chat-models/chat-providers.ts'
import type { ChatCall, Scene } from './chat-server.ts'

/** What the credential of Azure holds besides its key. */
export const AZURE = {
  azureOpenAIApiInstanceName: 'our-resource',
  azureOpenAIApiDeploymentName: 'our-deployment',
  azureOpenAIApiVersion: '2025-01-01',
}

/** How a provider of chat models speaks, after its description: where it is, where the key goes, and what it refuses (400). */
export type ChatDialect = {
  url: string
  header?: string
  /** Fields of a request, and of a message, that it does not take. */
  refuses?: readonly string[]
  refusesInMessages?: readonly string[]
  jsonObjects?: true
}

/** Where a server is whose address only its owner knows. */
export const LOCAL = 'http://127.0.0.1:9/v1'
const path = (base: string) => `${base}/chat/completions`

/** By the name of the node. */
export const CHAT_DIALECTS: Readonly<Record<string, ChatDialect>> = {
  azureChatOpenAI: {
    url: 'https://our-resource.openai.azure.com/openai/deployments/our-deployment/chat/completions?api-version=2025-01-01',
    header: 'api-key',
    refusesInMessages: ['reasoning_content', 'reasoning'],
  },
  chatCerebras: {
    url: path('https://api.cerebras.ai/v1'),
    refuses: ['frequency_penalty', 'presence_penalty', 'max_tokens'],
    refusesInMessages: ['reasoning_content'],
  },
  chatDeepseek: { url: path('https://api.deepseek.com'), jsonObjects: true },
  chatFireworks: { url: path('https://api.fireworks.ai/inference/v1') },
  chatHuggingFace: {
    url: path('https://router.huggingface.co/v1'),
    refusesInMessages: ['reasoning_content', 'reasoning'],
  },
  chatLmStudio: { url: path(LOCAL) },
  chatLocalAI: { url: path(LOCAL) },
  chatMistralAI: {
    url: path('https://api.mistral.ai/v1'),
    refuses: ['stream_options', 'max_completion_tokens', 'seed', 'user'],
    refusesInMessages: ['reasoning_content', 'reasoning'],
  },
  chatNvidiaNIM: {
    url: path('https://integrate.api.nvidia.com/v1'),
    refusesInMessages: ['reasoning_content'],
  },
  chatOpenRouter: { url: path('https://openrouter.ai/api/v1') },
  chatPerplexity: { url: path('https://api.perplexity.ai'), refuses: ['tools', 'tool_choice', 'stop'] },
  chatTogetherAI: { url: path('https://api.together.xyz/v1') },
  chatVLLM: { url: path(LOCAL) },
  chatXAI: {
    url: path('https://api.x.ai/v1'),
    refuses: ['frequency_penalty', 'presence_penalty', 'stop'],
  },
  groqChat: {
    url: path('https://api.groq.com/openai/v1'),
    refuses: ['logprobs', 'logit_bias', 'top_logprobs'],
    refusesInMessages: ['reasoning_content', 'name'],
  },
}

/** The names that inputs have in the node of a row. */
export const namesOf = ({ names = {} }: ChatProvider) => ({
  modelName: names.modelName ?? 'modelName',
  basepath: names.basepath ?? 'basepath',
  maxTokens: names.maxTokens ?? 'maxTokens',
  stopSequence: names.stopSequence ?? 'stopSequence',
})

export const messagesIn = ({ messages }: JsonObject) => (messages as JsonObject[]) ?? []

/** Answers as the provider does: a field that it does not take is refused. */
export const speaking =
  ({ refuses = [], refusesInMessages = [], jsonObjects }: ChatDialect, scene: Scene): Scene =>
  (call: ChatCall) => {
    const { body } = call
    const wrong = [
      ...refuses.filter((name) => body[name] !== undefined),
      ...refusesInMessages.filter((name) => messagesIn(body).some((message) => message[name] !== undefined)),
      ...(jsonObjects && isObject(body.response_format) && body.response_format.type !== 'json_object'
        ? ['response_format']
        : []),
    ]
    if (wrong.length > 0)
      return { status: 400, body: JSON.stringify({ error: { message: `refused: ${wrong.join()}` } }) }
    return typeof scene === 'function' ? scene(call) : scene
  }
