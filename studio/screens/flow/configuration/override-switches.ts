import type { Json, JsonObject } from '../../../drawing/flow-file.ts'

/** A node whose inputs can be allowed. */
export type SwitchedNode = {
  id: string
  label: string
  inputs: readonly { name: string; label: string; type: string; guard: string | null }[]
}

type Row = JsonObject & { name: string; enabled: boolean }
type Input = SwitchedNode['inputs'][number]

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const gateOf = ({ overrideConfig }: JsonObject): JsonObject =>
  isRecord(overrideConfig) ? overrideConfig : {}
const listsOf = (apiConfig: JsonObject): JsonObject => {
  const { nodes } = gateOf(apiConfig)
  return isRecord(nodes) ? nodes : {}
}
const rowsOf = (value: Json | undefined): Row[] =>
  (Array.isArray(value) ? value : []).filter(
    (row): row is Row => isRecord(row) && typeof row.name === 'string',
  )
const isOnIn = (value: Json | undefined, name: string): boolean =>
  rowsOf(value).some((row) => row.name === name && row.enabled === true)

/** Whether requests may override anything at all. */
export const areOverridesOpen = (apiConfig: JsonObject): boolean => gateOf(apiConfig).status === true

/** Files and inputs without a guard are enabled by `*` too: the rule of the server (src/flow/api-config.ts). */
const starCounts = ({ type, guard }: Input): boolean => type === 'file' || guard === null

/** Whether an input is enabled, also while overrides are closed as a whole. */
export function isEnabled(apiConfig: JsonObject, { id, label }: SwitchedNode, input: Input): boolean {
  const lists = listsOf(apiConfig)
  return [label, id, ...(starCounts(input) ? ['*'] : [])].some((key) => isOnIn(lists[key], input.name))
}

const withGate = (apiConfig: JsonObject, gate: JsonObject): JsonObject => ({
  ...apiConfig,
  overrideConfig: { ...gateOf(apiConfig), ...gate },
})

/** Opens or closes overrides as a whole; what is enabled one by one is kept. */
export const setOverridesOpen = (apiConfig: JsonObject, open: boolean): JsonObject =>
  withGate(apiConfig, { status: open })

/**
 * Enables or disables one input of one node. A row under the label of a node counts for all nodes with this label, one
 * under `*` for all nodes: where such a row is disabled, the other nodes keep the input under their ids.
 */
export function setEnabled(
  apiConfig: JsonObject,
  nodes: readonly SwitchedNode[],
  node: SwitchedNode,
  input: Input,
  on: boolean,
): JsonObject {
  const lists: JsonObject = { ...listsOf(apiConfig) }
  const write = (key: string, enabled: boolean) => {
    const rows = rowsOf(lists[key])
    const { name, label, type } = input
    lists[key] = rows.some((row) => row.name === name)
      ? rows.map((row) => (row.name === name ? { ...row, enabled } : row))
      : [...rows, { label, name, type, enabled }]
  }
  const isAlone = nodes.filter(({ label }) => label === node.label).length === 1
  if (on) {
    if (!isEnabled(apiConfig, node, input)) write(isAlone ? node.label : node.id, true)
    return withGate(apiConfig, { status: true, nodes: lists })
  }
  const others = nodes.filter((other) => {
    const same = other.inputs.find(({ name }) => name === input.name)
    return other.id !== node.id && same !== undefined && isEnabled(apiConfig, other, same)
  })
  for (const key of [node.label, node.id, '*']) if (isOnIn(lists[key], input.name)) write(key, false)
  const closed = withGate(apiConfig, { nodes: lists })
  for (const other of others) {
    const same = other.inputs.find(({ name }) => name === input.name)!
    if (!isEnabled(closed, other, same)) write(other.id, true)
  }
  return withGate(apiConfig, { nodes: lists })
}

/** Whether a request may give a variable of the workspace. */
export const isVariableEnabled = (apiConfig: JsonObject, name: string): boolean =>
  isOnIn(gateOf(apiConfig).variables, name)

export function setVariableEnabled(apiConfig: JsonObject, name: string, on: boolean): JsonObject {
  const rows = rowsOf(gateOf(apiConfig).variables)
  const variables = rows.some((row) => row.name === name)
    ? rows.map((row) => (row.name === name ? { ...row, enabled: on } : row))
    : [...rows, { name, enabled: on }]
  return withGate(apiConfig, { variables, ...(on ? { status: true } : {}) })
}

/** Whether an option of requests, which belongs to no node, is enabled: the server accepts a row under any key. */
export const isOptionEnabled = (apiConfig: JsonObject, name: string): boolean =>
  Object.values(listsOf(apiConfig)).some((rows) => isOnIn(rows, name))

export function setOptionEnabled(
  apiConfig: JsonObject,
  option: { name: string; label: string; type: string },
  on: boolean,
): JsonObject {
  const lists = listsOf(apiConfig)
  if (on) {
    const others = rowsOf(lists['*']).filter(({ name }) => name !== option.name)
    return withGate(apiConfig, {
      status: true,
      nodes: { ...lists, '*': [...others, { ...option, enabled: true }] },
    })
  }
  const off = (row: Row): Row => (row.name === option.name ? { ...row, enabled: false } : row)
  const closed = Object.entries(lists).map(([key, rows]) => [key, rowsOf(rows).map(off)])
  return withGate(apiConfig, { nodes: Object.fromEntries(closed) as JsonObject })
}
