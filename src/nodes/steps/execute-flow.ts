import { choice, object, rows, text } from '../../contract/field.ts'
import { defineStep, pairs } from './declare.ts'

export const executeFlowAgentflow = defineStep({
  name: 'executeFlowAgentflow',
  label: 'Execute Flow',
  version: 1.2,
  description: 'Asks another flow of this server',
  fields: {
    executeFlowSelectedFlow: text('Flow', '', {
      guard: 'table',
      refersTo: { kind: 'flow' },
      description: 'Its id or slug',
    }),
    executeFlowInput: text('Input', '{{question}}'),
    executeFlowOverrideConfig: object('Override Config', { guard: 'credential' }),
    executeFlowBaseURL: text('Base URL', '', { guard: 'url' }),
    executeFlowReturnResponseAs: choice(
      'Return Response As',
      ['userMessage', 'assistantMessage'],
      'userMessage',
    ),
    executeFlowUpdateState: rows('Update Flow State'),
  },
  build(values) {
    if (values.executeFlowBaseURL !== '') throw new Error('only flows of this server can be asked')
    return {
      type: 'flow',
      flow: values.executeFlowSelectedFlow,
      input: values.executeFlowInput,
      overrides: values.executeFlowOverrideConfig,
      returnAs: values.executeFlowReturnResponseAs,
      updateState: pairs(values.executeFlowUpdateState),
    }
  },
})
