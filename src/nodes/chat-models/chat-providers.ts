import type { CompatibleQuirks } from '../../chat/compatible-quirks.ts'

/** The input of a row that its node has under another name than `modelName`, `basepath`, `maxTokens`, `stopSequence`. */
type InputNames = { modelName?: string; basepath?: string; maxTokens?: string; stopSequence?: string }

/** Inputs that not every provider takes. */
export type ProviderInput =
  | 'maxTokens'
  | 'topP'
  | 'topK'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'stopSequence'
  | 'timeout'
  | 'baseOptions'
  | 'reasoningEffort'
  | 'randomSeed'
  | 'safeMode'

/** A provider of chat models behind OpenAI's protocol: its node, its address and key, and where it differs. */
export type ChatProvider = {
  /** The name of the node, its label and its version in Flowise. */
  node: string
  label: string
  version: number
  /** The class in Flowise, where it is not the name of the node with a capital. */
  type?: string
  /** The name in messages. */
  provider: string
  /** Where the provider describes its API. */
  docs: string
  /** The kind of credential and the value in it that is the key, with Flowise's names. */
  credential: { kind: string; label: string; key: string }
  /** The address of the provider; absent where only the person knows it. */
  baseURL?: string
  /** The address is made of a resource, a deployment and a version, which are in the credential. */
  azure?: true
  names?: InputNames
  /** The model of a new node. */
  model?: string
  temperature?: number
  inputs: readonly ProviderInput[]
  /** Its models, or `asked`: `GET /models` lists them. */
  models: readonly string[] | 'asked'
  /** The path of a call that shows whether a key is accepted, where the list of models does not; null where none is cheap. */
  keyTest?: string | null
  quirks?: CompatibleQuirks
}

const PLAIN = ['maxTokens', 'topP', 'timeout', 'baseOptions'] as const
const PENALTIES = ['frequencyPenalty', 'presencePenalty'] as const

/** All rows. A row is all that a provider needs. */
export const CHAT_PROVIDERS: readonly ChatProvider[] = [
  {
    node: 'azureChatOpenAI',
    label: 'Azure ChatOpenAI',
    version: 7,
    type: 'AzureChatOpenAI',
    provider: 'Azure OpenAI',
    docs: 'https://learn.microsoft.com/azure/ai-services/openai/reference',
    credential: { kind: 'azureOpenAIApi', label: 'Azure OpenAI API', key: 'azureOpenAIApiKey' },
    azure: true,
    model: 'gpt-4o-mini',
    inputs: [...PLAIN, ...PENALTIES, 'stopSequence', 'reasoningEffort'],
    // A deployment has the name that its owner gave it: these only say which family the model is of.
    models: [
      'gpt-35-turbo',
      'gpt-4',
      'gpt-4.1',
      'gpt-4.1-mini',
      'gpt-4o',
      'gpt-4o-mini',
      'gpt-5',
      'gpt-5-mini',
      'o3',
      'o4-mini',
    ],
    quirks: { reasoningModels: true, thoughts: 'dropped' },
  },
  {
    node: 'chatCerebras',
    label: 'ChatCerebras',
    version: 2,
    type: 'ChatCerebras',
    provider: 'Cerebras',
    docs: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
    credential: { kind: 'cerebrasAIApi', label: 'Cerebras API', key: 'cerebrasApiKey' },
    baseURL: 'https://api.cerebras.ai/v1',
    // It refuses penalties.
    inputs: [...PLAIN, 'stopSequence'],
    models: 'asked',
    quirks: { maxTokens: 'max_completion_tokens', thoughts: 'dropped' },
  },
  {
    node: 'chatDeepseek',
    label: 'ChatDeepseek',
    version: 1,
    type: 'chatDeepseek',
    provider: 'DeepSeek',
    docs: 'https://api-docs.deepseek.com',
    credential: { kind: 'deepseekApi', label: 'DeepSeek API', key: 'deepseekApiKey' },
    baseURL: 'https://api.deepseek.com',
    model: 'deepseek-chat',
    temperature: 0.7,
    inputs: [...PLAIN, ...PENALTIES, 'stopSequence'],
    models: 'asked',
    quirks: { jsonObjectsOnly: true },
  },
  {
    node: 'chatFireworks',
    label: 'ChatFireworks',
    version: 2,
    type: 'ChatFireworks',
    provider: 'Fireworks',
    docs: 'https://docs.fireworks.ai/api-reference/post-chatcompletions',
    credential: { kind: 'fireworksApi', label: 'Fireworks API', key: 'fireworksApiKey' },
    baseURL: 'https://api.fireworks.ai/inference/v1',
    inputs: [...PLAIN, ...PENALTIES, 'stopSequence'],
    models: 'asked',
    quirks: { thinkTags: true },
  },
  {
    node: 'chatHuggingFace',
    label: 'ChatHuggingFace',
    version: 3,
    type: 'ChatHuggingFace',
    provider: 'Hugging Face',
    docs: 'https://huggingface.co/docs/inference-providers/tasks/chat-completion',
    credential: { kind: 'huggingFaceApi', label: 'Hugging Face API', key: 'huggingFaceApiKey' },
    baseURL: 'https://router.huggingface.co/v1',
    names: { modelName: 'model', basepath: 'endpoint', stopSequence: 'stop' },
    inputs: ['maxTokens', 'topP', 'frequencyPenalty', 'stopSequence'],
    models: 'asked',
    quirks: { thinkTags: true, thoughts: 'dropped' },
  },
  {
    node: 'chatLmStudio',
    label: 'Chat LMStudio',
    version: 3,
    type: 'ChatLmStudio',
    provider: 'LM Studio',
    docs: 'https://lmstudio.ai/docs/app/api/endpoints/openai',
    credential: { kind: 'lmStudioApi', label: 'LM Studio API', key: 'lmStudioApiKey' },
    names: { basepath: 'baseURL' },
    inputs: PLAIN,
    models: 'asked',
    quirks: { thinkTags: true },
  },
  {
    node: 'chatLocalAI',
    label: 'ChatLocalAI',
    version: 3,
    type: 'ChatLocalAI',
    provider: 'LocalAI',
    docs: 'https://localai.io/features/text-generation/',
    credential: { kind: 'localAIApi', label: 'LocalAI API', key: 'localAIApiKey' },
    names: { basepath: 'basePath' },
    inputs: PLAIN,
    models: 'asked',
    quirks: { thinkTags: true },
  },
  {
    node: 'chatMistralAI',
    label: 'ChatMistralAI',
    version: 4,
    type: 'ChatMistralAI',
    provider: 'Mistral',
    docs: 'https://docs.mistral.ai/api/',
    credential: { kind: 'mistralAIApi', label: 'Mistral API', key: 'mistralAIAPIKey' },
    baseURL: 'https://api.mistral.ai/v1',
    names: { basepath: 'overrideEndpoint', maxTokens: 'maxOutputTokens' },
    model: 'mistral-small-latest',
    inputs: ['maxTokens', 'topP', 'timeout', 'randomSeed', 'safeMode'],
    models: 'asked',
    // It refuses fields that it does not know.
    quirks: { countsUnasked: true, thoughts: 'dropped' },
  },
  {
    node: 'chatNvidiaNIM',
    label: 'Chat Nvidia NIM',
    version: 1.1,
    type: 'ChatNvidiaNIM',
    provider: 'NVIDIA NIM',
    docs: 'https://docs.nvidia.com/nim/large-language-models/latest/api-reference.html',
    credential: { kind: 'nvidiaNIMApi', label: 'NVIDIA NIM API', key: 'nvidiaNIMApiKey' },
    baseURL: 'https://integrate.api.nvidia.com/v1',
    names: { basepath: 'basePath' },
    inputs: [...PLAIN, ...PENALTIES],
    models: 'asked',
    keyTest: null,
    quirks: { thinkTags: true, thoughts: 'dropped' },
  },
  {
    node: 'chatOpenRouter',
    label: 'ChatOpenRouter',
    version: 1,
    type: 'ChatOpenRouter',
    provider: 'OpenRouter',
    docs: 'https://openrouter.ai/docs/api-reference/chat-completion',
    credential: { kind: 'openRouterApi', label: 'OpenRouter API', key: 'openRouterApiKey' },
    baseURL: 'https://openrouter.ai/api/v1',
    inputs: [...PLAIN, ...PENALTIES],
    models: 'asked',
    // Its list of models is for everybody.
    keyTest: '/key',
    quirks: { thoughts: 'reasoning' },
  },
  {
    node: 'chatPerplexity',
    label: 'ChatPerplexity',
    version: 0.1,
    type: 'ChatPerplexity',
    provider: 'Perplexity',
    docs: 'https://docs.perplexity.ai/docs/sonar/openai-compatibility',
    credential: { kind: 'perplexityApi', label: 'Perplexity API', key: 'perplexityApiKey' },
    baseURL: 'https://api.perplexity.ai',
    names: { modelName: 'model' },
    model: 'sonar',
    temperature: 1,
    inputs: ['maxTokens', 'topP', 'topK', ...PENALTIES, 'timeout'],
    models: ['sonar', 'sonar-deep-research', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro'],
    quirks: { noTools: true, citations: true, thinkTags: true, countsUnasked: true, thoughts: 'dropped' },
  },
  {
    node: 'chatTogetherAI',
    label: 'TogetherAI',
    version: 2,
    type: 'ChatTogetherAI',
    provider: 'Together AI',
    docs: 'https://docs.together.ai/reference/chat-completions-1',
    credential: { kind: 'togetherAIApi', label: 'Together AI API', key: 'togetherAIApiKey' },
    baseURL: 'https://api.together.xyz/v1',
    inputs: [...PLAIN, ...PENALTIES, 'stopSequence'],
    models: 'asked',
    quirks: { thinkTags: true, thoughts: 'dropped' },
  },
  {
    node: 'chatVLLM',
    label: 'ChatVLLM',
    version: 1,
    type: 'ChatVLLM',
    provider: 'vLLM',
    docs: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
    credential: { kind: 'vllmApi', label: 'vLLM API', key: 'vllmApiKey' },
    names: { basepath: 'basePath' },
    inputs: [...PLAIN, ...PENALTIES, 'stopSequence'],
    models: 'asked',
    quirks: { thinkTags: true },
  },
  {
    node: 'chatXAI',
    label: 'ChatXAI',
    version: 2,
    type: 'ChatXAI',
    provider: 'xAI',
    docs: 'https://docs.x.ai/docs/api-reference',
    credential: { kind: 'xaiApi', label: 'xAI API', key: 'xaiApiKey' },
    baseURL: 'https://api.x.ai/v1',
    // Its reasoning models refuse penalties and stop sequences.
    inputs: PLAIN,
    models: 'asked',
    quirks: { thoughts: 'dropped' },
  },
  {
    node: 'groqChat',
    label: 'GroqChat',
    version: 4,
    type: 'GroqChat',
    provider: 'Groq',
    docs: 'https://console.groq.com/docs/openai',
    credential: { kind: 'groqApi', label: 'Groq API', key: 'groqApiKey' },
    baseURL: 'https://api.groq.com/openai/v1',
    inputs: [...PLAIN, ...PENALTIES, 'stopSequence'],
    models: 'asked',
    quirks: { maxTokens: 'max_completion_tokens', thoughts: 'reasoning', thinkTags: true },
  },
]
