import type { StorePart } from '../contract/card.ts'
import type { Loader } from '../contract/loader.ts'
import type { TextSplitter } from '../contract/splitter.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import {
  type AppliedRequest,
  applyRequest,
  type FlowRequest,
  type FlowSource,
  type PlanContext,
} from './apply-request.ts'
import type { Catalog } from './catalog.ts'
import { type FlowGraph, type FlowNode, pluggedInto, readGraph } from './graph.ts'
import { type LoadSettings, loadOverrides, loadSettingsOf } from './load-settings.ts'
import type { RequestOptions, Warning } from './apply-request.ts'
import { findStoreNode, participants } from './participants.ts'
import { expandWithin, type VariableScope, valueAtPath } from './variables.ts'

/** A vector store of a flow, built for one request. */
export type StorePlan = {
  part: StorePart
  /** The nodes that take part, with the values of the request. */
  nodes: readonly FlowNode[]
  options: RequestOptions
  /** Overrides without effect. */
  warnings: Warning[]
  /** The nodes of its parts: loaders, splitters, embedder, record manager and store. */
  nodeIds?: ReadonlyMap<object, string>
  /** With which settings each loader of an upsert loads. */
  loads?: ReadonlyMap<Loader, PlannedLoad>
}

/** `overrides`: those of the request that changed the settings. */
export type PlannedLoad = { settings: LoadSettings; overrides: JsonObject }

/** Which vector store, and what the request changes. The node may be left out where the flow has one store only. */
export type StoreRequest = FlowRequest & { stopNodeId?: string | undefined }

/** `uploads`: whether the request brings files; `kept` where its run reads files that the server has kept. */
export type UpsertPlanRequest = Omit<StoreRequest, 'variables'> & {
  uploads: boolean | 'kept'
  /** The id of the only loader node that loads; all of the store unless given. */
  loader?: string | undefined
}

/**
 * Builds a vector store with its loaders, for one upsert. Variables are not filled in.
 *
 * @throws SluiceError `flow_cannot_upsert`, `stop_node_needed`, `override_not_enabled` for uploads that the flow does
 *   not allow, `form_expected`, `json_expected`, and as overrides and parts do
 */
export function planUpsert(context: PlanContext, flow: FlowSource, request: UpsertPlanRequest): StorePlan {
  const { graph, root, applied } = applyToStore(context, flow, 'flow_cannot_upsert', request)
  if (request.uploads === true && !takesUploads(applied, context.catalog))
    throw new SluiceError('override_not_enabled')
  const nodeIds = new Map<object, string>()
  const part = applied.build('vectorStore', root.id, {
    loading: true,
    built: notesNodes(nodeIds),
  })
  if (part.loaders.length === 0)
    throw new SluiceError('flow_cannot_upsert', { reason: 'no document loader is plugged in' })
  if (request.uploads !== 'kept') checkForm(part.loaders, request.uploads)
  const settings = loadSettingsOf(context.catalog, graph, {
    ...{ flow: flow.id, root, overridden: applied.overridden },
  })
  const loads = new Map(
    part.loaders.flatMap((loader) => {
      const found = settings.find((one) => one.loader.id === nodeIds.get(loader))
      const overrides = found && loadOverrides(context.catalog, found, request.overrides)
      return found ? [[loader, { settings: found, overrides: overrides! }]] : []
    }),
  )
  return { ...storePlan(applied, part), nodeIds, loads }
}

/** Notes the node of each part that is built. */
const notesNodes = (nodeIds: Map<object, string>) => (one: object, nodeId: string) => {
  // A store node that wraps another one has the same store: the inner node is the one that stores.
  const working = 'store' in one ? (one as StorePart).store : one
  if (!nodeIds.has(working)) nodeIds.set(working, nodeId)
}

/**
 * Builds a vector store without its loaders, for queries and for work on what it holds. Given `variables`, they are
 * filled into its filter and other search settings, never into its namespace: an upsert must find the same store.
 *
 * @throws SluiceError `flow_cannot_query`, `stop_node_needed`, and as overrides and parts do
 */
export function planRetrieval(context: PlanContext, flow: FlowSource, request: StoreRequest): StorePlan {
  const { root, applied } = applyToStore(context, flow, 'flow_cannot_query', request)
  const nodeIds = new Map<object, string>()
  const built = notesNodes(nodeIds)
  if (!request.variables)
    return { ...storePlan(applied, applied.build('vectorStore', root.id, { built })), nodeIds }
  const scope = storeScope(flow, applied.variables)
  const nodes = new Map([...applied.nodes].map(([id, node]) => [id, fillStore(node, context.catalog, scope)]))
  return { ...storePlan(applied, applied.build('vectorStore', root.id, { nodes, built })), nodeIds }
}

/**
 * Builds what decides how well a flow retrieves: its store, its embedder, and the first splitter of its loaders.
 *
 * @throws SluiceError as {@link planRetrieval} does
 */
export function planEvaluation(
  context: PlanContext,
  flow: FlowSource,
): { part: StorePart; splitter?: TextSplitter } {
  const { root, applied } = applyToStore(context, flow, 'flow_cannot_query', { overrides: {} })
  const part = applied.build('vectorStore', root.id)
  const splitter = [...applied.nodes.values()].find(
    ({ name }) => context.catalog.get(name)?.kind === 'splitter',
  )
  return { part, ...(splitter ? { splitter: applied.build('splitter', splitter.id) } : {}) }
}

function applyToStore(
  context: PlanContext,
  flow: FlowSource,
  failure: 'flow_cannot_upsert' | 'flow_cannot_query',
  request: StoreRequest & Pick<UpsertPlanRequest, 'loader'>,
): { graph: FlowGraph; root: FlowNode; applied: AppliedRequest } {
  const drawn = readGraph(flow.flowData)
  const graph = request.loader === undefined ? drawn : withOneLoader(drawn, context.catalog, request.loader)
  const root = findStoreNode(graph, context.catalog, failure, request.stopNodeId)
  const taking = participants(graph, context.catalog, root)
  return { graph, root, applied: applyRequest(context, flow, graph, taking, request) }
}

/** The graph in which no other loader plugs into a node. */
function withOneLoader(graph: FlowGraph, catalog: Catalog, loader: string): FlowGraph {
  const onlyIt = (node: FlowNode): FlowNode => {
    const anchors = Object.entries(catalog.get(node.name)?.anchors ?? {})
    const changed = anchors.flatMap(([name, { kind }]) =>
      kind === 'loader'
        ? [[name, pluggedInto(node.inputs[name]).includes(loader) ? [`{{${loader}.data.instance}}`] : []]]
        : [],
    )
    return changed.length === 0
      ? node
      : { ...node, inputs: { ...node.inputs, ...Object.fromEntries(changed) } }
  }
  return { ...graph, nodes: new Map([...graph.nodes].map(([id, node]) => [id, onlyIt(node)])) }
}

const storePlan = ({ nodes, options, warnings }: AppliedRequest, part: StorePart): StorePlan => ({
  part,
  nodes: [...nodes.values()],
  options,
  warnings,
})

/** Uploads come in a multipart form, for loaders of uploads. Without uploads a loader must find its items by itself. */
function checkForm(loaders: readonly Loader[], uploads: boolean): void {
  if (uploads) {
    if (!loaders.some((loader) => loader.uploads)) throw new SluiceError('json_expected')
  } else if (!loaders.some((loader) => loader.items)) throw new SluiceError('form_expected')
}

/** Uploads replace every file input at once. A flow without file inputs is refused later, when its loaders are known. */
function takesUploads({ nodes, gate }: AppliedRequest, catalog: Catalog): boolean {
  const fileInputs = [...nodes.values()].flatMap((node) =>
    Object.entries(catalog.get(node.name)?.fields ?? {})
      .filter(([, field]) => field.type === 'file')
      .map(([name]) => ({ node, name })),
  )
  return (
    fileInputs.length === 0 ||
    fileInputs.some(({ node, name }) => gate.allows(node, 'files', false) || gate.allows(node, name, true))
  )
}

/** The variables that exist without a conversation: `$vars.name`, `$flow.chatflowId`. */
function storeScope({ id }: FlowSource, variables: Readonly<Record<string, string>>): VariableScope {
  const known = { $vars: { ...variables }, $flow: { chatflowId: id, chatflowid: id } }
  return (name) => (name.startsWith('$') ? valueAtPath(known, name) : undefined)
}

function fillStore(node: FlowNode, catalog: Catalog, scope: VariableScope): FlowNode {
  const card = catalog.get(node.name)
  if (card?.kind !== 'vectorStore') return node
  const inputs = Object.entries(node.inputs).map(([name, value]) => {
    const field = Object.hasOwn(card.fields, name) ? card.fields[name] : undefined
    return [name, field && !field.guard ? expandWithin(value, scope) : value]
  })
  return { ...node, inputs: Object.fromEntries(inputs) }
}
