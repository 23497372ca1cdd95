import type { PartKind, PartKinds } from '../contract/card.ts'
import type { MemoryPart } from '../contract/chat-history.ts'
import {
  type AppliedRequest,
  applyRequest,
  type FlowRequest,
  type FlowSource,
  type PlanContext,
} from './apply-request.ts'
import type { Catalog } from './catalog.ts'
import { SluiceError } from '../kit/errors.ts'
import { type FlowGraph, type FlowNode, readGraph, pluggedInto } from './graph.ts'
import { namedNodes, nodesNamedIn, sourcesOf } from './named-nodes.ts'
import { participants } from './participants.ts'
import { expandWithin, type VariableScope } from './variables.ts'

/** A chat flow with the values of a request. Only its memory is built yet. */
export type PredictionPlan = AppliedRequest & {
  graph: FlowGraph
  /** The node that answers; of several between which a run chooses, the first. */
  root: FlowNode
  /** All nodes that may answer, in the order of the drawing. */
  ends: readonly FlowNode[]
  /** Whether every chat model streams its tokens. */
  streams: boolean
  memory?: MemoryPart
}

/** @throws SluiceError `flow_cannot_answer`, `node_unknown`, `override_invalid`, `input_invalid` */
export function planPrediction(
  context: PlanContext,
  flow: FlowSource,
  request: Required<FlowRequest>,
): PredictionPlan {
  const { catalog } = context
  const graph = readGraph(flow.flowData)
  const ends = findAnswerers(graph, catalog)
  const root = ends[0]!
  const taking = answeringParts(graph, catalog, ends)
  const applied = applyRequest(context, flow, graph, taking, request)
  const memoryNode = taking.find(({ name }) => catalog.get(name)?.kind === 'memory')
  return {
    ...applied,
    graph,
    root,
    ends,
    streams: streams([...applied.nodes.values()], catalog),
    ...(memoryNode ? { memory: applied.build('memory', memoryNode.id) } : {}),
  }
}

/** Kinds of parts whose texts stay as they are drawn. */
const FILLED_BY_ENGINE: readonly (PartKind | undefined)[] = [
  'answerer',
  'prompt',
  'namedPrompt',
  'passages',
  'value',
]

/**
 * Fills in variables, and returns what builds a node of the plan: the one that answers, and those whose outputs stand in texts. The texts
 * of nodes that answer, of prompts and of functions stay as they are drawn: the engine fills them in one pass, together with values that
 * only the engine has. Building throws as `assemble` does.
 *
 * @param built called with each part and its node
 */
export function filledBuilder(
  plan: PredictionPlan,
  catalog: Catalog,
  scope: VariableScope,
  built?: (part: object, nodeId: string) => void,
) {
  const nodes = new Map(
    [...plan.nodes].map(([id, node]) => {
      const card = catalog.get(node.name)
      const byEngine = FILLED_BY_ENGINE.includes(card?.kind) && !card?.fillsTexts
      return [id, byEngine ? node : filled(node, catalog, scope)]
    }),
  )
  return <K extends PartKind>(kind: K, nodeId: string): PartKinds[K] =>
    plan.build(kind, nodeId, { nodes, ...(built ? { built } : {}) })
}

/** The nodes that take part in an answer of a chat flow; none if it cannot answer. */
export function answererNodes(graph: FlowGraph, catalog: Catalog): FlowNode[] {
  try {
    return answeringParts(graph, catalog, findAnswerers(graph, catalog))
  } catch (error) {
    if (error instanceof SluiceError) return []
    throw error
  }
}

/** Whether a chat flow streams its tokens. @throws SluiceError `flow_cannot_answer`, `node_unknown` */
export function chatStreams(flow: FlowSource, catalog: Catalog): boolean {
  const graph = readGraph(flow.flowData)
  return streams(answeringParts(graph, catalog, findAnswerers(graph, catalog)), catalog)
}

/** An old drawing may have `""` for the switch of a model: it does not stream. */
function streams(nodes: readonly FlowNode[], catalog: Catalog): boolean {
  const models = nodes.filter(({ name }) => catalog.get(name)?.kind === 'chatModel')
  return (
    models.length > 0 && models.every(({ inputs: { streaming = true } }) => /^true$/i.test(String(streaming)))
  )
}

/** Types of inputs that are not filled: code reads `$vars` by itself, a file or a credential is not a text. */
const UNFILLED = ['code', 'file', 'credential']

function filled(node: FlowNode, catalog: Catalog, scope: VariableScope): FlowNode {
  const fields = catalog.get(node.name)?.fields ?? {}
  const inputs = Object.entries(node.inputs).map(([name, value]) => [
    name,
    Object.hasOwn(fields, name) && !UNFILLED.includes(fields[name]!.type)
      ? expandWithin(value, scope)
      : value,
  ])
  return { ...node, inputs: Object.fromEntries(inputs) }
}

/**
 * What nodes need for an answer, each once. An override of a loader or splitter of a store has no effect on it: without these nodes it
 * becomes a warning. A loader whose text stands in a prompt takes part.
 */
function answeringParts(graph: FlowGraph, catalog: Catalog, ends: readonly FlowNode[]): FlowNode[] {
  const taking = [...new Set(ends.flatMap((end) => participants(graph, catalog, end)))]
  const named = new Set(taking.flatMap((node) => namedNodes(node, graph, catalog).map(({ id }) => id)))
  return taking.filter(
    ({ id, name }) => named.has(id) || !['loader', 'splitter'].includes(catalog.get(name)?.kind ?? ''),
  )
}

/** The categories of Flowise whose nodes answer. */
const ANSWERING = ['Agents', 'Chains', 'Engine', 'Multi Agents', 'Sequential Agents']

/** The node that answers in a chat flow, or the first of several. @throws SluiceError as {@link findAnswerers} does */
export const findAnswerer = (graph: FlowGraph, catalog: Catalog): FlowNode =>
  findAnswerers(graph, catalog)[0]!

/**
 * The nodes that answer in a chat flow: those that nothing else uses. They are several only behind the branches of an `ifElseFunction`. A
 * function that nothing uses answers where no chain does.
 *
 * @throws SluiceError `flow_cannot_answer`, `node_unknown`
 */
export function findAnswerers(graph: FlowGraph, catalog: Catalog): [FlowNode, ...FlowNode[]] {
  const nodes = [...graph.nodes.values()]
  const used = new Set(nodes.flatMap((node) => usedBy(node, graph, catalog)))
  const ends = nodes.filter(({ id, name }) => catalog.get(name)?.kind === 'answerer' && !used.has(id))
  if (ends.length > 1 && !ends.every((end) => hangsOnBranch(end, graph, catalog))) {
    const names = ends.map(({ label }) => label).join(', ')
    throw new SluiceError('flow_cannot_answer', { reason: `it has several nodes that answer: ${names}` })
  }
  const [first, ...others] = ends.map((end) => refuseForeignParts(end, graph, catalog))
  if (first) return [first, ...others]
  const foreign = nodes.find(({ name, category }) => ANSWERING.includes(category) && !catalog.has(name))
  if (foreign) throw new SluiceError('node_unknown', { node: foreign.name })
  const code = nodes.find(({ id, name }) => name === 'customFunction' && !used.has(id))
  if (code && catalog.has(code.name)) return [code]
  const store = nodes.some(({ name }) => catalog.get(name)?.kind === 'vectorStore')
  throw new SluiceError('flow_cannot_answer', {
    reason: 'it has no agent and no chain with a chat model',
    hint: store
      ? 'Query it with POST /api/v1/vector/query/:flowId, or add a chain and a chat model to the flow'
      : 'Add an agent or a chain, and a chat model, to the flow',
  })
}

/** The ids of the nodes that a node uses, also by names that its kind has no use for. */
const usedBy = (node: FlowNode, graph: FlowGraph, catalog: Catalog): string[] => [
  ...Object.values(node.inputs).flatMap(pluggedInto),
  ...Object.values(node.inputs).flatMap(nodesNamedIn),
  ...sourcesOf(node, graph, catalog),
]

const hangsOnBranch = (end: FlowNode, graph: FlowGraph, catalog: Catalog): boolean =>
  participants(graph, catalog, end).some(({ id }) => graph.branches.some(({ to }) => to === id))

/** Refuses unknown nodes that plug into the node that answers: one may be needed for safety, such as a moderation. */
function refuseForeignParts(node: FlowNode, graph: FlowGraph, catalog: Catalog): FlowNode {
  for (const id of Object.values(node.inputs).flatMap(pluggedInto)) {
    const part = graph.nodes.get(id)
    if (part && !catalog.has(part.name)) throw new SluiceError('node_unknown', { node: part.name })
  }
  return node
}
