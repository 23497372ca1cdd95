import { choice, flag, number, object, rows, text } from '../../contract/field.ts'
import { answerFields, chosen, defineStep, MEMORY_TYPES, pairs, stepMemory, stepMessages } from './declare.ts'

export const llmAgentflow = defineStep({
  name: 'llmAgentflow',
  label: 'LLM',
  version: 1.1,
  description: 'Asks a chat model once',
  fields: {
    llmModel: text('Model', undefined),
    llmModelConfig: object('Model Parameters', { guard: 'credential' }),
    llmMessages: rows('Messages'),
    llmEnableMemory: flag('Enable Memory', true),
    llmMemoryType: choice('Memory Type', MEMORY_TYPES, 'allMessages'),
    llmMemoryWindowSize: number('Window Size', 20, { whole: true, min: 1 }),
    llmMemoryMaxTokenLimit: number('Max Token Limit', 2000, { whole: true, min: 1 }),
    llmUserMessage: text('Input Message', ''),
    llmReturnResponseAs: choice('Return Response As', ['userMessage', 'assistantMessage'], 'userMessage'),
    llmStructuredOutput: rows('JSON Structured Output'),
    llmUpdateState: rows('Update Flow State'),
  },
  build: (values) => ({
    type: 'model',
    model: chosen(values.llmModel, values.llmModelConfig, 'model'),
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
    answer: answerFields(values.llmStructuredOutput),
    updateState: pairs(values.llmUpdateState),
  }),
})
