import { object, rows, text } from '../../contract/field.ts'
import { chosen, defineStep, pairs } from './declare.ts'

export const toolAgentflow = defineStep({
  name: 'toolAgentflow',
  label: 'Tool',
  version: 1.2,
  description: 'Calls a tool with input that the drawing says',
  fields: {
    toolAgentflowSelectedTool: text('Tool', undefined),
    toolAgentflowSelectedToolConfig: object('Tool Parameters', { guard: 'credential' }),
    toolInputArgs: rows('Tool Input Arguments'),
    toolUpdateState: rows('Update Flow State'),
  },
  build: (values) => ({
    type: 'tool',
    tool: chosen(values.toolAgentflowSelectedTool, values.toolAgentflowSelectedToolConfig, 'tool'),
    input: Object.fromEntries(
      pairs(values.toolInputArgs, 'inputArgName', 'inputArgValue').map(({ key, value }) => [key, value]),
    ),
    updateState: pairs(values.toolUpdateState),
  }),
})
