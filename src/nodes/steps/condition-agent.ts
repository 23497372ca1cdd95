import {
  choiceField,
  flagField,
  numberField,
  objectField,
  rowListField,
  textField,
} from '../../cards/field.ts'
import { chosenNode, defineStep, MEMORY_TYPES, stepMemory, textOfCell } from './step-card.ts'
import { InputError } from '../../cards/input-error.ts'

export const conditionAgentAgentflow = defineStep({
  name: 'conditionAgentAgentflow',
  label: 'Condition Agent',
  version: 2,
  icon: 'split',
  description: 'Lets a chat model choose the branch',
  fields: {
    conditionAgentModel: textField('Model', undefined, { main: true, selects: 'chatModel' }),
    conditionAgentModelConfig: objectField('Model Parameters', { guard: 'credential' }),
    conditionAgentInstructions: textField('Instructions', '', { multiline: true }),
    conditionAgentInput: textField('Input', '{{question}}', { main: true, multiline: true }),
    conditionAgentScenarios: rowListField('Scenarios', {
      columns: { scenario: textField('Scenario', '') },
    }),
    // As in Flowise: an export without this input means no memory.
    conditionAgentEnableMemory: flagField('Enable Memory', false),
    conditionAgentMemoryType: choiceField('Memory Type', MEMORY_TYPES, 'allMessages', {
      showWhen: { conditionAgentEnableMemory: [true] },
    }),
    conditionAgentMemoryWindowSize: numberField(
      'Window Size',
      20,
      { whole: true, min: 1 },
      {
        unit: 'messages',
        showWhen: { conditionAgentEnableMemory: [true], conditionAgentMemoryType: ['windowSize'] },
      },
    ),
    conditionAgentMemoryMaxTokenLimit: numberField(
      'Max Token Limit',
      2000,
      { whole: true, min: 1 },
      {
        unit: 'tokens',
        showWhen: {
          conditionAgentEnableMemory: [true],
          conditionAgentMemoryType: ['conversationSummaryBuffer'],
        },
      },
    ),
    conditionAgentOverrideSystemPrompt: flagField('Override System Prompt', false),
    conditionAgentSystemPrompt: textField('Node System Prompt', '', {
      multiline: true,
      showWhen: { conditionAgentOverrideSystemPrompt: [true] },
    }),
  },
  outputs: [{ label: 'Scenario', each: 'conditionAgentScenarios', column: 'scenario' }],
  build(values) {
    if (values.conditionAgentScenarios.length === 0)
      throw new InputError('conditionAgentScenarios', 'it has no scenario')
    return {
      type: 'conditionAgent',
      model: chosenNode(
        'conditionAgentModel',
        values.conditionAgentModel,
        values.conditionAgentModelConfig,
        'model',
      ),
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
    }
  },
})
