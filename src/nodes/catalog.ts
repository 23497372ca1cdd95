import { makeCatalog } from '../flow/catalog.ts'
import { toolAgent } from './agents/tool-agent.ts'
import { getApiChain, postApiChain } from './chains/api-chains.ts'
import { conversationChain } from './chains/conversation-chain.ts'
import { conversationalRetrievalQAChain } from './chains/conversational-retrieval-qa-chain.ts'
import { llmChain } from './chains/llm-chain.ts'
import { multiPromptChain } from './chains/multi-prompt-chain.ts'
import { multiRetrievalQAChain } from './chains/multi-retrieval-qa-chain.ts'
import { openApiChain } from './chains/open-api-chain.ts'
import { retrievalQAChain } from './chains/retrieval-qa-chain.ts'
import { sqlDatabaseChain } from './chains/sql-database-chain.ts'
import { chatAnthropic } from './chat-models/chat-anthropic.ts'
import { chatGoogleGenerativeAI } from './chat-models/chat-google-generative-ai.ts'
import { chatOllama } from './chat-models/chat-ollama.ts'
import { chatOpenAI } from './chat-models/chat-openai.ts'
import { replicate } from './chat-models/replicate.ts'
import { chatOpenAICustom } from './chat-models/chat-openai-custom.ts'
import { CHAT_PROVIDERS } from './chat-models/chat-providers.ts'
import { providerCard } from './chat-models/provider-card.ts'
import { builtInEmbeddings } from './embeddings/built-in-embeddings.ts'
import { googleGenerativeAiEmbeddings } from './embeddings/google-generative-ai-embeddings.ts'
import { localAIEmbeddings } from './embeddings/local-ai-embeddings.ts'
import { ollamaEmbedding } from './embeddings/ollama-embedding.ts'
import { EMBEDDING_PROVIDERS } from './embeddings/embedding-providers.ts'
import { openAIEmbeddings, openAIEmbeddingsCustom } from './embeddings/openai-embeddings.ts'
import { providerEmbeddings } from './embeddings/provider-embeddings.ts'
import { documentStoreLoader } from './document-stores/document-store.ts'
import { documentStoreVS } from './document-stores/document-store-vs.ts'
import { apiLoader } from './loaders/api-loader.ts'
import { cheerioWebScraper } from './loaders/cheerio-web-scraper.ts'
import { csvFile } from './loaders/csv-file.ts'
import { docxFile, microsoftWord } from './loaders/docx-file.ts'
import { fileLoader } from './loaders/file-loader.ts'
import { folderFiles } from './loaders/folder-files.ts'
import { github } from './loaders/github.ts'
import { jsonFile } from './loaders/json-file.ts'
import { jsonlinesFile } from './loaders/jsonlines-file.ts'
import { microsoftExcel } from './loaders/microsoft-excel.ts'
import { microsoftPowerpoint } from './loaders/microsoft-powerpoint.ts'
import { pdfFile } from './loaders/pdf-file.ts'
import { plainTextLoader } from './loaders/plain-text.ts'
import { searchApiLoader } from './loaders/search-api.ts'
import { sqlDatabase } from './loaders/sql-database.ts'
import { textFile } from './loaders/text-file.ts'
import { unstructuredFileLoader } from './loaders/unstructured-file-loader.ts'
import { bufferMemory, bufferWindowMemory } from './memory/buffer-memory.ts'
import { inputModerationOpenAI } from './moderation/openai-moderation.ts'
import { inputModerationSimple } from './moderation/simple-moderation.ts'
import { advancedStructuredOutputParser } from './output-parsers/advanced-structured-output-parser.ts'
import { csvOutputParser } from './output-parsers/csv-output-parser.ts'
import { customListOutputParser } from './output-parsers/custom-list-output-parser.ts'
import { structuredOutputParser } from './output-parsers/structured-output-parser.ts'
import { chatPromptTemplate } from './prompts/chat-prompt-template.ts'
import { fewShotPromptTemplate } from './prompts/few-shot-prompt-template.ts'
import { promptRetriever } from './prompts/prompt-retriever.ts'
import { promptTemplate } from './prompts/prompt-template.ts'
import { chroma } from './remote-stores/chroma.ts'
import { pinecone } from './remote-stores/pinecone.ts'
import { qdrant } from './remote-stores/qdrant.ts'
import { elasticsearchStore, openSearchStore } from './remote-stores/search-servers.ts'
import { mySqlRecordManager, postgresRecordManager } from './records/server-record-managers.ts'
import { sqliteRecordManager } from './records/sqlite-record-manager.ts'
import { rerankerCustom } from './rerankers/reranker-custom.ts'
import { cohereRerankRetriever } from './retrievers/cohere-rerank-retriever.ts'
import { jinaRerankRetriever } from './retrievers/jina-rerank-retriever.ts'
import { vectorStoreRetriever } from './retrievers/vector-store-retriever.ts'
import { vectorStoreToDocument } from './retrievers/vector-store-to-document.ts'
import { characterTextSplitter } from './splitters/character-text-splitter.ts'
import { codeTextSplitter } from './splitters/code-text-splitter.ts'
import { htmlToMarkdownTextSplitter } from './splitters/html-to-markdown-text-splitter.ts'
import { markdownTextSplitter } from './splitters/markdown-text-splitter.ts'
import { recursiveCharacterTextSplitter } from './splitters/recursive-character-text-splitter.ts'
import { sluiceTextSplitter } from './splitters/sluice-text-splitter.ts'
import { tokenTextSplitter } from './splitters/token-text-splitter.ts'
import { agentAgentflow } from './steps/agent.ts'
import { conditionAgentflow } from './steps/condition.ts'
import { conditionAgentAgentflow } from './steps/condition-agent.ts'
import { customFunctionAgentflow } from './steps/custom-function.ts'
import { directReplyAgentflow } from './steps/direct-reply.ts'
import { executeFlowAgentflow } from './steps/execute-flow.ts'
import { httpAgentflow } from './steps/http.ts'
import { humanInputAgentflow } from './steps/human-input.ts'
import { iterationAgentflow } from './steps/iteration.ts'
import { llmAgentflow } from './steps/llm.ts'
import { loopAgentflow } from './steps/loop.ts'
import { retrieverAgentflow } from './steps/retriever.ts'
import { startAgentflow } from './steps/start.ts'
import { toolAgentflow } from './steps/tool.ts'
import { builtInVectorStore } from './stores/built-in-vector-store.ts'
import { pgvector } from './stores/pgvector.ts'
import { calculator } from './tools/calculator.ts'
import { chainTool } from './tools/chain-tool.ts'
import { currentDateTime } from './tools/current-date-time.ts'
import { customMCP } from './tools/custom-mcp.ts'
import { customTool } from './tools/custom-tool.ts'
import { gmail } from './tools/gmail.ts'
import { openAPIToolkit } from './tools/openapi-toolkit.ts'
import {
  requestsDelete,
  requestsGet,
  requestsPatch,
  requestsPost,
  requestsPut,
} from './tools/request-tools.ts'
import { retrieverTool } from './tools/retriever-tool.ts'
import { searchServices } from './tools/search-services.ts'
import { webScraperTool } from './tools/web-scraper-tool.ts'
import { customFunction } from './utilities/custom-function.ts'
import { ifElseFunction } from './utilities/if-else-function.ts'
import { getVariable, setVariable } from './utilities/variables.ts'

/** All nodes. To add one: a file for its card, an import and a line here. */
export const catalog = makeCatalog([
  // agents and chains
  conversationChain,
  conversationalRetrievalQAChain,
  getApiChain,
  llmChain,
  multiPromptChain,
  multiRetrievalQAChain,
  openApiChain,
  postApiChain,
  retrievalQAChain,
  sqlDatabaseChain,
  toolAgent,
  // prompts of chains
  chatPromptTemplate,
  fewShotPromptTemplate,
  promptRetriever,
  promptTemplate,
  // forms of their answers
  advancedStructuredOutputParser,
  csvOutputParser,
  customListOutputParser,
  structuredOutputParser,
  // nodes of agent flows
  agentAgentflow,
  conditionAgentAgentflow,
  conditionAgentflow,
  customFunctionAgentflow,
  directReplyAgentflow,
  executeFlowAgentflow,
  httpAgentflow,
  humanInputAgentflow,
  iterationAgentflow,
  llmAgentflow,
  loopAgentflow,
  retrieverAgentflow,
  startAgentflow,
  toolAgentflow,
  // document loaders
  apiLoader,
  cheerioWebScraper,
  csvFile,
  documentStoreLoader,
  docxFile,
  fileLoader,
  folderFiles,
  github,
  jsonFile,
  jsonlinesFile,
  microsoftExcel,
  microsoftPowerpoint,
  microsoftWord,
  pdfFile,
  plainTextLoader,
  searchApiLoader,
  sqlDatabase,
  textFile,
  unstructuredFileLoader,
  // text splitters
  characterTextSplitter,
  codeTextSplitter,
  htmlToMarkdownTextSplitter,
  markdownTextSplitter,
  recursiveCharacterTextSplitter,
  sluiceTextSplitter,
  tokenTextSplitter,
  // embeddings
  builtInEmbeddings,
  googleGenerativeAiEmbeddings,
  localAIEmbeddings,
  ollamaEmbedding,
  openAIEmbeddings,
  openAIEmbeddingsCustom,
  ...EMBEDDING_PROVIDERS.map(providerEmbeddings),
  // chat models
  chatAnthropic,
  chatGoogleGenerativeAI,
  chatOllama,
  chatOpenAI,
  chatOpenAICustom,
  replicate,
  ...CHAT_PROVIDERS.map(providerCard),
  // memory
  bufferMemory,
  bufferWindowMemory,
  // moderation
  inputModerationOpenAI,
  inputModerationSimple,
  // vector stores
  builtInVectorStore,
  documentStoreVS,
  pgvector,
  // rerankers
  cohereRerankRetriever,
  jinaRerankRetriever,
  rerankerCustom,
  // retrievers
  vectorStoreRetriever,
  vectorStoreToDocument,
  // vector stores in other servers
  chroma,
  elasticsearchStore,
  openSearchStore,
  pinecone,
  qdrant,
  // tools
  calculator,
  chainTool,
  currentDateTime,
  customMCP,
  customTool,
  gmail,
  openAPIToolkit,
  requestsDelete,
  requestsGet,
  requestsPatch,
  requestsPost,
  requestsPut,
  retrieverTool,
  ...searchServices,
  webScraperTool,
  // utilities
  customFunction,
  getVariable,
  ifElseFunction,
  setVariable,
  // record managers
  mySqlRecordManager,
  postgresRecordManager,
  sqliteRecordManager,
])
