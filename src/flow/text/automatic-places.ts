import type { Catalog } from '../catalog.ts'
import { pluggedInto } from '../graph.ts'
import { allTextInputs, type FlowModel, type TextNode, type TextPlace } from './flow-model.ts'

/** In pixels. */
const COLUMN = 380
const GAP = 40
const HEAD = 110
const ROW = 30
const MOST_ROWS = 10
/** The title of an iteration stands above its steps. */
const UNDER_TITLE = 60
const FRAME = { width: 420, height: 260 }

/**
 * Where each node stands in an automatic layout: what feeds a node is in a column on its left, and a column has its nodes in
 * the order of the text. Nodes of an iteration are laid out by themselves.
 */
export function automaticPlaces(
  { nodes, lines }: Pick<FlowModel, 'nodes' | 'lines'>,
  catalog: Catalog,
): Map<string, TextPlace> {
  const before = new Map<string, Set<string>>([...nodes.keys()].map((id) => [id, new Set()]))
  const follow = (from: string, to: string) => {
    // A line between a node of an iteration and one outside of it moves neither.
    if (nodes.get(from)?.inside === nodes.get(to)?.inside) before.get(to)?.add(from)
  }
  for (const [id, node] of nodes)
    for (const value of Object.values(allTextInputs(node)))
      for (const source of pluggedInto(value)) if (source !== id) follow(source, id)
  for (const { from, to } of lines) follow(from, to)
  const columns = columnsOf(before)
  const ends = new Map<string, number>()
  const places = new Map<string, TextPlace>()
  for (const [id, node] of nodes) {
    const column = columns.get(id)!
    const key = `${column} ${node.inside ?? ''}`
    const y = ends.get(key) ?? (node.inside === undefined ? 0 : UNDER_TITLE)
    const isFrame = node.node === 'iterationAgentflow'
    places.set(id, [column * COLUMN, y])
    ends.set(key, y + GAP + (isFrame ? FRAME.height : heightOf(node, catalog)))
  }
  return places
}

/** The column of each node, from 0. In a circle, the line back to a node that is above counts for nothing. */
function columnsOf(before: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const columns = new Map<string, number>()
  const open = new Set<string>()
  for (const start of before.keys()) {
    const path: { id: string; rest: string[]; column: number }[] = []
    const enter = (id: string) => {
      open.add(id)
      path.push({ id, rest: [...before.get(id)!], column: 0 })
    }
    if (!columns.has(start)) enter(start)
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.pop()
      if (next !== undefined) {
        const known = columns.get(next)
        if (known !== undefined) top.column = Math.max(top.column, known + 1)
        else if (!open.has(next) && before.has(next)) {
          top.rest.push(next)
          enter(next)
        }
        continue
      }
      columns.set(top.id, top.column)
      open.delete(top.id)
      path.pop()
    }
  }
  return columns
}

function heightOf({ node, inputs }: TextNode, catalog: Catalog): number {
  const card = catalog.get(node)
  const rows = card
    ? Object.keys(card.anchors).length + Object.values(card.fields).filter(({ main }) => main).length
    : Object.keys(inputs).length
  return HEAD + ROW * Math.min(rows, MOST_ROWS)
}
