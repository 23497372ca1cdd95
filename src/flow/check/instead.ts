import { SluiceError } from '../../kit/errors.ts'

/*
 * What to use in place of nodes of Flowise that this server does not have. A unit test fails for an entry whose node is here, and
 * for a node of this server that an entry names and that is not there.
 */

const SEARCH = 'serper, serpAPI, googleCustomSearch, braveSearchAPI, tavilyAPI, exaSearch or searXNG'
const ANY_TOOL = 'openAPIToolkit, requestsGet or customMCP for the same service'
const AGENT = 'toolAgent'
const STEPS =
  'the import, which makes steps of it, or the steps themselves: startAgentflow, agentAgentflow, conditionAgentflow, loopAgentflow'
const ANSWER_SHAPE = 'structuredOutputParser of an llmChain, or llmAgentflow with JSON Structured Output'
const PROMPT = 'promptTemplate or chatPromptTemplate of an llmChain'
const HISTORY = 'bufferMemory, which keeps the conversation on this server'

/** By the name of the node. */
export const INSTEAD_OF: Readonly<Record<string, string>> = {
  openAIAssistant:
    'toolAgent with a model, the tools and the instructions of the assistant: OpenAI has turned its Assistants API off',
  babyAGI:
    'toolAgent, or an agent flow: llmAgentflow for the list of tasks, iterationAgentflow for each, loopAgentflow for more',
  readFile: 'customMCP with a server for files: a model reads and writes no files of this server',
  writeFile: 'customMCP with a server for files: a model reads and writes no files of this server',
  vectara: 'builtInVectorStore with embeddings: the documents have to be loaded into it',
  vectaraQAChain: 'conversationalRetrievalQAChain with a chat model over builtInVectorStore',
  microsoftTeams:
    'requestsPost to the webhook of the channel, or openAPIToolkit over the Graph API of Microsoft',
  sequentialChain:
    'an llmChain for each step, whose prompt has the answer of the one before: {{ID.data.instance}}',
  csvAgent:
    'sqlDatabaseChain over a SQLite file with the table, or conversationalRetrievalQAChain over a store with csvFile',
  chatflowTool: 'executeFlowAgentflow in an agent flow',
  agentAsTool: 'executeFlowAgentflow in an agent flow',
  s3File: 'fileLoader: upload the files with POST /api/v1/vector/upsert/:flowId',
  memoryAgentflow: HISTORY,
  inMemoryCache: 'nothing: answers are not cached; take the node out',
  redisCache: 'nothing: answers are not cached; take the node out',
  endAgentflow: 'nothing: a branch ends with its last node; take the node out',
}

/** By the category of the node, where its name has no entry. */
export const INSTEAD_OF_CATEGORY: Readonly<Record<string, string>> = {
  Agents: AGENT,
  Chains: 'llmChain, conversationChain, conversationalRetrievalQAChain, or an agent flow',
  'Chat Models': 'chatOpenAICustom, where the provider speaks the protocol of OpenAI',
  LLMs: 'a chat model: chatOpenAI, chatOpenAICustom, chatOllama',
  'Document Loaders': 'fileLoader for files, cheerioWebScraper for pages, apiLoader for an API',
  Embeddings:
    'openAIEmbeddingsCustom or localAIEmbeddings, where the provider speaks the protocol of OpenAI; else builtInEmbeddings',
  'Vector Stores': 'builtInVectorStore, postgres, qdrant, chroma, pinecone, openSearch or elasticsearch',
  Retrievers: 'the vector store itself, or cohereRerankRetriever and JinaRerankRetriever over it',
  'Record Manager': 'SQLiteRecordManager',
  Memory: HISTORY,
  Cache: 'nothing: answers are not cached; take the node out',
  Moderation: 'inputModerationSimple with a list of texts, or inputModerationOpenAI',
  'Output Parsers': ANSWER_SHAPE,
  Prompts: PROMPT,
  'Text Splitters': 'recursiveCharacterTextSplitter',
  Tools: ANY_TOOL,
  'Tools (MCP)': 'customMCP with the address of the server',
  Utilities: 'an agent flow with customFunctionAgentflow or conditionAgentflow',
  'Multi Agents': STEPS,
  'Sequential Agents': STEPS,
  Engine: 'conversationalRetrievalQAChain',
  'Response Synthesizer': 'the response prompt of conversationalRetrievalQAChain',
  'Speech To Text': 'nothing: the service that writes speech down is a setting of the flow',
}

/** By a pattern of the name: exports of parts within a node have no category. */
export const INSTEAD_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/_?LlamaIndex$/, 'the node of the same name without LlamaIndex'],
  [/^seq|^(agentMemory|supervisor|worker)$/, STEPS],
  [/(search|serp|tavily|searx)/i, SEARCH],
  [/MCP$/, 'customMCP with the address of the server'],
  [/Memory$/, HISTORY],
  [/^chat|Chat$/, 'chatOpenAICustom, where the provider speaks the protocol of OpenAI'],
  [/Embeddings?$/, 'openAIEmbeddingsCustom, localAIEmbeddings or builtInEmbeddings'],
  [/(Parser)$/, ANSWER_SHAPE],
]

/** What to use in place of a node that this server does not have, as a sentence. */
export function insteadOfNode(name: string, category: string): string {
  const found =
    (Object.hasOwn(INSTEAD_OF, name) ? INSTEAD_OF[name] : undefined) ??
    INSTEAD_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ??
    (Object.hasOwn(INSTEAD_OF_CATEGORY, category) ? INSTEAD_OF_CATEGORY[category] : undefined)
  return found === undefined
    ? 'Take the node out, or use another: GET /api/v1/nodes lists those of this server'
    : `Use ${found}`
}

/** The refusal of a node that this server does not have. */
export const unknownNode = (name: string, category: string): SluiceError =>
  new SluiceError('node_unknown', { node: name, instead: insteadOfNode(name, category) })
