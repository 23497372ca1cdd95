import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { flagField, textField } from '../../cards/field.ts'
import { toolOfChain } from '../../tools/chain-tool.ts'
import { sanitiseToolName } from '../../tools/sanitise-tool-name.ts'

export const chainTool = defineNode({
  kind: 'tools',
  name: 'chainTool',
  label: 'Chain Tool',
  version: 1,
  category: 'Tools',
  type: 'ChainTool',
  baseClasses: ['ChainTool', 'DynamicTool', 'Tool', 'StructuredTool', 'BaseLangChain'],
  description: 'Lets the model ask a chain',
  fields: {
    name: textField('Chain Name', 'chain', { main: true }),
    description: textField('Chain Description', 'Answers a question', {
      main: true,
      multiline: true,
      description: 'Tells the model when to use the chain, and for what',
    }),
    returnDirect: flagField('Return Direct', false, {
      description: 'Sends the answer of the chain to the user unchanged',
    }),
  },
  anchors: { baseChain: anchor('answerer', 'Base Chain', 'BaseChain') },
  build({ values: { name, description, returnDirect }, parts: { baseChain } }) {
    const tool = toolOfChain({
      ...{ name: sanitiseToolName(name, 'chain'), description, returnDirect },
      chain: baseChain!,
    })
    return { tools: async () => [tool] }
  },
})
