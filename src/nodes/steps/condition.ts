import { rows } from '../../contract/field.ts'
import type { Comparison } from '../../contract/step.ts'
import { defineStep, textOf } from './declare.ts'

const TYPES = ['string', 'number', 'boolean'] as const

export const conditionAgentflow = defineStep({
  name: 'conditionAgentflow',
  label: 'Condition',
  version: 1,
  description: 'Goes the way of the first condition that holds, else the last way',
  fields: { conditions: rows('Conditions') },
  build: ({ conditions }) => ({
    type: 'condition',
    conditions: conditions.map(
      ({ type, value1 = '', operation, value2 = '' }): Comparison => ({
        type: TYPES.find((one) => one === type) ?? 'string',
        value1,
        operation: textOf(operation),
        value2,
      }),
    ),
  }),
})
