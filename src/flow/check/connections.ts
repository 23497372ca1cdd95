import { SluiceError } from '../../kit/errors.ts'
import type { Catalog } from '../catalog.ts'
import { type FlowGraph, type FlowNode, pluggedInto } from '../graph.ts'
import { NAMED_KINDS, namedNodes, sourcesOf } from '../named-nodes.ts'
import type { FlowProblem } from './flow-problem.ts'
import { adviceOf } from './report-row.ts'

type ConnectionProblem = Omit<FlowProblem, 'requests'>

/** Connections that lead nowhere, do not fit or are missing, and nodes that are connected in a circle. */
export function connectionProblems(graph: FlowGraph, catalog: Catalog): ConnectionProblem[] {
  const nodes = [...graph.nodes.values()]
  return nodes
    .flatMap((node) => [...anchorProblems(node, graph, catalog)])
    .concat(circles(nodes, graph, catalog))
}

function* anchorProblems(node: FlowNode, graph: FlowGraph, catalog: Catalog): Iterable<ConnectionProblem> {
  for (const [input, { kind, label, optional }] of Object.entries(catalog.get(node.name)?.anchors ?? {})) {
    const plugged = pluggedInto(node.inputs[input])
    if (plugged.length === 0 && !optional)
      yield invalid(node, input, `nothing is plugged into ${label} of ${node.label}`)
    for (const id of plugged) {
      const source = graph.nodes.get(id)
      const card = source && catalog.get(source.name)
      if (!source) yield invalid(node, input, `it refers to the node ${id}, which is not there`)
      else if (card && card.kind !== kind)
        yield invalid(node, input, `${source.label} cannot be plugged in as ${label}`)
    }
  }
  for (const { input, id } of namedNodes(node, graph, catalog)) {
    const source = graph.nodes.get(id)
    const card = source && catalog.get(source.name)
    if (!source) yield invalid(node, input, `it refers to the node ${id}, which is not there`)
    else if (card && !NAMED_KINDS.includes(card.kind))
      yield invalid(node, input, `${source.label} has no text that could stand in ${node.label}`)
  }
}

/** One problem for each node of a circle of connections, and for each node between two circles. */
function circles(nodes: readonly FlowNode[], graph: FlowGraph, catalog: Catalog): ConnectionProblem[] {
  const below = new Map(nodes.map((node) => [node, new Set(partsOf(node, graph, catalog))]))
  const above = new Map(nodes.map((node) => [node, new Set<FlowNode>()]))
  for (const [node, parts] of below) for (const part of parts) above.get(part)!.add(node)
  // Nodes without a node below or without one above are in no circle. They are removed, until only circles and nodes between circles are left.
  const open = nodes.filter((node) => below.get(node)!.size === 0 || above.get(node)!.size === 0)
  const left = new Set(nodes)
  for (let node = open.pop(); node; node = open.pop()) {
    if (!left.delete(node)) continue
    for (const [neighbours, opposite] of [
      [below, above],
      [above, below],
    ] as const)
      for (const neighbour of neighbours.get(node)!) {
        const others = opposite.get(neighbour)!
        others.delete(node)
        if (others.size === 0) open.push(neighbour)
      }
  }
  return [...left].map((node) => invalid(node, null, `${node.label} is plugged into itself`))
}

const partsOf = (node: FlowNode, graph: FlowGraph, catalog: Catalog): FlowNode[] =>
  sourcesOf(node, graph, catalog).flatMap((id) => graph.nodes.get(id) ?? [])

function invalid(node: FlowNode, input: string | null, reason: string): ConnectionProblem {
  const error = new SluiceError('flow_invalid', { reason })
  const { code, message } = error
  return { nodeId: node.id, input, line: null, code, message, ...adviceOf(error) }
}
