import { object, rows, text } from '../../contract/field.ts'
import { chosen, defineStep, textOf } from './declare.ts'

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
  },
  build: (values) => ({
    type: 'choice',
    model: chosen(values.conditionAgentModel, values.conditionAgentModelConfig, 'model'),
    instructions: values.conditionAgentInstructions,
    input: values.conditionAgentInput,
    scenarios: values.conditionAgentScenarios.map(({ scenario }) => textOf(scenario)),
  }),
})
