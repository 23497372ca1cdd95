import { SluiceError } from '../kit/errors.ts'
import type { Catalog } from './catalog.ts'
import { type FlowGraph, type FlowNode, pluggedInto } from './graph.ts'

/** The categories of Flowise whose nodes answer. */
const ANSWERING = ['Agents', 'Chains', 'Engine', 'Multi Agents', 'Sequential Agents']

/**
 * The node that answers in a chat flow: the one that nothing else uses.
 *
 * @throws SluiceError `flow_cannot_answer`, `node_unknown`
 */
export function findAnswerer(graph: FlowGraph, catalog: Catalog): FlowNode {
  const nodes = [...graph.nodes.values()]
  const used = new Set(nodes.flatMap(({ inputs }) => Object.values(inputs).flatMap(pluggedInto)))
  const ends = nodes.filter(({ id, name }) => catalog.get(name)?.kind === 'answerer' && !used.has(id))
  if (ends.length > 1) {
    const names = ends.map(({ label }) => label).join(', ')
    throw new SluiceError('flow_cannot_answer', { reason: `it has several nodes that answer: ${names}` })
  }
  if (ends[0]) return refuseForeignParts(ends[0], graph, catalog)
  const foreign = nodes.find(({ name, category }) => ANSWERING.includes(category) && !catalog.has(name))
  if (foreign) throw new SluiceError('node_unknown', { node: foreign.name })
  const store = nodes.some(({ name }) => catalog.get(name)?.kind === 'vectorStore')
  throw new SluiceError('flow_cannot_answer', {
    reason: 'it has no agent and no chain with a chat model',
    hint: store
      ? 'Query it with POST /api/v1/vector/query/:flowId, or add a chain and a chat model to the flow'
      : 'Add an agent or a chain, and a chat model, to the flow',
  })
}

/** Refuses unknown nodes that plug into the node that answers: one may be needed for safety, such as a moderation. */
function refuseForeignParts(node: FlowNode, graph: FlowGraph, catalog: Catalog): FlowNode {
  for (const id of Object.values(node.inputs).flatMap(pluggedInto)) {
    const part = graph.nodes.get(id)
    if (part && !catalog.has(part.name)) throw new SluiceError('node_unknown', { node: part.name })
  }
  return node
}
