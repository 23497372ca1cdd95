import { graphlib, layout } from '@dagrejs/dagre'
import { type FlowFile, nodesOf, type Point, positionOf } from './flow-file.ts'
import { cardSize, type Size } from './card-size.ts'
import { moveNodes } from './commands.ts'
import { type DrawnNode, drawGraph, type Graph } from './graph.ts'
import type { NodeKinds } from './node-kinds.ts'

/** Places for all nodes that do not stand in an iteration: what feeds a node is on its left. */
export function tidyPositions(
  graph: Graph,
  sizes: ReadonlyMap<string, Size> = new Map(),
): Map<string, Point> {
  const drawing = new graphlib.Graph()
  drawing.setGraph({ rankdir: 'LR', nodesep: 36, ranksep: 90, marginx: 40, marginy: 40 })
  drawing.setDefaultEdgeLabel(() => ({}))
  const nodes = graph.nodes.filter(({ parent }) => parent === undefined)
  const sizeOf = (node: DrawnNode) => sizes.get(node.id) ?? cardSize(node)
  for (const node of nodes) drawing.setNode(node.id, { ...sizeOf(node) })
  for (const { source, target } of graph.connections)
    if (drawing.hasNode(source) && drawing.hasNode(target)) drawing.setEdge(source, target)
  layout(drawing)
  return new Map(
    nodes.map((node) => {
      const { x, y } = drawing.node(node.id) as Point
      const { width, height } = sizeOf(node)
      return [node.id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }]
    }),
  )
}

/** The title of an iteration stands above its steps. */
const UNDER_TITLE = 20

/** The file with a place for each node that has none; those that have one stay where they are. */
export function placeMissing(file: FlowFile, kinds: NodeKinds): FlowFile {
  const missing = new Set(nodesOf(file).flatMap((node) => (positionOf(node) ? [] : [node.id])))
  if (missing.size === 0) return file
  const graph = drawGraph(file, kinds)
  const positions = new Map<string, Point>()
  // A place in an iteration counts from its corner: each iteration is laid out by itself.
  for (const [parent, nodes] of Map.groupBy(graph.nodes, (node) => node.parent)) {
    const placed = nodes.filter(({ id }) => !missing.has(id))
    const below = Math.max(
      parent === undefined ? 0 : UNDER_TITLE,
      ...placed.map((node) => node.position.y + cardSize(node).height + 60),
    )
    const bare = nodes.filter(({ id }) => missing.has(id)).map(({ parent: _, ...node }) => node)
    for (const [id, { x, y }] of tidyPositions({ nodes: bare, connections: graph.connections }))
      positions.set(id, { x, y: y + below })
  }
  return moveNodes(positions).apply(file)
}
