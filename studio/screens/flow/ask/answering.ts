import type { Graph } from '../../../drawing/graph.ts'
import { isAgentFlow } from '../../../drawing/problems.ts'
import { VECTOR_STORES } from '../../../drawing/node-kinds.ts'

/** What a flow can be asked: for chunks of its store, for answers of a model, or for both. */
export function waysToAsk(graph: Graph): { search: boolean; chat: boolean } {
  return {
    search: graph.nodes.some(({ kind }) => kind.category === VECTOR_STORES),
    chat: isAgentFlow(graph) || graph.nodes.some(({ kind }) => ['Agents', 'Chains'].includes(kind.category)),
  }
}
