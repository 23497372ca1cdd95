import {
  choiceField,
  flagField,
  numberField,
  objectField,
  rowListField,
  textField,
} from '../../cards/field.ts'
import type { KnowledgeSource, ModelStep } from '../../contract/step.ts'
import type { JsonObject } from '../../kit/json.ts'
import {
  answerFields,
  chosenNode,
  defineStep,
  flagOfCell,
  keyValues,
  MEMORY_TYPES,
  stepMemory,
  stepMessages,
  textOfCell,
} from './step-card.ts'
import {
  answerColumns,
  flowStoreColumns,
  messageColumns,
  stateColumns,
  vectorStoreColumns,
} from './step-columns.ts'
import { InputError } from '../../cards/input-error.ts'

/** For inputs with addresses and secrets of tools and stores. */
const guarded = { guard: 'credential' } as const

const requiresHumanInput = flagField('Require Human Input', false, {
  description: 'A person must approve each search',
})

const toolColumns = {
  agentSelectedTool: textField('Tool', undefined, { selects: 'tools' }),
  agentSelectedToolConfig: objectField('Tool Parameters'),
  agentSelectedToolRequiresHumanInput: flagField('Require Human Input', false, {
    description: 'A person must approve each call of this tool',
  }),
}

export const agentAgentflow = defineStep({
  name: 'agentAgentflow',
  label: 'Agent',
  version: 3.2,
  icon: 'bot',
  description: 'Lets a chat model call tools and search documents until it can answer',
  fields: {
    agentModel: textField('Model', undefined, { main: true, selects: 'chatModel' }),
    agentModelConfig: objectField('Model Parameters', guarded),
    agentMessages: rowListField('Messages', { columns: messageColumns }),
    agentToolsBuiltInOpenAI: textField('OpenAI Built-in Tools', '', { hidden: true }),
    agentToolsBuiltInGemini: textField('Gemini Built-in Tools', '', { hidden: true }),
    agentToolsBuiltInAnthropic: textField('Anthropic Built-in Tools', '', { hidden: true }),
    agentTools: rowListField('Tools', { main: true, ...guarded, columns: toolColumns }),
    agentAskBeforeChanges: flagField('Ask Before Changes', false, {
      description: 'A person must approve every call that may change something',
      guard: 'credential',
    }),
    agentMaxIterations: numberField(
      'Max Iterations',
      15,
      { whole: true, min: 1, max: 1000 },
      {
        description: 'The maximum number of model calls for one answer',
      },
    ),
    agentKnowledgeDocumentStores: rowListField('Knowledge (Document Stores)', {
      guard: 'table',
      refersTo: { kind: 'flow', column: 'documentStore', store: true },
      description: 'Flows of this server, by id or slug, whose stores are searched',
      columns: { ...flowStoreColumns, requiresHumanInput },
    }),
    agentKnowledgeVSEmbeddings: rowListField('Knowledge (Vector Embeddings)', {
      ...guarded,
      columns: { ...vectorStoreColumns, requiresHumanInput },
    }),
    agentEnableMemory: flagField('Enable Memory', true),
    agentMemoryType: choiceField('Memory Type', MEMORY_TYPES, 'allMessages', {
      showWhen: { agentEnableMemory: [true] },
    }),
    agentMemoryWindowSize: numberField(
      'Window Size',
      20,
      { whole: true, min: 1 },
      {
        unit: 'messages',
        showWhen: { agentEnableMemory: [true], agentMemoryType: ['windowSize'] },
      },
    ),
    agentMemoryMaxTokenLimit: numberField(
      'Max Token Limit',
      2000,
      { whole: true, min: 1 },
      {
        unit: 'tokens',
        showWhen: { agentEnableMemory: [true], agentMemoryType: ['conversationSummaryBuffer'] },
      },
    ),
    agentUserMessage: textField('Input Message', '', { multiline: true }),
    agentReturnResponseAs: choiceField(
      'Return Response As',
      ['userMessage', 'assistantMessage'],
      'userMessage',
    ),
    agentStructuredOutput: rowListField('JSON Structured Output', { columns: answerColumns }),
    agentUpdateState: rowListField('Update Flow State', { columns: stateColumns }),
  },
  build(values): ModelStep {
    for (const input of [
      'agentToolsBuiltInOpenAI',
      'agentToolsBuiltInGemini',
      'agentToolsBuiltInAnthropic',
    ] as const)
      if (!['', '[]'].includes(values[input]))
        throw new InputError(input, 'tools that run at the provider are not supported', {
          instead: 'Use tools of this server, such as customMCP or requestsGet, and leave this input empty',
        })
    return {
      type: 'model',
      model: chosenNode('agentModel', values.agentModel, values.agentModelConfig, 'model'),
      messages: stepMessages(values.agentMessages),
      tools: values.agentTools.map((row) => ({
        tool: chosenNode('agentTools', row.agentSelectedTool, row.agentSelectedToolConfig, 'tool'),
        needsApproval: flagOfCell(row.agentSelectedToolRequiresHumanInput),
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
      answer: answerFields(values.agentStructuredOutput, 'agentStructuredOutput'),
      updateState: keyValues(values.agentUpdateState),
    }
  },
})

/** Flowise's document store `"ID:NAME"` is the store of a flow of this server. */
function storeOfFlow(row: JsonObject): KnowledgeSource {
  const [flow = '', name = flow] = textOfCell(row.documentStore).split(/:(.*)/s)
  return {
    name: name || flow,
    description: textOfCell(row.docStoreDescription),
    returnSourceDocuments: flagOfCell(row.returnSourceDocuments),
    needsApproval: flagOfCell(row.requiresHumanInput),
    from: { flow },
  }
}

const storeAndEmbedder = (row: JsonObject): KnowledgeSource => ({
  name: textOfCell(row.knowledgeName),
  description: textOfCell(row.knowledgeDescription),
  returnSourceDocuments: flagOfCell(row.returnSourceDocuments),
  needsApproval: flagOfCell(row.requiresHumanInput),
  from: {
    store: chosenNode('agentKnowledgeVSEmbeddings', row.vectorStore, row.vectorStoreConfig, 'vector store'),
    embedder: chosenNode(
      'agentKnowledgeVSEmbeddings',
      row.embeddingModel,
      row.embeddingModelConfig,
      'embedding model',
    ),
  },
})
