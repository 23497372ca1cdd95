import type { FlowGraph } from '../../flow/graph.ts'
import { firstUnreached } from '../../flow/step-route.ts'
import type { QueuedNode } from './run-state.ts'

/** The child nodes of an iteration node that have no incoming edge. */
export function firstChildNodes({ nodes, steps }: FlowGraph, iterationId: string): string[] {
  const entered = new Set(steps.map(({ to }) => to))
  return [...nodes.values()]
    .filter(({ id, parent }) => parent === iterationId && !entered.has(id))
    .map(({ id }) => id)
}

/** Adds a node to the queue, once: a node where branches meet runs once, after all of them. */
export function enqueueNode(queue: readonly QueuedNode[], id: string, after: string): QueuedNode[] {
  if (!queue.some((queued) => queued.id === id)) return [...queue, { id, after: [after] }]
  return queue.map((queued) => (queued.id === id ? { id, after: [...queued.after, after] } : queued))
}

/** The first node of the queue that no other queued node leads to; in a cycle, the first node of the queue. */
export function takeNextNode(
  graph: FlowGraph,
  queue: readonly QueuedNode[],
): [next: QueuedNode, rest: QueuedNode[]] {
  const free = firstUnreached(
    graph,
    queue.map(({ id }) => id),
  )
  const next = queue.find(({ id }) => id === free) ?? queue[0]!
  return [next, queue.filter((queued) => queued !== next)]
}
