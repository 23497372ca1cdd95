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

/** A store in a server that this one does not speak to. */
const OTHER_STORE: Alias = {
  by: 'builtInVectorStore',
  differs:
    'Its chunks are kept on this server, and what the other one holds is not read: load the documents again',
}

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

/** A node of LlamaIndex, of which a node here does the same. Its models and stores take the inputs of the other nodes. */
const LLAMA_INDEX = 'LlamaIndex is not used'

/** What an agent that works by itself is told, where its drawing says who it is. */
const autonomous = (name: unknown, role: unknown) =>
  `You are ${String(name || 'an autonomous agent')}, ${String(role || 'an assistant')}. Work on the task by calls of your tools, step by step, until it is done. Ask nobody for help.`

/** Models of OpenAI that complete a text and take no messages. */
const COMPLETES = /instruct|davinci|curie|babbage|(^|-)ada(-|$)/i

/** By the name of the node. A store in a process or a folder becomes the built-in store. */
export const ALIASES: Readonly<Record<string, Alias>> = {
  memoryVectorStore: STORE,
  faiss: STORE,
  simpleStoreLlamaIndex: STORE,
  astra: OTHER_STORE,
  couchbase: OTHER_STORE,
  meilisearch: OTHER_STORE,
  milvus: OTHER_STORE,
  mongoDBAtlas: OTHER_STORE,
  redis: OTHER_STORE,
  singlestore: OTHER_STORE,
  supabase: OTHER_STORE,
  upstash: OTHER_STORE,
  weaviate: OTHER_STORE,
  zep: OTHER_STORE,
  zepCloud: OTHER_STORE,
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
  autoGPT: {
    by: 'toolAgent',
    differs: 'It does its task in one run of calls, and keeps its thoughts in no vector store',
    renames: { maxLoop: 'maxIterations' },
    adapt(inputs) {
      inputs.systemMessage = autonomous(inputs.aiName, inputs.aiRole)
      delete inputs.aiName
      delete inputs.aiRole
      return ['Its name and its role stand in the system message']
    },
  },
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
  huggingFaceInference_LLMs: {
    by: 'chatHuggingFace',
    differs:
      'The prompt is sent as a message, to a provider that Hugging Face chooses; it has to have the model',
  },
  webBrowser: {
    by: 'webScraperTool',
    differs: 'The agent reads the text of the page itself, in place of what another model finds in it',
  },
  azureChatOpenAI_LlamaIndex: { by: 'azureChatOpenAI', differs: LLAMA_INDEX },
  azureOpenAIEmbeddingsLlamaIndex: { by: 'azureOpenAIEmbeddings', differs: LLAMA_INDEX },
  chatAnthropic_LlamaIndex: { by: 'chatAnthropic', differs: LLAMA_INDEX },
  chatMistral_LlamaIndex: {
    by: 'chatMistralAI',
    differs: LLAMA_INDEX,
    renames: { maxTokensToSample: 'maxOutputTokens' },
  },
  chatOllama_LlamaIndex: { by: 'chatOllama', differs: LLAMA_INDEX },
  chatOpenAI_LlamaIndex: { by: 'chatOpenAI', differs: LLAMA_INDEX },
  openAIEmbedding_LlamaIndex: { by: 'openAIEmbeddings', differs: LLAMA_INDEX },
  pineconeLlamaIndex: { by: 'pinecone', differs: LLAMA_INDEX },
  contextChatEngine: { by: 'conversationalRetrievalQAChain', differs: LLAMA_INDEX },
  simpleChatEngine: { by: 'conversationChain', differs: LLAMA_INDEX },
  queryEngine: {
    by: 'retrievalQAChain',
    differs: `${LLAMA_INDEX}: the model of its store answers from all passages at once`,
  },
  queryEngineToolLlamaIndex: {
    by: 'chainTool',
    differs: LLAMA_INDEX,
    renames: { baseQueryEngine: 'baseChain', toolName: 'name', toolDesc: 'description' },
  },
  subQuestionQueryEngine: {
    by: 'toolAgent',
    differs: `${LLAMA_INDEX}: the model asks its tools as often as it needs, in place of a list of questions that is made first`,
    renames: { queryEngineTools: 'tools' },
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

const SYNTHESIZER: NeedlessNode = {
  what: 'The passages that are found stand in one prompt, that of the query engine: nothing is refined in several answers',
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
  compactrefineLlamaIndex: SYNTHESIZER,
  refineLlamaIndex: SYNTHESIZER,
  simpleResponseBuilderLlamaIndex: SYNTHESIZER,
  treeSummarizeLlamaIndex: SYNTHESIZER,
}
