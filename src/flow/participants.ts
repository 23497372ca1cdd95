import { SluiceError } from '../kit/errors.ts'
import type { Catalog } from './catalog.ts'
import { type FlowGraph, type FlowNode, pluggedInto } from './graph.ts'
import { sourcesOf } from './named-nodes.ts'

/**
 * The vector store of an upsert or a query: the one that no other store wraps.
 *
 * @throws SluiceError `failure` if there is none, `stop_node_needed` if there are several and none is named
 */
export function findStoreNode(
  graph: FlowGraph,
  catalog: Catalog,
  failure: 'flow_cannot_upsert' | 'flow_cannot_query',
  stopNodeId?: string,
): FlowNode {
  if (stopNodeId !== undefined) {
    const node = graph.nodes.get(stopNodeId)
    if (node && isStore(node, catalog)) return node
    throw new SluiceError(failure, {
      reason: `stopNodeId ${stopNodeId} is not one of its vector stores`,
    })
  }
  const stores = storeNodes(graph, catalog)
  if (stores.length > 1) throw new SluiceError('stop_node_needed', { count: stores.length })
  if (stores[0]) return stores[0]
  const foreign = [...graph.nodes.values()].find((node) => node.category === 'Vector Stores')
  if (foreign) throw new SluiceError('node_unknown', { node: foreign.name })
  throw new SluiceError(failure, { reason: 'No vector node found' })
}

/** The vector stores that no other store wraps. */
export function storeNodes(graph: FlowGraph, catalog: Catalog): FlowNode[] {
  const all = [...graph.nodes.values()].filter((node) => isStore(node, catalog))
  const wrapped = new Set(all.flatMap(({ inputs }) => Object.values(inputs).flatMap(pluggedInto)))
  return all.filter(({ id }) => !wrapped.has(id))
}

const isStore = (node: FlowNode, catalog: Catalog) => catalog.get(node.name)?.kind === 'vectorStore'

/** A node and all nodes that it needs, which plug into it or are named in its texts, directly or through others, each once. */
export function participants(graph: FlowGraph, catalog: Catalog, root: FlowNode): FlowNode[] {
  const found = new Map<string, FlowNode>()
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    if (found.has(node.id)) continue
    found.set(node.id, node)
    for (const id of sourcesOf(node, graph, catalog)) {
      const next = graph.nodes.get(id)
      if (next) open.push(next)
    }
  }
  return [...found.values()]
}
