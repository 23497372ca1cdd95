import { SluiceError } from '../kit/errors.ts'
import type { FlowGraph, FlowStep } from './graph.ts'

type Edges = ReadonlyMap<string, readonly FlowStep[]>

const edgesByStart = new WeakMap<FlowGraph['steps'], Edges>()

/** The edges of a graph by the node that they leave. Kept for as long as the graph is. */
function edgesOf({ steps }: FlowGraph): Edges {
  const known = edgesByStart.get(steps) ?? Map.groupBy(steps, ({ from }) => from)
  edgesByStart.set(steps, known)
  return known
}

const edgesFrom = (graph: FlowGraph, id: string) => edgesOf(graph).get(id) ?? []

/** The ids of the nodes after a node. @param branch only those after one of its outputs, counted from 0 */
export const nextNodes = (graph: FlowGraph, id: string, branch?: number): string[] => [
  ...new Set(
    edgesFrom(graph, id)
      .filter(({ output }) => branch === undefined || output === branch)
      .map(({ to }) => to),
  ),
]

/** A node and all nodes that its edges lead to. The jump back of a loop node is not an edge. */
export function reachableFrom(graph: FlowGraph, id: string): Set<string> {
  const found = new Set<string>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    for (const { to } of edgesFrom(graph, next)) open.push(to)
  }
  return found
}

/**
 * The first of some nodes that none of the others leads to; undefined where each is behind another, as in a cycle. Each node
 * is passed twice at the most, whatever the number of nodes that lead to it: two different ones are all that has to be known.
 *
 * @param ids without doubles
 */
export function firstUnreached(graph: FlowGraph, ids: readonly string[]): string | undefined {
  if (ids.length < 2) return ids[0]
  const edges = edgesOf(graph)
  const [one, two] = [new Map<string, string>(), new Map<string, string>()]
  const [open, from] = [[...ids], [...ids]]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const source = from.pop()!
    const known = one.get(id)
    if (known === source || two.has(id)) continue
    ;(known === undefined ? one : two).set(id, source)
    for (const { to } of edges.get(id) ?? []) {
      open.push(to)
      from.push(source)
    }
  }
  return ids.find((id) => one.get(id) === id && !two.has(id))
}

/** The given nodes and their child nodes. */
export function withChildNodes({ nodes }: FlowGraph, ids: ReadonlySet<string>): string[] {
  const children = [...nodes.values()].filter(({ parent }) => parent !== undefined && ids.has(parent))
  return [...ids, ...children.map(({ id }) => id)]
}

/** The id in a reference to a node, `"ID"` or `"ID-LABEL"`: `"agentAgentflow_0-Event helper"`. @throws SluiceError `flow_invalid` */
export function findNamedNode(graph: FlowGraph, text: string): string {
  const id = [...graph.nodes.keys()].find((one) => text === one || text.startsWith(`${one}-`))
  if (id !== undefined) return id
  throw new SluiceError('flow_invalid', {
    reason: `a loop goes back to ${text || '(none)'}, which does not exist`,
  })
}
