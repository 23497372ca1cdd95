import type { NodeCard } from '../contract/card.ts'
import type { Field } from '../contract/field.ts'
import { fingerprint } from '../kit/hash.ts'
import { canonicalJson, type Json, type JsonObject } from '../kit/json.ts'
import { readValues } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import type { FlowSource } from './apply-request.ts'
import { type FlowGraph, type FlowNode, pluggedInto, readGraph } from './graph.ts'
import type { OverriddenInputs } from './apply-request.ts'
import { findStoreNode, participants } from './participants.ts'

/** A value that is long, or may lead to a secret: only that it differs can be told. */
type HiddenValue = { hidden: string }
export type SettingValue = Json | HiddenValue

/** The settings of one node. Those that the request of a load has set are not among the values, but in `overridden`. */
export type NodeSettings = {
  id: string
  name: string
  values: Record<string, SettingValue>
  overridden?: string[]
}

/** What decides which chunks a loader makes of a document: its inputs, and those of its splitter. */
export type LoadSettings = { flow: string; loader: NodeSettings; splitter: NodeSettings | null }

/** The most characters of a value that is stored as it is. */
const LONGEST = 200

/** Inputs that do not change the text of a document: the files are the documents, and secrets only open the way to them. */
const isSetting = ({ type }: Field<unknown>) =>
  type !== 'file' && type !== 'password' && type !== 'credential'

/** The settings of all loaders of a flow's store. @throws SluiceError `flow_cannot_query`, `stop_node_needed`, `input_invalid` */
export function flowLoadSettings(catalog: Catalog, flow: FlowSource, stopNodeId?: string): LoadSettings[] {
  const graph = readGraph(flow.flowData)
  const root = findStoreNode(graph, catalog, 'flow_cannot_query', stopNodeId)
  return loadSettingsOf(catalog, graph, { flow: flow.id, root })
}

/** The settings of all loaders that plug into a store, in their order. @throws SluiceError `input_invalid` */
export function loadSettingsOf(
  catalog: Catalog,
  graph: FlowGraph,
  { flow, root, overridden = new Map() }: { flow: string; root: FlowNode; overridden?: OverriddenInputs },
): LoadSettings[] {
  const nodes = participants(graph, catalog, root)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const settingsOf = (node: FlowNode) => nodeSettings(catalog.get(node.name)!, node, overridden.get(node.id))
  return nodes
    .filter(({ name }) => catalog.get(name)?.kind === 'loader')
    .map((loader) => {
      const splitter = splitterOf(catalog, loader, byId)
      return { flow, loader: settingsOf(loader), splitter: splitter ? settingsOf(splitter) : null }
    })
}

/** The splitter that plugs into a loader. */
function splitterOf(
  catalog: Catalog,
  loader: FlowNode,
  byId: ReadonlyMap<string, FlowNode>,
): FlowNode | undefined {
  const anchors = Object.entries(catalog.get(loader.name)?.anchors ?? {})
  const [name] = anchors.find(([, { kind }]) => kind === 'splitter') ?? []
  const [id] = name === undefined ? [] : pluggedInto(loader.inputs[name])
  return id === undefined ? undefined : byId.get(id)
}

function nodeSettings(
  card: NodeCard,
  node: FlowNode,
  overridden: ReadonlySet<string> = new Set(),
): NodeSettings {
  const values: Record<string, SettingValue> = {}
  for (const [name, value] of Object.entries(readValues(card, node))) {
    const field = card.fields[name]!
    if (isSetting(field) && !overridden.has(name)) values[name] = settingValue(field, value)
  }
  const changed = [...overridden].filter((name) => Object.hasOwn(card.fields, name)).sort()
  return { id: node.id, name: node.name, values, ...(changed.length > 0 ? { overridden: changed } : {}) }
}

/** A value as it is stored, small and without what is secret. */
export function settingValue(field: Field<unknown>, value: unknown): SettingValue {
  const json = (value ?? null) as Json
  const text = canonicalJson(json)
  return field.guard !== undefined || text.length > LONGEST ? { hidden: fingerprint(text) } : json
}

/** The overrides of a request that a loader and its splitter took, without files and secrets: a load can be repeated with them. */
export function loadOverrides(
  catalog: Catalog,
  { loader, splitter }: LoadSettings,
  overrides: JsonObject,
): JsonObject {
  const taken = [loader, splitter].flatMap((node) =>
    (node?.overridden ?? []).filter((name) => isSetting(catalog.get(node!.name)!.fields[name]!)),
  )
  return Object.fromEntries(
    Object.entries(overrides).filter(([name, value]) => taken.includes(name) && value !== null),
  )
}
