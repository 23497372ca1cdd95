import type { NodeServices } from '../contract/card.ts'
import { assemble } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import { readGraph } from './graph.ts'
import type { FlowSource } from './plan.ts'

/** The namespaces that the stores of a flow use; a store that cannot be built uses none. */
export function namespacesOf(flow: FlowSource, catalog: Catalog, nodeServices: NodeServices): string[] {
  const graph = readGraph(flow.flowData)
  const used = new Set<string>()
  const context = {
    ...nodeServices,
    flowId: flow.id,
    openStore(namespace: string) {
      used.add(namespace)
      return nodeServices.openStore(namespace)
    },
  }
  for (const node of graph.nodes.values()) {
    if (catalog.get(node.name)?.kind !== 'vectorStore') continue
    try {
      assemble('vectorStore', node.id, graph.nodes, catalog, context, { without: ['loader', 'splitter'] })
    } catch {
      // A store that does not hold together has never held anything.
    }
  }
  return [...used]
}
