import { choiceField, rowListField, textField } from '../../cards/field.ts'
import type { StepComparison } from '../../contract/step.ts'
import { defineStep, textOfCell } from './step-card.ts'

const TYPES = ['string', 'number', 'boolean'] as const

/** The operations of `agent/agentflow/steps/condition.ts`. */
const OPERATIONS = [
  'equal',
  'notEqual',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'regex',
  'isEmpty',
  'notEmpty',
  'smaller',
  'smallerEqual',
  'larger',
  'largerEqual',
] as const

const comparisonColumns = {
  type: choiceField('Type', TYPES, 'string'),
  value1: textField('Value 1', ''),
  operation: choiceField('Operation', OPERATIONS, 'equal'),
  value2: textField('Value 2', ''),
}

export const conditionAgentflow = defineStep({
  name: 'conditionAgentflow',
  label: 'Condition',
  version: 1,
  icon: 'git-fork',
  description: 'Takes the branch of the first condition that holds, or the last branch if none does',
  fields: { conditions: rowListField('Conditions', { main: true, columns: comparisonColumns }) },
  outputs: [{ label: 'Condition', each: 'conditions' }, { label: 'Else' }],
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
