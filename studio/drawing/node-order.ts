import type { DrawnNode, Graph } from './graph.ts'

/**
 * The nodes in the order of the lines: what feeds a node, or runs before it, comes first. Nodes without lines between
 * them are ordered from top to bottom, notes come last.
 */
export function nodeOrder({ nodes, connections }: Graph): DrawnNode[] {
  const waiting = new Map(nodes.map(({ id }) => [id, 0]))
  const after = new Map<string, string[]>()
  for (const { source, target } of connections) {
    waiting.set(target, (waiting.get(target) ?? 0) + 1)
    after.set(source, [...(after.get(source) ?? []), target])
  }
  const left = [...nodes].sort(byPlace)
  const ordered: DrawnNode[] = []
  while (left.length > 0) {
    // In a circle no node is free: the first of those that are left begins it.
    const at = Math.max(
      0,
      left.findIndex(({ id }) => waiting.get(id) === 0),
    )
    const [node] = left.splice(at, 1)
    ordered.push(node!)
    for (const id of after.get(node!.id) ?? []) waiting.set(id, waiting.get(id)! - 1)
  }
  return ordered
}

const rank = ({ shape }: DrawnNode) => (shape === 'note' ? 1 : 0)

const byPlace = (a: DrawnNode, b: DrawnNode): number =>
  rank(a) - rank(b) || a.position.y - b.position.y || a.position.x - b.position.x

/** Where an arrow key leads: along a line to the left or right, up and down to the node before or after in the order. */
export type Direction = 'left' | 'right' | 'up' | 'down'

/** The node at which an arrow key arrives; undefined where there is none in this direction. */
export function nodeTowards(graph: Graph, order: readonly DrawnNode[], id: string, direction: Direction) {
  const at = order.findIndex((node) => node.id === id)
  if (direction === 'up') return order[at - 1]
  if (direction === 'down') return order[at + 1]
  const ids = new Set(
    graph.connections.flatMap(({ source, target }) =>
      direction === 'right' && source === id
        ? [target]
        : direction === 'left' && target === id
          ? [source]
          : [],
    ),
  )
  return order.find((node) => ids.has(node.id))
}
