import { objectField, rowListField, textField } from '../../cards/field.ts'
import { chosenNode, defineStep, keyValues } from './step-card.ts'
import { stateColumns } from './step-columns.ts'

export const toolAgentflow = defineStep({
  name: 'toolAgentflow',
  label: 'Tool',
  version: 1.2,
  icon: 'wrench',
  description: 'Calls a tool with the input set in the node',
  fields: {
    toolAgentflowSelectedTool: textField('Tool', undefined, { main: true, selects: 'tools' }),
    toolAgentflowSelectedToolConfig: objectField('Tool Parameters', { guard: 'credential' }),
    toolInputArgs: rowListField('Tool Input Arguments', {
      main: true,
      columns: { inputArgName: textField('Name', ''), inputArgValue: textField('Value', '') },
    }),
    toolUpdateState: rowListField('Update Flow State', { columns: stateColumns }),
  },
  build: (values) => ({
    type: 'tool',
    tool: chosenNode(
      'toolAgentflowSelectedTool',
      values.toolAgentflowSelectedTool,
      values.toolAgentflowSelectedToolConfig,
      'tool',
    ),
    input: Object.fromEntries(
      keyValues(values.toolInputArgs, 'inputArgName', 'inputArgValue').map(({ key, value }) => [key, value]),
    ),
    updateState: keyValues(values.toolUpdateState),
  }),
})
