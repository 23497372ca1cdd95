import type { JsonObject } from '../../kit/json.ts'

/** A node of Flowise that comes in as a node of this server. */
export type Alias = {
  /** The node here; by the inputs where it depends on them. */
  by: string | ((inputs: Readonly<JsonObject>) => string)
  /** What is different, or is not kept, as a sentence. */
  differs?: string
  /** Inputs that have another name here. Connections are inputs too. */
  renames?: Readonly<Record<string, string>>
  /** Changes inputs that mean something else here, and says what has changed. They have their new names already. */
  adapt?: (inputs: JsonObject) => string[]
}

const STORE: Alias = { by: 'builtInVectorStore', differs: 'Its chunks are kept on this server' }

const AGENT: Alias = {
  by: 'toolAgent',
  differs: 'The model calls its tools by the protocol of its provider; it has to be one that can',
}

/** Placeholders of prompts that describe a text protocol for calls of tools. */
const TEXT_PROTOCOL = /\{(tools|tool_names|agent_scratchpad)\}|<tool>/

/** An agent whose prompt describes how calls are written as texts. */
const TEXT_AGENT: Alias = {
  ...AGENT,
  adapt(inputs) {
    if (!TEXT_PROTOCOL.test(String(inputs.systemMessage ?? ''))) return []
    delete inputs.systemMessage
    return ['Its system message describes calls of tools as texts and is not kept']
  },
}

/** Where a memory says how many of the newest exchanges a model gets. */
const hasWindow = (input: string) => (inputs: Readonly<JsonObject>) =>
  Number(inputs[input]) > 0 ? 'bufferWindowMemory' : 'bufferMemory'

const ELSEWHERE = 'This server keeps the conversation itself; what the other server holds is not read'

const SUMMARY: Alias = {
  by: 'bufferMemory',
  differs: 'The model gets the whole conversation in place of a summary',
}

/** In Flowise a window counts messages there; here it counts exchanges, of two messages each. */
function halved(inputs: JsonObject): string[] {
  const messages = Number(inputs.k)
  if (!(messages > 0)) return []
  inputs.k = Math.ceil(messages / 2)
  return []
}

/** Models of OpenAI that complete a text and take no messages. */
const COMPLETES = /instruct|davinci|curie|babbage|(^|-)ada(-|$)/i

/** By the name of the node. A store in a process or a folder becomes the built-in store. */
export const ALIASES: Readonly<Record<string, Alias>> = {
  memoryVectorStore: STORE,
  faiss: STORE,
  agentExecutor: AGENT,
  conversationalAgent: AGENT,
  conversationalRetrievalAgent: AGENT,
  mistralAIFunctionAgent: AGENT,
  mistralAIToolAgent: AGENT,
  openAIFunctionAgent: AGENT,
  openAIFunctionsAgent: AGENT,
  openAIToolAgent: AGENT,
  openAIToolsAgent: AGENT,
  mrklAgentChat: TEXT_AGENT,
  mrklAgentLLM: TEXT_AGENT,
  reactAgentChat: TEXT_AGENT,
  reactAgentLLM: TEXT_AGENT,
  xmlAgent: TEXT_AGENT,
  conversationalRetrievalToolAgent: {
    by: 'conversationalRetrievalQAChain',
    differs: 'It answers from the documents that it finds; it calls no other tools',
    renames: { systemMessage: 'responsePrompt' },
  },
  openAI: {
    by: 'chatOpenAI',
    differs: 'The prompt is sent as a message',
    adapt(inputs) {
      const model = String(inputs.modelName ?? '')
      if (!COMPLETES.test(model)) return []
      delete inputs.modelName
      return [`The model ${model} takes no messages: the default of chatOpenAI is used`]
    },
  },
  RedisBackedChatMemory: {
    by: hasWindow('windowSize'),
    renames: { windowSize: 'k' },
    differs: ELSEWHERE,
    adapt: halved,
  },
  upstashRedisBackedChatMemory: { by: 'bufferMemory', differs: ELSEWHERE },
  MongoDBAtlasChatMemory: { by: 'bufferMemory', differs: ELSEWHERE },
  DynamoDBChatMemory: { by: 'bufferMemory', differs: ELSEWHERE },
  motorheadMemory: { by: 'bufferMemory', differs: ELSEWHERE },
  ZepMemory: { by: hasWindow('k'), differs: ELSEWHERE, adapt: halved },
  ZepMemoryCloud: { by: 'bufferMemory', differs: ELSEWHERE },
  conversationSummaryMemory: SUMMARY,
  conversationSummaryBufferMemory: SUMMARY,
}

/** A node of Flowise without which a flow does the same. */
export type NeedlessNode = {
  /** What is lost with it, as a sentence. */
  what: string
  /** The input whose node takes its place, where it wraps one. */
  passes?: string
}

const ANSWERS: NeedlessNode = { what: 'Answers of the model are not cached: each question is asked' }
const VECTORS: NeedlessNode = {
  what: 'A vector store here embeds no text twice; there is no other cache of vectors',
  passes: 'embeddings',
}

/** By the name of the node: what an import leaves out, with its connections. */
export const NEEDLESS: Readonly<Record<string, NeedlessNode>> = {
  inMemoryCache: ANSWERS,
  momentoCache: ANSWERS,
  redisCache: ANSWERS,
  upstashRedisCache: ANSWERS,
  googleGenerativeAIContextCache: { what: 'The provider caches the beginnings of prompts by itself' },
  inMemoryEmbeddingCache: VECTORS,
  redisEmbeddingsCache: VECTORS,
}
