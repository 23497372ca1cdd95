import { SluiceError } from '../kit/errors.ts'
import type { FlowGraph } from './graph.ts'

/** The ids of the nodes after a node. @param branch only those after one of its outputs, counted from 0 */
export const nextNodes = ({ steps }: FlowGraph, id: string, branch?: number): string[] => [
  ...new Set(
    steps
      .filter(({ from, output }) => from === id && (branch === undefined || output === branch))
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
    open.push(...nextNodes(graph, next))
  }
  return found
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
