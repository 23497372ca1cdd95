import type { BuildContext, PartKind, PartKinds } from '../../src/contract/card.ts'
import type { Tool } from '../../src/contract/tool.ts'
import { assemble } from '../../src/flow/assemble.ts'
import { readGraph } from '../../src/flow/graph.ts'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { lend } from './lend.ts'
import { LOOPBACK } from './loopback.ts'

const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })

/** The part of a node, built from inputs in the form of flow files. Calls to loopback are allowed. */
export function builtPart<K extends PartKind>(
  kind: K,
  name: string,
  inputs: JsonObject,
  services: Partial<BuildContext> = {},
): PartKinds[K] {
  const node = { id: 'node_0', position: { x: 0, y: 0 }, data: { id: 'node_0', name, label: name, inputs } }
  const { nodes } = readGraph({ nodes: [node], edges: [] })
  const house = { parser: undefined as never, openStore: undefined as never, egress, ...services }
  return assemble(kind, 'node_0', nodes, catalog, lend(house))
}

/** The first tool of a node. */
export async function builtTool(name: string, inputs: JsonObject): Promise<Tool> {
  const { tools } = builtPart('tools', name, inputs)
  return (await tools(new AbortController().signal))[0]!
}

export const callTool = (tool: Tool, input: JsonObject) => tool.call(input, new AbortController().signal)
