import type { Catalog } from '../catalog.ts'
import { type FlowGraph, type FlowNode, isAgentFlow } from '../graph.ts'
import { participants, storeNodes } from '../participants.ts'
import { answererNodes } from '../plan-prediction.ts'
import { reachableFrom, withChildNodes } from '../step-route.ts'
import type { RequestKind } from './flow-problem.ts'
import type { PartKind } from '../../contract/card.ts'

/** The category of Flowise's vector stores. */
const STORES = 'Vector Stores'

/** What nodes of Flowise are that this server does not have: those are built for upserts alone. */
const KINDS_BY_CATEGORY: Readonly<Record<string, PartKind | undefined>> = {
  'Document Loaders': 'loader',
  'Text Splitters': 'splitter',
}

/** The ids of the nodes that take part in each request of a flow. */
export type RequestNodes = Readonly<Record<RequestKind, ReadonlySet<string>>>

export function nodesOfRequests(graph: FlowGraph, catalog: Catalog): RequestNodes {
  const kindOf = (node: FlowNode) => catalog.get(node.name)?.kind ?? KINDS_BY_CATEGORY[node.category]
  const upsert = new Set<string>()
  const query = new Set<string>()
  for (const root of storeNodes(graph, catalog)) {
    const nodes = participants(graph, catalog, root)
    const loads = nodes.some((node) => kindOf(node) === 'loader')
    for (const node of nodes) {
      if (loads) upsert.add(node.id)
      if (!isForUpserts(node)) query.add(node.id)
    }
  }
  if (upsert.size + query.size === 0)
    for (const { id } of unknownNodes(graph, catalog).filter(({ category }) => category === STORES)) {
      upsert.add(id)
      query.add(id)
    }
  return { upsert, query, prediction: new Set(answeringNodes(graph, catalog, isForUpserts)) }

  function isForUpserts(node: FlowNode): boolean {
    const kind = kindOf(node)
    return kind === 'loader' || kind === 'splitter'
  }
}

const unknownNodes = (graph: FlowGraph, catalog: Catalog): FlowNode[] =>
  [...graph.nodes.values()].filter(({ name }) => !catalog.has(name))

function answeringNodes(
  graph: FlowGraph,
  catalog: Catalog,
  isForUpserts: (node: FlowNode) => boolean,
): string[] {
  if (!isAgentFlow(graph)) {
    const nodes = answererNodes(graph, catalog)
    // Where no node can answer, an unknown one may be the reason.
    const unknown = unknownNodes(graph, catalog).filter(
      (node) => node.category !== STORES && !isForUpserts(node),
    )
    // Of unknown nodes those that load documents do not take part in an answer.
    return (
      nodes.length > 0 ? nodes.filter((node) => catalog.has(node.name) || !isForUpserts(node)) : unknown
    ).map(({ id }) => id)
  }
  const start = [...graph.nodes.values()].find(({ name }) => name === 'startAgentflow')
  return start ? withChildNodes(graph, reachableFrom(graph, start.id)) : []
}
