import type { FlowGraph } from '../../flow/graph.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { QueuedNode } from './run-state.ts'

/** The nodes that come after one: all, or those at one of its ways out. */
export const nextNodes = ({ steps }: FlowGraph, id: string, way?: number): string[] => [
  ...new Set(
    steps
      .filter(({ from, output }) => from === id && (way === undefined || output === way))
      .map(({ to }) => to),
  ),
]

/** All nodes that can be reached from one, itself among them; a loop's way back is no edge. */
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

/** The same nodes, and those that stand inside of them. */
export function withChildNodes({ nodes }: FlowGraph, ids: ReadonlySet<string>): string[] {
  const inside = [...nodes.values()].filter(({ parent }) => parent !== undefined && ids.has(parent))
  return [...ids, ...inside.map(({ id }) => id)]
}

/** Where the nodes inside of a frame begin: nothing leads to them. */
export const firstChildNodes = ({ nodes, steps }: FlowGraph, frame: string): string[] =>
  [...nodes.values()]
    .filter(({ id, parent }) => parent === frame && !steps.some(({ to }) => to === id))
    .map(({ id }) => id)

/** Puts a node into the queue, once: where branches meet, it runs after all of them. */
export function enqueueNode(queue: readonly QueuedNode[], id: string, after: string): QueuedNode[] {
  if (!queue.some((queued) => queued.id === id)) return [...queue, { id, after: [after] }]
  return queue.map((queued) => (queued.id === id ? { id, after: [...queued.after, after] } : queued))
}

/** The next node: the first that no other node of the queue leads to. */
export function takeNextNode(
  graph: FlowGraph,
  queue: readonly QueuedNode[],
): [next: QueuedNode, rest: QueuedNode[]] {
  const free = queue.find(
    ({ id }) => !queue.some((other) => other.id !== id && reachableFrom(graph, other.id).has(id)),
  )
  const next = free ?? queue[0]!
  return [next, queue.filter((queued) => queued !== next)]
}

/** `"agentAgentflow_0-Event helper"`: a node by its id, and what people call it. @throws SluiceError `flow_invalid` */
export function findNamedNode(graph: FlowGraph, text: string): string {
  const id = [...graph.nodes.keys()].find((one) => text === one || text.startsWith(`${one}-`))
  if (id !== undefined) return id
  throw new SluiceError('flow_invalid', {
    reason: `a loop goes back to ${text || 'nowhere'}, which is not there`,
  })
}
