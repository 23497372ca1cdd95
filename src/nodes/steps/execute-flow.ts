import { choiceField, objectField, rowListField, textField } from '../../cards/field.ts'
import { defineStep, keyValues } from './step-card.ts'
import { stateColumns } from './step-columns.ts'
import { InputError } from '../../cards/input-error.ts'

export const executeFlowAgentflow = defineStep({
  name: 'executeFlowAgentflow',
  label: 'Execute Flow',
  version: 1.2,
  icon: 'workflow',
  description: 'Calls another flow of this server',
  fields: {
    executeFlowSelectedFlow: textField('Flow', '', {
      main: true,
      guard: 'table',
      refersTo: { kind: 'flow' },
      description: 'The id or slug of the flow',
    }),
    executeFlowInput: textField('Input', '{{question}}', { main: true, multiline: true }),
    executeFlowOverrideConfig: objectField('Override Config', { guard: 'credential' }),
    executeFlowBaseURL: textField('Base URL', '', { guard: 'url', hidden: true }),
    executeFlowReturnResponseAs: choiceField(
      'Return Response As',
      ['userMessage', 'assistantMessage'],
      'userMessage',
    ),
    executeFlowUpdateState: rowListField('Update Flow State', { columns: stateColumns }),
  },
  build(values) {
    if (values.executeFlowBaseURL !== '')
      throw new InputError('executeFlowBaseURL', 'only flows of this server can be called', {
        instead: 'Import that flow too, choose it here and leave Base URL empty',
      })
    return {
      type: 'executeFlow',
      flow: values.executeFlowSelectedFlow,
      input: values.executeFlowInput,
      overrides: values.executeFlowOverrideConfig,
      returnAs: values.executeFlowReturnResponseAs,
      updateState: keyValues(values.executeFlowUpdateState),
    }
  },
})
