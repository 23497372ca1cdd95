import type { NodeKindAnswer } from '../../src/api/node.ts'
import {
  edgesOf,
  type FileEdge,
  type FileNode,
  type FlowFile,
  inputsOf,
  type JsonObject,
  nodesOf,
  type Point,
  positionOf,
  referencesOf,
  textOf,
} from './flow-file.ts'
import { isPlug, isStep, kindOf, type NodeInput, type NodeKinds } from './node-kinds.ts'
import { outputLabels } from './output-labels.ts'

/** A place of a node into which other nodes plug. */
export type Plug = NodeInput & { plugged: string[] }

/** A node as the canvas shows it. */
export type DrawnNode = {
  id: string
  label: string
  kind: NodeKindAnswer
  /** Whether this server has the kind; a node of another server is shown and kept. */
  known: boolean
  shape: 'part' | 'step' | 'note'
  position: Point
  /** The iteration in which the node stands. */
  parent?: string
  size?: { width: number; height: number }
  plugs: Plug[]
  fields: NodeInput[]
  values: JsonObject
  /** The ways out of a step; a part has one. */
  outputs: string[]
}

/** A line of the canvas: a node plugged into another, or the next step. */
export type Connection = {
  /** Unique within a drawing: `source→target:plug`, or of a step `source#output→target`. */
  id: string
  source: string
  target: string
  /** The name of the plug; undefined between steps. */
  plug?: string
  /** The way out of a step, from 0. */
  output: number
}

export type Graph = { nodes: DrawnNode[]; connections: Connection[] }

/** What a flow file shows with the node kinds of this server. Nodes without a position are at 0, 0. */
export function drawGraph(file: FlowFile, kinds: NodeKinds): Graph {
  const nodes = nodesOf(file).map((node) => drawNode(node, kinds))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const connections = new Map<string, Connection>()
  const add = (connection: Connection) => connections.set(connection.id, connection)
  for (const edge of edgesOf(file)) {
    const [source, target] = [byId.get(edge.source), byId.get(edge.target)]
    if (!source || !target) continue
    if (source.shape === 'step' && target.shape === 'step')
      add(stepConnection(source.id, target.id, outputOfEdge(edge)))
    else {
      const plug = plugOfEdge(edge)
      if (plug !== undefined) add(plugConnection(source.id, target.id, plug))
    }
  }
  for (const node of nodes)
    for (const plug of node.plugs)
      for (const id of referencesOf(node.values[plug.name]))
        if (byId.has(id)) add(plugConnection(id, node.id, plug.name))
  for (const { source, target, plug } of connections.values())
    byId
      .get(target)!
      .plugs.find(({ name }) => name === plug)
      ?.plugged.push(source)
  return { nodes, connections: [...connections.values()] }
}

function drawNode(node: FileNode, kinds: NodeKinds): DrawnNode {
  const { kind, known } = kindOf(node, kinds)
  const { width, height } = node
  return {
    id: node.id,
    label: textOf(node.data.label) || kind.label,
    kind,
    known,
    shape: node.type === 'stickyNote' ? 'note' : isStep(node) ? 'step' : 'part',
    position: positionOf(node) ?? { x: 0, y: 0 },
    ...(typeof node.parentNode === 'string' ? { parent: node.parentNode } : {}),
    ...(typeof width === 'number' && typeof height === 'number' ? { size: { width, height } } : {}),
    plugs: kind.inputs.filter(isPlug).map((input) => ({ ...input, plugged: [] })),
    fields: kind.inputs.filter((input) => !isPlug(input)),
    values: inputsOf(node),
    outputs: outputLabels(kind.outputs, inputsOf(node)),
  }
}

export const plugConnection = (source: string, target: string, plug: string): Connection => ({
  id: `${source}→${target}:${plug}`,
  source,
  target,
  plug,
  output: 0,
})

export const stepConnection = (source: string, target: string, output: number): Connection => ({
  id: `${source}#${output}→${target}`,
  source,
  target,
  output,
})

/** A handle is `<node>-input-<plug>-<classes>`; the classes differ between versions. */
export function plugOfEdge({ target, targetHandle }: FileEdge): string | undefined {
  const handle = textOf(targetHandle)
  const start = `${target}-input-`
  return handle.startsWith(start) ? /^\w+/.exec(handle.slice(start.length))?.[0] : undefined
}

/** A handle of a step ends with the number of the way out where the step has several. */
export const outputOfEdge = ({ sourceHandle }: FileEdge): number =>
  Number(/-output-(\d+)$/.exec(textOf(sourceHandle))?.[1] ?? 0)

/** A node with all that it is built from, the node itself last. */
export function participants(graph: Graph, id: string): DrawnNode[] {
  const found = new Set<string>()
  const visit = (at: string): void => {
    if (found.has(at)) return
    for (const { source, target, plug } of graph.connections)
      if (target === at && plug !== undefined) visit(source)
    found.add(at)
  }
  visit(id)
  return [...found].flatMap((one) => graph.nodes.find((node) => node.id === one) ?? [])
}
