import type { StorePart } from '../contract/card.ts'
import type { EngineSource } from '../contract/engine-source.ts'
import type { FlowSource, PlanContext } from './apply-request.ts'
import { assemble } from './assemble.ts'
import { type FlowGraph, type FlowNode, pluggedInto, readGraph } from './graph.ts'
import { partsWithin } from './import/parts-within.ts'

/**
 * The namespaces that the stores of a flow use. Deleting a flow goes by them, so they must be known for a store that
 * cannot be built, too: it may have been complete when it was loaded.
 *
 * @param built called with those that can
 */
export function namespacesOf(
  { catalog, nodeServices }: PlanContext,
  flow: FlowSource,
  built: (part: StorePart) => void = () => {},
): string[] {
  const graph = readGraph(flow.flowData)
  const used = new Set<string>()
  const context = {
    ...nodeServices,
    flowId: flow.id,
    openStore(namespace: string) {
      used.add(namespace)
      return nodeServices.openStore(namespace)
    },
    openSeparateStore(namespace: string, engine: EngineSource) {
      used.add(namespace)
      return nodeServices.openSeparateStore(namespace, engine)
    },
  }
  for (const node of graph.nodes.values()) {
    // Parts within the nodes of agent flows search stores, too.
    for (const { name, inputs } of partsWithin(node.inputs))
      if (catalog.get(name)?.kind === 'vectorStore' && isName(inputs.namespace)) used.add(inputs.namespace)
    if (catalog.get(node.name)?.kind !== 'vectorStore') continue
    try {
      const without = { without: ['loader', 'splitter'] } as const
      built(assemble('vectorStore', node.id, graph.nodes, catalog, context, without))
    } catch {
      used.add(namespaceInputOf(node, graph) ?? flow.id)
    }
  }
  return [...used]
}

/** The namespace in the inputs of a store, or of the nodes that plug into it, such as its record manager. */
function namespaceInputOf(node: FlowNode, graph: FlowGraph): string | undefined {
  const plugged = Object.values(node.inputs).flatMap(pluggedInto)
  const nodes = [node, ...plugged.flatMap((id) => graph.nodes.get(id) ?? [])]
  return nodes.map(({ inputs }) => inputs.namespace).find(isName)
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
