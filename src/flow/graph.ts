import { SluiceError } from '../kit/errors.ts'
import { freezeWithin } from '../kit/freeze.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { newest } from '../kit/newest.ts'

/** A node of a drawing: the name of its card, its label, and its raw input values. */
export type FlowNode = {
  id: string
  name: string
  label: string
  category: string
  inputs: Record<string, unknown>
  /** The iteration node that it is inside of. */
  parent?: string
}

/** An edge of an agent flow, from an output of a node to the next node. */
export type FlowStep = { from: string; output: number; to: string }

export type FlowGraph = {
  nodes: ReadonlyMap<string, FlowNode>
  /** The edges of an agent flow. Chat flows have none: their nodes plug into inputs. */
  steps: readonly FlowStep[]
  /** The edges of a chat flow that leave a node with branches, an `ifElseFunction`. */
  branches: readonly FlowBranch[]
}

/** An edge from one of the two outputs of a node: the node behind it takes part where the branch is taken. */
export type FlowBranch = { from: string; taken: boolean; to: string }

const REFERENCE = /^\{\{\s*([\w-]+)\.data\.instance\s*\}\}$/

/** The id of the node that a raw value refers to, `{{textFile_0.data.instance}}`; undefined for any other value. */
export function referenceOf(value: unknown): string | undefined {
  return typeof value === 'string' ? REFERENCE.exec(value.trim())?.[1] : undefined
}

/**
 * Reads a drawing as Flowise stores and exports it. Unknown keys, missing edges and sticky notes are ignored.
 * Connections come from the input values, and from edges if the value is empty.
 *
 * @throws SluiceError `flow_invalid` if there is no `nodes` list
 */
export function readGraph(flowData: unknown): FlowGraph {
  return typeof flowData === 'string' ? textGraphs.of(flowData) : graphOf(flowData)
}

/** Graphs of stored flows by their text, which every request reads. They are frozen, since requests share them. */
const textGraphs = newest(64, (text) => {
  const graph = graphOf(parseJson(text))
  for (const node of graph.nodes.values()) freezeWithin(node)
  return freezeWithin(graph)
})

function graphOf(data: unknown): FlowGraph {
  if (!isObject(data) || !Array.isArray(data.nodes))
    throw new SluiceError('flow_invalid', { reason: 'it has no list of nodes' })
  const nodes = new Map<string, FlowNode>()
  for (const raw of data.nodes) {
    const node = readNode(raw)
    if (!node) continue
    if (nodes.has(node.id))
      throw new SluiceError('flow_invalid', { reason: `two nodes have the id ${node.id}` })
    nodes.set(node.id, node)
  }
  const edges = Array.isArray(data.edges) ? data.edges : []
  for (const edge of edges) fillFromEdge(nodes, edge)
  return {
    nodes,
    steps: edges.flatMap((edge) => readStep(nodes, edge)),
    branches: edges.flatMap((edge) => readBranch(nodes, edge)),
  }
}

const AGENT_FLOWS = 'Agent Flows'

/** A plain value as text; empty for an object, a list or nothing. */
export const written = (value: unknown): string =>
  typeof value === 'object' || value === undefined ? '' : String(value)

/** Whether a node of a drawing is one of an agent flow. */
export const isStep = ({ type }: Record<string, unknown>) => type === 'agentFlow' || type === 'iteration'

/** Whether a drawing is an agent flow (AgentFlow V2): its nodes run in sequence. */
export const isAgentFlow = ({ nodes }: FlowGraph): boolean =>
  [...nodes.values()].some(({ category }) => category === AGENT_FLOWS)

/** A handle of a node with several outputs ends with the number of the output: `"<node>-output-1"`. */
function readStep(nodes: ReadonlyMap<string, FlowNode>, edge: unknown): FlowStep[] {
  if (!isObject(edge)) return []
  const [from, to] = [nodes.get(written(edge.source)), nodes.get(written(edge.target))]
  if (from?.category !== AGENT_FLOWS || !to) return []
  const output = /-output-(\d+)$/.exec(written(edge.sourceHandle))?.[1] ?? 0
  return [{ from: from.id, output: Number(output), to: to.id }]
}

/** The handles of an `ifElseFunction` are `"<node>-output-returnTrue-…"` and `"<node>-output-returnFalse-…"`. */
function readBranch(nodes: ReadonlyMap<string, FlowNode>, edge: unknown): FlowBranch[] {
  if (!isObject(edge)) return []
  const [from, to] = [nodes.get(written(edge.source)), nodes.get(written(edge.target))]
  const output = /-output-return(True|False)\b/.exec(written(edge.sourceHandle))?.[1]
  return from && to && output !== undefined ? [{ from: from.id, taken: output === 'True', to: to.id }] : []
}

function readNode(raw: unknown): FlowNode | undefined {
  if (!isObject(raw) || !isObject(raw.data)) return undefined
  const { data } = raw
  if (typeof data.name !== 'string' || raw.type === 'stickyNote') return undefined
  const id = typeof raw.id === 'string' ? raw.id : written(data.id)
  return {
    id,
    name: data.name,
    label: typeof data.label === 'string' ? data.label : data.name,
    category: isStep(raw) ? AGENT_FLOWS : typeof data.category === 'string' ? data.category : '',
    inputs: withCredential(data, isObject(data.inputs) ? data.inputs : {}),
    ...(typeof raw.parentNode === 'string' ? { parent: raw.parentNode } : {}),
  }
}

/** The editor stores the credential of a node beside its inputs, and that of a part within a node among its inputs. */
export function withCredential(data: Record<string, unknown>, inputs: Record<string, unknown>) {
  const credential = data.credential || inputs.FLOWISE_CREDENTIAL_ID || inputs.credential
  return credential ? { ...inputs, credential } : { ...inputs }
}

function fillFromEdge(nodes: Map<string, FlowNode>, edge: unknown): void {
  if (!isObject(edge) || typeof edge.targetHandle !== 'string') return
  const target = nodes.get(written(edge.target))
  const source = nodes.get(written(edge.source))
  // A handle is "<node>-input-<anchor>-<classes>"; the classes differ between versions and are not needed.
  const anchor =
    target && new RegExp(`^${RegExp.escape(target.id)}-input-(\\w+)-`).exec(edge.targetHandle)?.[1]
  if (!target || !source || !anchor) return
  const held = target.inputs[anchor]
  const reference = `{{${source.id}.data.instance}}`
  if (Array.isArray(held)) {
    if (!held.some((value) => referenceOf(value) === source.id)) target.inputs[anchor] = [...held, reference]
  } else if (held === undefined || held === null || held === '') target.inputs[anchor] = [reference]
}

const REFERENCES = /\{\{\s*([\w-]+)\.data\.instance\s*\}\}/g

/** The ids of the nodes that a value refers to, alone or within a text: `{"schema": "{{customFunction_0.data.instance}}"}`. */
export function referencesIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return [...text.matchAll(REFERENCES)].map((match) => match[1]!)
}

/** The ids of the nodes that plug into an input, whose value is one reference, a list of them, or empty. */
export function pluggedInto(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.map(referenceOf).filter((id) => id !== undefined)
}
