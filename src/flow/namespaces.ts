import type { FlowSource, PlanContext } from './apply-request.ts'
import { assemble } from './assemble.ts'
import { readGraph } from './graph.ts'

/** The namespaces that the stores of a flow use; a store that cannot be built uses none. */
export function namespacesOf({ catalog, nodeServices }: PlanContext, flow: FlowSource): string[] {
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
      // The namespace of a store that cannot be built is not known.
    }
  }
  return [...used]
}
