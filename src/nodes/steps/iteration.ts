import { textField } from '../../cards/field.ts'
import type { Json } from '../../kit/json.ts'
import { defineStep } from './step-card.ts'

export const iterationAgentflow = defineStep({
  name: 'iterationAgentflow',
  label: 'Iteration',
  version: 1,
  icon: 'repeat-2',
  description: 'Runs the nodes inside it for each item of a list',
  fields: {
    iterationInput: {
      ...textField('Array Input', '', { main: true, multiline: true }),
      fallback: '' as Json,
      read: (raw: unknown) => raw as Json,
    },
  },
  build: ({ iterationInput }) => ({ type: 'iteration', items: iterationInput }),
})
