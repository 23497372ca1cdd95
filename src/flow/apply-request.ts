import type { NodeServices, PartKind, PartKinds } from '../contract/card.ts'
import type { Field } from '../contract/field.ts'
import { flagField, isEmptyInput } from '../cards/field.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { canonicalJson, isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { lenientJson } from '../kit/lenient-json.ts'
import { suggest } from '../kit/suggest.ts'
import { type OverrideGate, readOverrideGate } from './api-config.ts'
import { assemble, type AssembleOptions } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import type { FlowGraph, FlowNode } from './graph.ts'
import { typedAddresses } from './typed-addresses.ts'
import { plainText } from './rich-text.ts'

/** The columns of a flow's row that planning needs. `slug`: for log lines. */
export type FlowSource = { id: string; slug?: string; flowData: string; apiConfig: unknown }

/** What every planner needs besides the flow and the request. */
export type PlanContext = { catalog: Catalog; nodeServices: NodeServices }

export type FlowRequest = {
  /** The `overrideConfig` of the request. */
  overrides: JsonObject
  /** Values of the workspace's variables. Without them `overrideConfig.vars` is an override without effect. */
  variables?: Readonly<Record<string, string>>
}

/** An override without effect, and the reason. */
export type Warning = { key: string; reason: string }

/** The options of a request that belong to no node. */
export type RequestOptions = {
  strict: boolean
  dryRun: boolean
  confirmFullCleanup: boolean
  returnSourceDocuments: boolean
  addMetadata: JsonObject
}

/** The inputs of nodes that a request has set, by the id of the node. */
export type OverriddenInputs = ReadonlyMap<string, ReadonlySet<string>>

type Overridden = {
  /** The nodes with the values of the request. */
  nodes: ReadonlyMap<string, FlowNode>
  options: RequestOptions
  /** The keys that took effect. */
  applied: ReadonlySet<string>
  /** The inputs that were set, by node. */
  overridden: OverriddenInputs
  warnings: Warning[]
}

/** Kinds of parts that are built only for an upsert. */
const LOADING: readonly PartKind[] = ['loader', 'splitter']

/** A request applied to a flow. No part is built yet. */
export type AppliedRequest = Omit<Overridden, 'applied'> & {
  gate: OverrideGate
  /** The values of the workspace's variables, replaced by those of the request that the gate allows. */
  variables: Readonly<Record<string, string>>
  /**
   * Builds one of the nodes and what plugs into it.
   *
   * @param changes `nodes` instead of those of the request; `loading` also builds loaders and splitters; `built` is
   *   called with each part and its node
   * @throws SluiceError as `assemble` does
   */
  build<K extends PartKind>(
    kind: K,
    nodeId: string,
    changes?: { nodes?: ReadonlyMap<string, FlowNode>; loading?: boolean } & Pick<AssembleOptions, 'built'>,
  ): PartKinds[K]
}

/**
 * Applies the overrides and variables of a request to the nodes that take part in it, as far as the flow allows them.
 *
 * @throws SluiceError `override_invalid`
 */
export function applyRequest(
  { catalog, nodeServices }: PlanContext,
  flow: FlowSource,
  graph: FlowGraph,
  participants: readonly FlowNode[],
  { overrides, variables }: FlowRequest,
): AppliedRequest {
  const gate = readOverrideGate(flow.apiConfig)
  const given = variables ? overrideVariables(overrides, gate) : { values: {}, warnings: [], rest: overrides }
  const { applied, ...overridden } = applyOverrides(graph, participants, catalog, gate, given.rest)
  const context = { ...nodeServices, flowId: flow.id, typedAddresses: typedAddresses(graph, catalog) }
  return {
    ...overridden,
    gate,
    variables: { ...variables, ...given.values },
    warnings: [...given.warnings, ...overridden.warnings],
    build: (kind, nodeId, changes = {}) =>
      assemble(kind, nodeId, changes.nodes ?? overridden.nodes, catalog, context, {
        overridden: applied,
        ...(changes.loading ? {} : { without: LOADING }),
        ...(changes.built ? { built: changes.built } : {}),
      }),
  }
}

/** Options of a request are read in the same way as the flags of a node. */
const REQUEST_FLAG = flagField('Request option', false)

const REQUEST_OPTIONS = ['strict', 'dryRun', 'confirmFullCleanup'] as const

/**
 * Applies the overrides of a request to the nodes that take part in it. The gate must allow each input, whatever the shape
 * of its value. Every override without effect becomes a warning.
 *
 * @throws SluiceError `override_invalid` for an invalid value of an allowed input
 */
export function applyOverrides(
  graph: FlowGraph,
  taking: readonly FlowNode[],
  catalog: Catalog,
  gate: OverrideGate,
  overrides: JsonObject,
): Overridden {
  const nodes = new Map(taking.map((node) => [node.id, node]))
  const applied = new Set<string>()
  const inputs = new Map<string, Set<string>>()
  const warnings: Warning[] = []
  const options: RequestOptions = {
    strict: false,
    dryRun: false,
    confirmFullCleanup: false,
    returnSourceDocuments: false,
    addMetadata: {},
  }

  for (const [key, value] of Object.entries(overrides)) {
    if (value === null) continue
    if (isRequestOption(key)) {
      options[key] = readFlag(key, value)
    } else if (isOwnOption(key) && !taking.some((node) => fieldOf(catalog, node, key))) {
      if (!gate.allowsAnywhere(key)) warnings.push({ key, reason: closedReason(gate) })
      else if (key === 'addMetadata') options.addMetadata = readObject(key, value)
      else options.returnSourceDocuments = readFlag(key, value)
    } else {
      const reason = overrideInput(key, value)
      if (reason === undefined) applied.add(key)
      else warnings.push({ key, reason })
    }
  }
  return { nodes, options, applied, overridden: inputs, warnings }

  /** Sets the input of every allowed node that has it. Returns the reason if nothing was set. */
  function overrideInput(key: string, value: Json): string | undefined {
    const having = taking.filter((node) => fieldOf(catalog, node, key))
    if (having.length === 0) {
      if (taking.some((node) => Object.hasOwn(catalog.get(node.name)?.anchors ?? {}, key)))
        return 'it is a connection between nodes, not an input'
      const meant = suggest(key, overridableNames(taking, catalog))
      return `no node of this flow has such an input${meant ? `; did you mean ${meant}?` : ''}`
    }
    const perNode = perNodeValues(graph, value)
    let set = false
    let addressed = false
    for (const node of having) {
      const own = perNode ? perNode[node.id] : value
      if (own === undefined || own === null) continue
      addressed = true
      const field = fieldOf(catalog, node, key)!
      if (
        !gate.allows(
          node,
          field.type === 'file' ? 'files' : key,
          field.guard !== undefined && field.type !== 'file',
        )
      )
        continue
      nodes.set(node.id, {
        ...nodes.get(node.id)!,
        inputs: { ...nodes.get(node.id)!.inputs, [key]: checked(key, field, node.inputs[key], own) },
      })
      inputs.set(node.id, (inputs.get(node.id) ?? new Set()).add(key))
      set = true
    }
    if (set) return undefined
    return addressed ? closedReason(gate) : 'none of the nodes it names has such an input'
  }
}

const closedReason = (gate: OverrideGate) =>
  gate.open ? 'this flow does not allow overriding it' : 'this flow does not allow any overrides'

/** Options that belong to no node of an upsert. If a node has an input of the name, such as a chain, the input is set. */
const OWN_OPTIONS = ['returnSourceDocuments', 'addMetadata'] as const
const isOwnOption = (key: string): key is (typeof OWN_OPTIONS)[number] =>
  (OWN_OPTIONS as readonly string[]).includes(key)

const isRequestOption = (key: string): key is (typeof REQUEST_OPTIONS)[number] =>
  (REQUEST_OPTIONS as readonly string[]).includes(key)

/** All names that an override of these nodes may have. */
const overridableNames = (taking: readonly FlowNode[], catalog: Catalog): Set<string> =>
  new Set([
    ...taking.flatMap((node) => Object.keys(catalog.get(node.name)?.fields ?? {})),
    ...REQUEST_OPTIONS,
    ...OWN_OPTIONS,
  ])

const fieldOf = (catalog: Catalog, node: FlowNode, key: string): Field<unknown> | undefined => {
  const fields = catalog.get(node.name)?.fields
  return fields && Object.hasOwn(fields, key) ? fields[key] : undefined
}

/** `{"splitter_0": 500}`: an object whose keys are nodes of the flow gives each node a value of its own. */
function perNodeValues(graph: FlowGraph, value: Json): JsonObject | undefined {
  return isObject(value) && Object.keys(value).some((key) => graph.nodes.has(key))
    ? (value as JsonObject)
    : undefined
}

function checked(key: string, field: Field<unknown>, before: unknown, value: Json): unknown {
  try {
    // An empty text is a value only for an input of type text.
    const read = value === '' && field.type === 'string' ? '' : field.read(value)
    if (field.type === 'array' && typeof value !== 'string')
      return extended(isEmptyInput(before) ? [] : field.read(before), read)
    if (field.type !== 'json') return read
    const drawn = (isEmptyInput(before) ? {} : field.read(before)) as JsonObject
    return field.merge ? field.merge(drawn, read as JsonObject) : { ...drawn, ...(read as JsonObject) }
  } catch (error) {
    throw new SluiceError('override_invalid', { key, reason: reasonOf(error) }, { cause: error })
  }
}

/** The rows of the flow, then those of the request, as Flowise joins them. Equal rows appear once. */
function extended(rows: unknown, more: unknown): unknown[] {
  const seen = new Set<string>()
  return [...(rows as Json[]), ...(more as Json[])].filter((row) => {
    const key = canonicalJson(row)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function readFlag(key: string, value: Json): boolean {
  try {
    return REQUEST_FLAG.read(value)
  } catch (error) {
    throw new SluiceError('override_invalid', { key, reason: reasonOf(error) }, { cause: error })
  }
}

function readObject(key: string, value: Json): JsonObject {
  const read = typeof value === 'string' ? parseJson(value) : value
  if (isObject(read)) return read as JsonObject
  throw new SluiceError('override_invalid', { key, reason: 'expected a JSON object' })
}

/**
 * Reads the variables of a request, `overrideConfig.vars`. The gate must allow each by its name.
 *
 * @returns the allowed values, and the remaining overrides
 */
export function overrideVariables(overrides: JsonObject, gate: OverrideGate) {
  const { vars, ...rest } = overrides
  const given = typeof vars === 'string' ? parseJson(vars) : vars
  const values: Record<string, string> = {}
  const warnings: Warning[] = []
  for (const [name, value] of Object.entries(isObject(given) ? given : {})) {
    if (gate.allowsVariable(name)) values[name] = typeof value === 'string' ? value : JSON.stringify(value)
    else warnings.push({ key: `vars.${name}`, reason: 'this flow does not allow overriding this variable' })
  }
  for (const [key, value] of Object.entries(rest)) {
    // Overrides that the flow does not allow have no effect anyway.
    if (!gate.allowsAnywhere(key) || !namesVariable(value)) continue
    warnings.push({ key, reason: 'a request cannot read the variables of the workspace' })
    delete rest[key]
  }
  return { values, warnings, rest }
}

/**
 * Whether a text has a variable of the workspace. Only the drawing may place variables, since they may hold secrets. Texts
 * are also read as JSON, which may escape the name, and as rich text, as they are before they are filled.
 */
function namesVariable(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(namesVariable)
  if (typeof value !== 'string') return false
  const read = lenientJson(value)
  return (
    [value, plainText(value)].some((text) => VARIABLE.test(text)) || (read !== value && namesVariable(read))
  )
}

const VARIABLE = /\{\{\s*\$vars\b/
