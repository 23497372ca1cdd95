import { choice, flag, number, object, rows, text } from '../../contract/field.ts'
import { chosen, defineStep, MEMORY_TYPES, stepMemory, textOf } from './declare.ts'

export const conditionAgentAgentflow = defineStep({
  name: 'conditionAgentAgentflow',
  label: 'Condition Agent',
  version: 2,
  description: 'Lets a chat model choose the way on',
  fields: {
    conditionAgentModel: text('Model', undefined),
    conditionAgentModelConfig: object('Model Parameters', { guard: 'credential' }),
    conditionAgentInstructions: text('Instructions', ''),
    conditionAgentInput: text('Input', '{{question}}'),
    conditionAgentScenarios: rows('Scenarios'),
    // Flowise leaves memory off where an export has no such input.
    conditionAgentEnableMemory: flag('Enable Memory', false),
    conditionAgentMemoryType: choice('Memory Type', MEMORY_TYPES, 'allMessages'),
    conditionAgentMemoryWindowSize: number('Window Size', 20, { whole: true, min: 1 }),
    conditionAgentMemoryMaxTokenLimit: number('Max Token Limit', 2000, { whole: true, min: 1 }),
    conditionAgentOverrideSystemPrompt: flag('Override System Prompt', false),
    conditionAgentSystemPrompt: text('Node System Prompt', ''),
  },
  build: (values) => ({
    type: 'choice',
    model: chosen(values.conditionAgentModel, values.conditionAgentModelConfig, 'model'),
    instructions: values.conditionAgentInstructions,
    input: values.conditionAgentInput,
    scenarios: values.conditionAgentScenarios.map(({ scenario }) => textOf(scenario)),
    systemPrompt:
      values.conditionAgentOverrideSystemPrompt && values.conditionAgentSystemPrompt.trim() !== ''
        ? values.conditionAgentSystemPrompt
        : undefined,
    memory: stepMemory(
      values.conditionAgentEnableMemory,
      values.conditionAgentMemoryType,
      values.conditionAgentMemoryWindowSize,
      values.conditionAgentMemoryMaxTokenLimit,
    ),
  }),
})
