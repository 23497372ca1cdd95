import type { Field, FieldType, OverrideGuard } from '../contract/field.ts'
import { isEmptyInput } from '../cards/field.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json } from '../kit/json.ts'
import { type OverrideGate, readOverrideGate } from './api-config.ts'
import type { FlowSource, PlanContext } from './apply-request.ts'
import type { Catalog } from './catalog.ts'
import { plainDefault } from './draw-card.ts'
import { findAnswerer, answererNodes } from './plan-prediction.ts'
import { type FlowGraph, type FlowNode, isAgentFlow, readGraph } from './graph.ts'
import { participants, storeNodes } from './participants.ts'
import { planRetrieval, planUpsert } from './plan-store.ts'

/** Whether a flow takes a request, and the reason if not. */
export type Possible = { possible: boolean; reason: string | null }

/** The requests that nodes take part in. */
export type RequestKind = 'upsert' | 'query' | 'prediction'

/**
 * Why an override has no effect.
 *
 * - `overrides_off`: the flow allows no overrides at all
 * - `not_enabled`: the flow does not allow this one
 * - `not_by_star`: it is enabled for all nodes (`*`), which does not count for a secret, an address, a path or a table
 * - `not_used`: the node takes part in no request
 */
export type OverrideRefusal = 'overrides_off' | 'not_enabled' | 'not_by_star' | 'not_used'

export type OverridableInput = {
  /** The key in `overrideConfig`; `files` for the uploads of a loader. */
  name: string
  label: string
  type: FieldType
  guard: OverrideGuard | null
  enabled: boolean
  reason: OverrideRefusal | null
  /** The value of the flow; null for secrets, files and what is not set. */
  value: Json
}

export type OverridableNode = {
  id: string
  name: string
  label: string
  requests: RequestKind[]
  inputs: OverridableInput[]
}

/** An override that belongs to no node. */
export type OverridableOption = { name: string; enabled: boolean; reason: OverrideRefusal | null }

export type DescribedRequests = {
  upsert: { stores: { id: string; label: string }[]; files: Possible; json: Possible }
  query: Possible
  prediction: Possible
  /** Whether requests may override anything at all. */
  overrides: boolean
  nodes: OverridableNode[]
  options: OverridableOption[]
  variables: OverridableOption[]
}

/** The requests that a flow takes, and which of its inputs they may override. Nothing is called or changed. */
export function describeRequests(
  context: PlanContext,
  flow: FlowSource,
  variables: readonly string[],
): DescribedRequests {
  const { catalog } = context
  const graph = readGraph(flow.flowData)
  const gate = readOverrideGate(flow.apiConfig)
  const stores = storeNodes(graph, catalog)
  const stopNodeId = stores.length > 1 ? stores[0]!.id : undefined
  const plan = { overrides: {}, stopNodeId }
  const reasonFor = (allowed: boolean) => (allowed ? null : gate.open ? 'not_enabled' : 'overrides_off')
  const option = (name: string, enabled: boolean): OverridableOption => ({
    name,
    enabled,
    reason: reasonFor(enabled),
  })
  const taking = requestNodes(graph, catalog, stores)
  return {
    upsert: {
      stores: stores.map(({ id, label }) => ({ id, label })),
      files: possible(() => planUpsert(context, flow, { ...plan, uploads: true })),
      json: possible(() => planUpsert(context, flow, { ...plan, uploads: false })),
    },
    query: possible(() => planRetrieval(context, flow, plan)),
    prediction: isAgentFlow(graph)
      ? { possible: true, reason: null }
      : possible(() => findAnswerer(graph, catalog)),
    overrides: gate.open,
    nodes: [...graph.nodes.values()].flatMap((node) => {
      const fields = catalog.get(node.name)?.fields
      if (!fields) return []
      const { id, name, label } = node
      const requests = KINDS.filter((kind) => taking[kind].has(id))
      const inputs = inputsOf(node, fields, gate, requests.length > 0)
      return inputs.length > 0 ? [{ id, name, label, requests, inputs }] : []
    }),
    options: ['returnSourceDocuments', 'addMetadata'].map((name) => option(name, gate.allowsAnywhere(name))),
    variables: variables.map((name) => option(name, gate.allowsVariable(name))),
  }
}

const KINDS: readonly RequestKind[] = ['upsert', 'query', 'prediction']

function requestNodes(
  graph: FlowGraph,
  catalog: Catalog,
  stores: readonly FlowNode[],
): Record<RequestKind, ReadonlySet<string>> {
  const withStores = stores.flatMap((store) => participants(graph, catalog, store))
  const ids = (nodes: readonly FlowNode[]) => new Set(nodes.map(({ id }) => id))
  const loading = withStores.some(({ name }) => catalog.get(name)?.kind === 'loader')
  const answering = isAgentFlow(graph) ? [...graph.nodes.values()] : answererNodes(graph, catalog)
  return {
    upsert: ids(loading ? withStores : []),
    query: ids(withStores.filter(({ name }) => !LOADING.includes(catalog.get(name)?.kind ?? ''))),
    prediction: ids(answering),
  }
}

/** Kinds of nodes that only an upsert uses. */
const LOADING = ['loader', 'splitter']

function inputsOf(
  node: FlowNode,
  fields: Readonly<Record<string, Field<unknown>>>,
  gate: OverrideGate,
  used: boolean,
): OverridableInput[] {
  const found = new Map<string, OverridableInput>()
  for (const [name, field] of Object.entries(fields)) {
    const isFile = field.type === 'file'
    const key = isFile ? 'files' : name
    const guarded = field.guard !== undefined && !isFile
    const enabled = gate.allows(node, key, guarded)
    if (field.hidden && !enabled && isEmptyInput(node.inputs[name])) continue
    found.set(key, {
      name: key,
      label: isFile ? 'Files' : field.label,
      type: field.type,
      guard: field.guard ?? null,
      enabled,
      reason: used ? refusalOf({ node, key, guarded, enabled, gate }) : 'not_used',
      value: isFile || field.guard === 'credential' ? null : inputValue(node.inputs[name], field),
    })
  }
  return [...found.values()]
}

type Asked = { node: FlowNode; key: string; guarded: boolean; enabled: boolean; gate: OverrideGate }

function refusalOf({ node, key, guarded, enabled, gate }: Asked): OverrideRefusal | null {
  if (enabled) return null
  if (!gate.open) return 'overrides_off'
  return guarded && gate.allows(node, key, false) ? 'not_by_star' : 'not_enabled'
}

const inputValue = (raw: unknown, { fallback }: Field<unknown>): Json =>
  isEmptyInput(raw) ? plainDefault(fallback) : (raw as Json)

function possible(attempt: () => unknown): Possible {
  try {
    attempt()
    return { possible: true, reason: null }
  } catch (error) {
    if (error instanceof SluiceError) return { possible: false, reason: error.message }
    throw error
  }
}
