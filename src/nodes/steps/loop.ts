import { number, rows, text } from '../../contract/field.ts'
import { defineStep, pairs } from './declare.ts'

export const loopAgentflow = defineStep({
  name: 'loopAgentflow',
  label: 'Loop',
  version: 1.2,
  description: 'Goes back to a node, so many times at the most',
  fields: {
    loopBackToNode: text('Loop Back To', ''),
    maxLoopCount: number('Max Loop Count', 5, { whole: true, min: 1, max: 1000 }),
    fallbackMessage: text('Fallback Message', ''),
    loopUpdateState: rows('Update Flow State'),
  },
  build: (values) => ({
    type: 'loop',
    to: values.loopBackToNode,
    most: values.maxLoopCount,
    fallback: values.fallbackMessage,
    updateState: pairs(values.loopUpdateState),
  }),
})
