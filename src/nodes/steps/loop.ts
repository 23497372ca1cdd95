import { numberField, rowListField, textField } from '../../cards/field.ts'
import { defineStep, keyValues } from './step-card.ts'
import { stateColumns } from './step-columns.ts'

export const loopAgentflow = defineStep({
  name: 'loopAgentflow',
  label: 'Loop',
  version: 1.2,
  icon: 'undo-2',
  description: 'Goes back to a node, up to a maximum count',
  fields: {
    loopBackToNode: textField('Loop Back To', '', { main: true }),
    maxLoopCount: numberField(
      'Max Loop Count',
      5,
      { whole: true, min: 1, max: 1000 },
      { main: true, unit: 'rounds' },
    ),
    fallbackMessage: textField('Fallback Message', '', { multiline: true }),
    loopUpdateState: rowListField('Update Flow State', { columns: stateColumns }),
  },
  outputs: [],
  build: (values) => ({
    type: 'loop',
    to: values.loopBackToNode,
    maxCount: values.maxLoopCount,
    fallback: values.fallbackMessage,
    updateState: keyValues(values.loopUpdateState),
  }),
})
