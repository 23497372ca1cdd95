import { rowListField, textField } from '../../contract/field.ts'
import { defineStep, keyValues } from './step-card.ts'

export const customFunctionAgentflow = defineStep({
  name: 'customFunctionAgentflow',
  label: 'Custom Function',
  version: 1.1,
  description: 'Runs JavaScript in a sandbox, with $flow, $vars, its input variables by name, and fetch',
  fields: {
    customFunctionInputVariables: rowListField('Input Variables'),
    customFunctionJavascriptFunction: {
      ...textField('Javascript Function', '', { guard: 'credential' }),
      type: 'code',
    },
    customFunctionUpdateState: rowListField('Update Flow State'),
  },
  build: (values) => ({
    type: 'customFunction',
    code: values.customFunctionJavascriptFunction,
    values: keyValues(values.customFunctionInputVariables, 'variableName', 'variableValue'),
    updateState: keyValues(values.customFunctionUpdateState),
  }),
})
