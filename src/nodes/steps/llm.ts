import {
  choiceField,
  flagField,
  numberField,
  objectField,
  rowListField,
  textField,
} from '../../cards/field.ts'
import {
  answerFields,
  chosenNode,
  defineStep,
  keyValues,
  MEMORY_TYPES,
  stepMemory,
  stepMessages,
} from './step-card.ts'
import { answerColumns, messageColumns, stateColumns } from './step-columns.ts'

export const llmAgentflow = defineStep({
  name: 'llmAgentflow',
  label: 'LLM',
  version: 1.1,
  icon: 'sparkles',
  description: 'Calls a chat model once',
  fields: {
    llmModel: textField('Model', undefined, { main: true, selects: 'chatModel' }),
    llmModelConfig: objectField('Model Parameters', { guard: 'credential' }),
    llmMessages: rowListField('Messages', { main: true, columns: messageColumns }),
    llmEnableMemory: flagField('Enable Memory', true),
    llmMemoryType: choiceField('Memory Type', MEMORY_TYPES, 'allMessages', {
      showWhen: { llmEnableMemory: [true] },
    }),
    llmMemoryWindowSize: numberField(
      'Window Size',
      20,
      { whole: true, min: 1 },
      {
        unit: 'messages',
        showWhen: { llmEnableMemory: [true], llmMemoryType: ['windowSize'] },
      },
    ),
    llmMemoryMaxTokenLimit: numberField(
      'Max Token Limit',
      2000,
      { whole: true, min: 1 },
      {
        unit: 'tokens',
        showWhen: { llmEnableMemory: [true], llmMemoryType: ['conversationSummaryBuffer'] },
      },
    ),
    llmUserMessage: textField('Input Message', '', { multiline: true }),
    llmReturnResponseAs: choiceField(
      'Return Response As',
      ['userMessage', 'assistantMessage'],
      'userMessage',
    ),
    llmStructuredOutput: rowListField('JSON Structured Output', { columns: answerColumns }),
    llmUpdateState: rowListField('Update Flow State', { columns: stateColumns }),
  },
  build: (values) => ({
    type: 'model',
    model: chosenNode('llmModel', values.llmModel, values.llmModelConfig, 'model'),
    messages: stepMessages(values.llmMessages),
    tools: [],
    asksBeforeChanges: false,
    knowledge: [],
    maxIterations: 1,
    memory: stepMemory(
      values.llmEnableMemory,
      values.llmMemoryType,
      values.llmMemoryWindowSize,
      values.llmMemoryMaxTokenLimit,
    ),
    userMessage: values.llmUserMessage,
    returnAs: values.llmReturnResponseAs,
    answer: answerFields(values.llmStructuredOutput, 'llmStructuredOutput'),
    updateState: keyValues(values.llmUpdateState),
  }),
})
