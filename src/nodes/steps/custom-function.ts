import { rows, text } from '../../contract/field.ts'
import { defineStep, pairs } from './declare.ts'

export const customFunctionAgentflow = defineStep({
  name: 'customFunctionAgentflow',
  label: 'Custom Function',
  version: 1.1,
  description: 'Runs JavaScript in a sandbox: it has $flow, $vars, its input variables by name, and fetch',
  fields: {
    customFunctionInputVariables: rows('Input Variables'),
    customFunctionJavascriptFunction: {
      ...text('Javascript Function', '', { guard: 'credential' }),
      type: 'code',
    },
    customFunctionUpdateState: rows('Update Flow State'),
  },
  build: (values) => ({
    type: 'code',
    code: values.customFunctionJavascriptFunction,
    values: pairs(values.customFunctionInputVariables, 'variableName', 'variableValue'),
    updateState: pairs(values.customFunctionUpdateState),
  }),
})
