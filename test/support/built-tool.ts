import type { BuildContext } from '../../src/contract/card.ts'
import type { Tool } from '../../src/contract/tool.ts'
import { assemble } from '../../src/flow/assemble.ts'
import { readGraph } from '../../src/flow/graph.ts'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { lend } from './lend.ts'

/** The first tool of a node, built from inputs as a flow file holds them; loopback may be called. */
export async function builtTool(
  name: string,
  inputs: JsonObject,
  lent: Partial<BuildContext> = {},
): Promise<Tool> {
  const node = { id: 'tool_0', position: { x: 0, y: 0 }, data: { id: 'tool_0', name, label: name, inputs } }
  const { nodes } = readGraph({ nodes: [node], edges: [] })
  const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
  const house = { parser: undefined as never, openStore: undefined as never, egress, ...lent }
  const { tools } = assemble('tools', 'tool_0', nodes, catalog, lend(house))
  return (await tools(new AbortController().signal))[0]!
}

export const callTool = (tool: Tool, input: JsonObject) => tool.call(input, new AbortController().signal)
