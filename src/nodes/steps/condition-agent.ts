import {
  choiceField,
  flagField,
  numberField,
  objectField,
  rowListField,
  textField,
} from '../../contract/field.ts'
import { chosenNode, defineStep, MEMORY_TYPES, stepMemory, textOfCell } from './step-card.ts'

export const conditionAgentAgentflow = defineStep({
  name: 'conditionAgentAgentflow',
  label: 'Condition Agent',
  version: 2,
  description: 'Lets a chat model choose the branch',
  fields: {
    conditionAgentModel: textField('Model', undefined),
    conditionAgentModelConfig: objectField('Model Parameters', { guard: 'credential' }),
    conditionAgentInstructions: textField('Instructions', ''),
    conditionAgentInput: textField('Input', '{{question}}'),
    conditionAgentScenarios: rowListField('Scenarios'),
    // As in Flowise: an export without this input means no memory.
    conditionAgentEnableMemory: flagField('Enable Memory', false),
    conditionAgentMemoryType: choiceField('Memory Type', MEMORY_TYPES, 'allMessages'),
    conditionAgentMemoryWindowSize: numberField('Window Size', 20, { whole: true, min: 1 }),
    conditionAgentMemoryMaxTokenLimit: numberField('Max Token Limit', 2000, { whole: true, min: 1 }),
    conditionAgentOverrideSystemPrompt: flagField('Override System Prompt', false),
    conditionAgentSystemPrompt: textField('Node System Prompt', ''),
  },
  build: (values) => ({
    type: 'conditionAgent',
    model: chosenNode(values.conditionAgentModel, values.conditionAgentModelConfig, 'model'),
    instructions: values.conditionAgentInstructions,
    input: values.conditionAgentInput,
    scenarios: values.conditionAgentScenarios.map(({ scenario }) => textOfCell(scenario)),
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
