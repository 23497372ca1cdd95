import type { NodeServices } from '../contract/card.ts'
import type { FlowGraph } from './graph.ts'
import { partsWithin } from './import/parts-within.ts'

/** A custom tool that a node of a flow names by its id. */
export type NamedTool = { nodeId: string; node: string; id: string }

const CUSTOM_TOOL = 'customTool'

/** For programs that ask no agents. */
export const NO_CUSTOM_TOOLS: NodeServices['customTools'] = {
  find: async () => undefined,
  list: async () => [],
}

/** Every custom tool that a flow names, each once per node. */
export const namedTools = (graph: FlowGraph): NamedTool[] =>
  [...graph.nodes.values()].flatMap((node) => {
    const parts = [{ name: node.name, inputs: node.inputs }, ...partsWithin(node.inputs)]
    const ids = parts.flatMap(({ name, inputs }) =>
      name === CUSTOM_TOOL && typeof inputs.selectedTool === 'string' && inputs.selectedTool !== ''
        ? [inputs.selectedTool]
        : [],
    )
    return [...new Set(ids)].map((id) => ({ nodeId: node.id, node: node.label, id }))
  })
