import { rowListField } from '../../contract/field.ts'
import type { StepComparison } from '../../contract/step.ts'
import { defineStep, textOfCell } from './step-card.ts'

const TYPES = ['string', 'number', 'boolean'] as const

export const conditionAgentflow = defineStep({
  name: 'conditionAgentflow',
  label: 'Condition',
  version: 1,
  description: 'Takes the branch of the first condition that holds, or the last branch if none does',
  fields: { conditions: rowListField('Conditions') },
  build: ({ conditions }) => ({
    type: 'condition',
    conditions: conditions.map(
      ({ type, value1 = '', operation, value2 = '' }): StepComparison => ({
        type: TYPES.find((one) => one === type) ?? 'string',
        value1,
        operation: textOfCell(operation),
        value2,
      }),
    ),
  }),
})
