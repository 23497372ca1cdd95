import { rowListField, textField } from '../../cards/field.ts'
import { defineStep, keyValues } from './step-card.ts'
import { stateColumns } from './step-columns.ts'
import { mayRun } from '../may-run.ts'

export const customFunctionAgentflow = defineStep({
  name: 'customFunctionAgentflow',
  label: 'Custom Function',
  version: 1.1,
  icon: 'code',
  description: 'Runs JavaScript in a sandbox, with $flow, $vars, its input variables by name, and fetch',
  fields: {
    customFunctionInputVariables: rowListField('Input Variables', {
      main: true,
      columns: { variableName: textField('Name', ''), variableValue: textField('Value', '') },
    }),
    customFunctionJavascriptFunction: {
      ...textField('Javascript Function', '', { main: true, guard: 'credential', language: 'javascript' }),
      type: 'code',
    },
    customFunctionUpdateState: rowListField('Update Flow State', { columns: stateColumns }),
  },
  build(values, context) {
    const code = values.customFunctionJavascriptFunction
    mayRun(context, code, 'customFunctionJavascriptFunction')
    return {
      type: 'customFunction',
      code,
      values: keyValues(values.customFunctionInputVariables, 'variableName', 'variableValue'),
      updateState: keyValues(values.customFunctionUpdateState),
    }
  },
})
