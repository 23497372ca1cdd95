import { defineNode } from '../../cards/define-node.ts'
import { objectField, textField } from '../../cards/field.ts'
import { mayRun } from '../may-run.ts'

/** The inputs of the code of a function, by name: `$name` in the code. */
export const inputVariables = objectField('Input Variables', {
  main: true,
  description:
    '{"name": "{{question}}"}: the code reads it as $name. Outputs of other nodes: {{ID.data.instance}}',
})

/** Code of an author, which no request may replace without a permission of its own. */
export const codeField = (label: string, fallback: string) => ({
  ...textField(label, fallback, { guard: 'credential', language: 'javascript' as const }),
  type: 'code' as const,
})

export const customFunction = defineNode({
  kind: 'value',
  name: 'customFunction',
  label: 'Custom JS Function',
  version: 2,
  category: 'Utilities',
  type: 'CustomFunction',
  baseClasses: ['CustomFunction', 'Utilities'],
  icon: 'code',
  description:
    'Runs JavaScript in a sandbox. Other nodes read what it returns as {{ID.data.instance}}; alone it answers',
  fields: {
    functionInputVariables: inputVariables,
    functionName: textField('Function Name', ''),
    javascriptFunction: { ...codeField('Javascript Function', ''), required: true, main: true },
  },
  anchors: {},
  build({ values }, context) {
    mayRun(context, values.javascriptFunction, 'javascriptFunction')
    return {
      type: 'function',
      name: values.functionName,
      inputs: values.functionInputVariables,
      code: values.javascriptFunction,
    }
  },
})
