import { defineNode } from '../../cards/define-node.ts'
import { currentDateTimeTool } from '../../tools/current-date-time.ts'

export const currentDateTime = defineNode({
  kind: 'tools',
  name: 'currentDateTime',
  label: 'CurrentDateTime',
  version: 1,
  category: 'Tools',
  type: 'CurrentDateTime',
  baseClasses: ['CurrentDateTime', 'Tool', 'StructuredTool', 'Runnable'],
  description: 'Gives the model the current date and time',
  fields: {},
  anchors: {},
  build: () => ({ tools: async () => [currentDateTimeTool()] }),
})
