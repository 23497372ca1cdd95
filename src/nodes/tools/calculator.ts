import { defineNode } from '../../cards/define-node.ts'
import { calculatorTool } from '../../tools/calculator/calculator-tool.ts'

export const calculator = defineNode({
  kind: 'tools',
  name: 'calculator',
  label: 'Calculator',
  version: 1,
  category: 'Tools',
  type: 'Calculator',
  baseClasses: ['Calculator', 'Tool', 'StructuredTool', 'Runnable'],
  description: 'Lets the model calculate arithmetic expressions',
  fields: {},
  anchors: {},
  build: () => ({ tools: async () => [calculatorTool()] }),
})
