import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'
import { mayRun } from '../may-run.ts'
import { codeField, inputVariables } from './custom-function.ts'

export const ifElseFunction = defineNode({
  kind: 'value',
  name: 'ifElseFunction',
  label: 'IfElse Function',
  version: 2,
  category: 'Utilities',
  type: 'IfElseFunction',
  baseClasses: ['IfElseFunction', 'Utilities'],
  icon: 'split',
  description: 'Chooses the nodes that answer: those of True, where the first code returns something true',
  fields: {
    functionInputVariables: inputVariables,
    functionName: textField('IfElse Name', ''),
    ifFunction: codeField('If Function', 'return true'),
    elseFunction: codeField('Else Function', 'return false'),
  },
  anchors: {},
  build({ values }, context) {
    mayRun(context, values.ifFunction, 'ifFunction')
    mayRun(context, values.elseFunction, 'elseFunction')
    return {
      type: 'condition',
      name: values.functionName,
      inputs: values.functionInputVariables,
      code: values.ifFunction,
      otherwise: values.elseFunction,
    }
  },
})
