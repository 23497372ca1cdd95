import type { AnswererPart } from '../contract/card.ts'
import type { MemoryPart } from '../contract/chat-history.ts'
import {
  type AppliedRequest,
  applyRequest,
  type FlowRequest,
  type FlowSource,
  type PlanContext,
} from './apply-request.ts'
import type { Catalog } from './catalog.ts'
import { findAnswerer } from './find-answerer.ts'
import { SluiceError } from '../kit/errors.ts'
import { type FlowGraph, type FlowNode, readGraph } from './graph.ts'
import { participants } from './participants.ts'
import { expandWithin, type VariableScope } from './variables.ts'

/** A chat flow with the values of a request. Only its memory is built yet. */
export type PredictionPlan = AppliedRequest & {
  /** The node that answers. */
  root: FlowNode
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
  const root = findAnswerer(graph, catalog)
  const taking = withoutLoaders(participants(graph, catalog, root), catalog)
  const applied = applyRequest(context, flow, graph, taking, request)
  const memoryNode = taking.find(({ name }) => catalog.get(name)?.kind === 'memory')
  return {
    ...applied,
    root,
    streams: streams([...applied.nodes.values()], catalog),
    ...(memoryNode ? { memory: applied.build('memory', memoryNode.id) } : {}),
  }
}

/**
 * Fills in variables and builds the node that answers. The texts of that node stay as they are drawn: its engine fills
 * them in one pass, together with values that only the engine has.
 *
 * @throws SluiceError as `assemble` does
 */
export function buildAnswerer(plan: PredictionPlan, catalog: Catalog, scope: VariableScope): AnswererPart {
  const { root } = plan
  const nodes = new Map(
    [...plan.nodes].map(([id, node]) => [id, id === root.id ? node : filled(node, catalog, scope)]),
  )
  return plan.build('answerer', root.id, { nodes })
}

/** The nodes that take part in an answer of a chat flow; none if it cannot answer. */
export function answererNodes(graph: FlowGraph, catalog: Catalog): FlowNode[] {
  try {
    return withoutLoaders(participants(graph, catalog, findAnswerer(graph, catalog)), catalog)
  } catch (error) {
    if (error instanceof SluiceError) return []
    throw error
  }
}

/** Whether a chat flow streams its tokens. @throws SluiceError `flow_cannot_answer`, `node_unknown` */
export function chatStreams(flow: FlowSource, catalog: Catalog): boolean {
  const graph = readGraph(flow.flowData)
  return streams(participants(graph, catalog, findAnswerer(graph, catalog)), catalog)
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

/** An override of a loader or splitter has no effect on an answer: without these nodes it becomes a warning. */
const withoutLoaders = (nodes: readonly FlowNode[], catalog: Catalog) =>
  nodes.filter(({ name }) => !['loader', 'splitter'].includes(catalog.get(name)?.kind ?? ''))
