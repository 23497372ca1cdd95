import { SluiceError } from '../../../kit/errors.ts'
import { isObject, type JsonObject } from '../../../kit/json.ts'
import { type FlowNode, isStep, pluggedInto, readGraph, written } from '../../graph.ts'

/** A node of a drawing of version 1. `raw` is the node as the export has it. */
export type OldNode = FlowNode & {
  raw: JsonObject
  position: { x: number; y: number }
  /** The labels of its outputs by the names that edges have: `{ softwareEngineer: 'Software Engineer', end: 'End' }`. */
  outputs: ReadonlyMap<string, string>
}

/** An edge of the sequence. `output` is the name of an output of a condition; empty for other nodes. */
export type OldEdge = { from: string; output: string; to: string }

/** A drawing of an agent flow of version 1. */
export type OldDrawing = {
  nodes: ReadonlyMap<string, OldNode>
  sequence: readonly OldEdge[]
  /** Edges of the sequence by the node that they enter, and by the node that they leave. */
  into: ReadonlyMap<string, readonly OldEdge[]>
  outOf: ReadonlyMap<string, readonly OldEdge[]>
  /** Nodes that are no parts of the flow, such as notes. */
  notes: readonly JsonObject[]
}

/** Nodes that run one after another. */
const IN_SEQUENCE = /^seq(?!State)/
const VERSION_1 = /^(seq[A-Z]\w*|supervisor|worker|agentMemory)$/

/** Whether a drawing is an agent flow of version 1. One with steps of version 2 is none: the check names its other nodes. */
export const isVersion1 = (drawing: JsonObject & { nodes: JsonObject[] }): boolean =>
  !drawing.nodes.some(isStep) &&
  drawing.nodes.some(({ data }) => isObject(data) && VERSION_1.test(written(data.name)))

/** Reads a drawing of version 1. @throws SluiceError `flow_invalid` where two nodes have one id, or the sequence is a circle */
export function readOldDrawing(drawing: JsonObject & { nodes: JsonObject[] }): OldDrawing {
  const graph = readGraph(drawing)
  const raws = new Map(drawing.nodes.map((raw) => [written(raw.id), raw]))
  const nodes = new Map(
    [...graph.nodes].map(([id, node]): [string, OldNode] => {
      const raw = raws.get(id) ?? {}
      return [id, { ...node, raw, position: positionOf(raw), outputs: outputsOf(raw) }]
    }),
  )
  const sequence = sequenceOf(nodes, drawing.edges)
  const old: OldDrawing = {
    nodes,
    sequence,
    into: Map.groupBy(sequence, ({ to }) => to),
    outOf: Map.groupBy(sequence, ({ from }) => from),
    notes: drawing.nodes.filter((raw) => !nodes.has(written(raw.id))),
  }
  refuseCircle(old)
  return old
}

/** The nodes with a name. */
export const oldNodesNamed = (old: OldDrawing, name: string): OldNode[] =>
  [...old.nodes.values()].filter((node) => node.name === name)

/** The nodes that plug into an input, without those that the drawing does not have. */
export const pluggedNodes = (old: OldDrawing, { inputs }: FlowNode, input: string): OldNode[] =>
  [...new Set(pluggedInto(inputs[input]))].flatMap((id) => old.nodes.get(id) ?? [])

function positionOf({ position }: JsonObject): OldNode['position'] {
  const { x, y } = isObject(position) ? position : {}
  return { x: typeof x === 'number' ? x : 0, y: typeof y === 'number' ? y : 0 }
}

function outputsOf({ data }: JsonObject): OldNode['outputs'] {
  const anchors = isObject(data) && Array.isArray(data.outputAnchors) ? data.outputAnchors : []
  const options = anchors.flatMap((anchor) =>
    isObject(anchor) && Array.isArray(anchor.options)
      ? (anchor.options.filter(isObject) as JsonObject[])
      : [],
  )
  return new Map(options.map(({ name, label }) => [written(name), written(label)]))
}

/** The edges between nodes of the sequence, and the references of inputs that have no edge. Each is found once. */
function sequenceOf(nodes: ReadonlyMap<string, OldNode>, edges: unknown): OldEdge[] {
  const found = new Map<string, OldEdge>()
  const connected = new Set<string>()
  for (const edge of Array.isArray(edges) ? edges.filter(isObject) : []) {
    const [from, to] = [nodes.get(written(edge.source)), nodes.get(written(edge.target))]
    if (!from || !to || !IN_SEQUENCE.test(from.name) || !IN_SEQUENCE.test(to.name)) continue
    const output = isCondition(from) ? outputName(written(edge.sourceHandle)) : ''
    found.set(JSON.stringify([from.id, output, to.id]), { from: from.id, output, to: to.id })
    connected.add(JSON.stringify([from.id, to.id]))
  }
  for (const { id, name, inputs } of nodes.values())
    for (const from of ['sequentialNode', 'llmNode'].flatMap((input) => pluggedInto(inputs[input]))) {
      const source = nodes.get(from)
      if (!IN_SEQUENCE.test(name) || !source || !IN_SEQUENCE.test(source.name)) continue
      if (connected.has(JSON.stringify([from, id]))) continue
      const output = isCondition(source) ? 'next' : ''
      found.set(JSON.stringify([from, output, id]), { from, output, to: id })
    }
  return [...found.values()]
}

/** Whether a node chooses between its outputs. */
export const isCondition = ({ name }: FlowNode): boolean =>
  name === 'seqCondition' || name === 'seqConditionAgent'

/** `seqCondition_0-output-grading-Condition` → `grading` */
const outputName = (handle: string) => /-output-([^-]+)/.exec(handle)?.[1] ?? 'next'

/** A loop goes back by its name, not by an edge. @throws SluiceError `flow_invalid` with the nodes of a circle */
function refuseCircle({ nodes, outOf, into }: OldDrawing): void {
  const waiting = new Map([...nodes.keys()].map((id) => [id, into.get(id)?.length ?? 0]))
  const free = [...waiting.keys()].filter((id) => waiting.get(id) === 0)
  for (const id of free) {
    waiting.delete(id)
    for (const { to } of outOf.get(id) ?? []) {
      const left = waiting.get(to)! - 1
      waiting.set(to, left)
      if (left === 0) free.push(to)
    }
  }
  const circle = [...waiting.keys()]
  if (circle.length === 0) return
  const named = circle.slice(0, 5).map((id) => nodes.get(id)!.label)
  throw new SluiceError('flow_invalid', {
    reason: `its nodes lead in a circle: ${named.join(', ')}${circle.length > 5 ? ', …' : ''}`,
    hint: 'End the branch with a Loop node, which names the node that it goes back to',
  })
}
