import type { AnswererPart, NodeServices } from '../contract/card.ts'
import type { MemoryPart } from '../contract/chat-history.ts'
import type { JsonObject } from '../kit/json.ts'
import { readOverrideGate } from './api-config.ts'
import { assemble } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import { findAnswerer } from './find-answerer.ts'
import { type FlowGraph, type FlowNode, readGraph } from './graph.ts'
import { applyOverrides, type Warning } from './overrides.ts'
import { participants } from './participants.ts'
import type { FlowSource } from './plan.ts'
import { expandWithin, type Scope } from './variables.ts'

/** A chat flow with the values of a request in place, before anything is built. */
export type DrawnPrediction = {
  flowId: string
  root: FlowNode
  nodes: ReadonlyMap<string, FlowNode>
  applied: ReadonlySet<string>
  warnings: Warning[]
  /** Whether every chat model lets its tokens out as they come. */
  streams: boolean
  memory?: MemoryPart
}

/** @throws SluiceError `flow_cannot_answer`, `node_unknown`, `override_invalid`, `input_invalid` */
export function drawPrediction(
  flow: FlowSource,
  graph: FlowGraph,
  catalog: Catalog,
  nodeServices: NodeServices,
  overrides: JsonObject,
): DrawnPrediction {
  const root = findAnswerer(graph, catalog)
  const taking = withoutLoaders(participants(graph, catalog, root), catalog)
  const gate = readOverrideGate(flow.apiConfig)
  const { nodes, applied, warnings } = applyOverrides(graph, taking, catalog, gate, overrides)
  const memoryNode = taking.find(({ name }) => catalog.get(name)?.kind === 'memory')
  const context = { ...nodeServices, flowId: flow.id }
  return {
    flowId: flow.id,
    root,
    nodes,
    applied,
    warnings,
    streams: streams([...nodes.values()], catalog),
    ...(memoryNode ? { memory: assemble('memory', memoryNode.id, nodes, catalog, context) } : {}),
  }
}

/**
 * Fills in variables and builds. The texts of the node that answers stay as they are drawn: its engine fills them
 * together with what only the engine knows, in one pass.
 *
 * @throws SluiceError as {@link assemble} does
 */
export function buildAnswerer(
  drawn: DrawnPrediction,
  catalog: Catalog,
  nodeServices: NodeServices,
  scope: Scope,
): AnswererPart {
  const nodes = new Map(
    [...drawn.nodes].map(([id, node]) => [id, id === drawn.root.id ? node : filled(node, catalog, scope)]),
  )
  const context = { ...nodeServices, flowId: drawn.flowId }
  return assemble('answerer', drawn.root.id, nodes, catalog, context, {
    without: ['loader', 'splitter'],
    overridden: drawn.applied,
  })
}

/** Whether a chat flow lets its tokens out as they come; false for a drawing that cannot answer. */
export function chatStreams(flow: FlowSource, catalog: Catalog): boolean {
  const graph = readGraph(flow.flowData)
  return streams(participants(graph, catalog, findAnswerer(graph, catalog)), catalog)
}

/** A model whose switch was never touched in an old drawing, `""`, does not stream. */
function streams(nodes: readonly FlowNode[], catalog: Catalog): boolean {
  const models = nodes.filter(({ name }) => catalog.get(name)?.kind === 'chatModel')
  return (
    models.length > 0 && models.every(({ inputs: { streaming = true } }) => /^true$/i.test(String(streaming)))
  )
}

/** Inputs that are no text for people or machines to read: code has `$vars` of its own. */
const UNTOUCHED = ['code', 'file', 'credential']

function filled(node: FlowNode, catalog: Catalog, scope: Scope): FlowNode {
  const fields = catalog.get(node.name)?.fields ?? {}
  const inputs = Object.entries(node.inputs).map(([name, value]) => [
    name,
    Object.hasOwn(fields, name) && !UNTOUCHED.includes(fields[name]!.type)
      ? expandWithin(value, scope)
      : value,
  ])
  return { ...node, inputs: Object.fromEntries(inputs) }
}

/** Loaders and splitters have no part in an answer: an override of theirs is told to be without effect. */
const withoutLoaders = (nodes: readonly FlowNode[], catalog: Catalog) =>
  nodes.filter(({ name }) => !['loader', 'splitter'].includes(catalog.get(name)?.kind ?? ''))
