import { choice, flag, number, object, rows, text } from '../../contract/field.ts'
import type { Knowledge, ModelStep } from '../../contract/step.ts'
import type { JsonObject } from '../../kit/json.ts'
import {
  answerFields,
  chosen,
  defineStep,
  MEMORY_TYPES,
  pairs,
  stepMemory,
  stepMessages,
  switchOf,
  textOf,
} from './declare.ts'

/** Rows that hold addresses and secrets of tools and stores. */
const guarded = { guard: 'credential' } as const

export const agentAgentflow = defineStep({
  name: 'agentAgentflow',
  label: 'Agent',
  version: 3.2,
  description: 'Lets a chat model call tools and look into knowledge until it can answer',
  fields: {
    agentModel: text('Model', undefined),
    agentModelConfig: object('Model Parameters', guarded),
    agentMessages: rows('Messages'),
    agentToolsBuiltInOpenAI: text('OpenAI Built-in Tools', ''),
    agentToolsBuiltInGemini: text('Gemini Built-in Tools', ''),
    agentToolsBuiltInAnthropic: text('Anthropic Built-in Tools', ''),
    agentTools: rows('Tools', guarded),
    agentAskBeforeChanges: flag('Ask Before Changes', false, {
      description: 'A person decides on every call that may change something',
      guard: 'credential',
    }),
    agentMaxIterations: number(
      'Max Iterations',
      15,
      { whole: true, min: 1, max: 1000 },
      {
        description: 'How often the model may be asked within one answer',
      },
    ),
    agentKnowledgeDocumentStores: rows('Knowledge (Document Stores)', {
      guard: 'table',
      refersTo: { kind: 'flow', column: 'documentStore' },
      description: 'Flows of this server, by id or slug, whose stores are looked into',
    }),
    agentKnowledgeVSEmbeddings: rows('Knowledge (Vector Embeddings)', guarded),
    agentEnableMemory: flag('Enable Memory', true),
    agentMemoryType: choice('Memory Type', MEMORY_TYPES, 'allMessages'),
    agentMemoryWindowSize: number('Window Size', 20, { whole: true, min: 1 }),
    agentMemoryMaxTokenLimit: number('Max Token Limit', 2000, { whole: true, min: 1 }),
    agentUserMessage: text('Input Message', ''),
    agentReturnResponseAs: choice('Return Response As', ['userMessage', 'assistantMessage'], 'userMessage'),
    agentStructuredOutput: rows('JSON Structured Output'),
    agentUpdateState: rows('Update Flow State'),
  },
  build(values): ModelStep {
    for (const list of [
      values.agentToolsBuiltInOpenAI,
      values.agentToolsBuiltInGemini,
      values.agentToolsBuiltInAnthropic,
    ])
      if (list !== '' && list !== '[]') throw new Error('tools that run at the provider are not supported')
    return {
      type: 'model',
      model: chosen(values.agentModel, values.agentModelConfig, 'model'),
      messages: stepMessages(values.agentMessages),
      tools: values.agentTools.map((row) => ({
        tool: chosen(row.agentSelectedTool, row.agentSelectedToolConfig, 'tool'),
        asks: switchOf(row.agentSelectedToolRequiresHumanInput),
      })),
      asksBeforeChanges: values.agentAskBeforeChanges,
      knowledge: [
        ...values.agentKnowledgeDocumentStores.map(storeOfFlow),
        ...values.agentKnowledgeVSEmbeddings.map(storeAndEmbedder),
      ],
      maxIterations: values.agentMaxIterations,
      memory: stepMemory(
        values.agentEnableMemory,
        values.agentMemoryType,
        values.agentMemoryWindowSize,
        values.agentMemoryMaxTokenLimit,
      ),
      userMessage: values.agentUserMessage,
      returnAs: values.agentReturnResponseAs,
      answer: answerFields(values.agentStructuredOutput),
      updateState: pairs(values.agentUpdateState),
    }
  },
})

/** `"<id>:<name>"`: Flowise's document stores are flows of this server. */
function storeOfFlow(row: JsonObject): Knowledge {
  const [flow = '', name = flow] = textOf(row.documentStore).split(/:(.*)/s)
  return {
    name: name || flow,
    description: textOf(row.docStoreDescription),
    returnSourceDocuments: switchOf(row.returnSourceDocuments),
    from: { flow },
  }
}

const storeAndEmbedder = (row: JsonObject): Knowledge => ({
  name: textOf(row.knowledgeName),
  description: textOf(row.knowledgeDescription),
  returnSourceDocuments: switchOf(row.returnSourceDocuments),
  from: {
    store: chosen(row.vectorStore, row.vectorStoreConfig, 'vector store'),
    embedder: chosen(row.embeddingModel, row.embeddingModelConfig, 'embedding model'),
  },
})
