import type { FlowRequests } from '../../../server/flow-requests.ts'
import type { Json, JsonObject } from '../../../drawing/flow-file.ts'
import type { RequestKind } from './sample-request.ts'

/** An override that a request may have, as a row of the list. `node` is undefined for one that belongs to no node. */
export type OverrideRow = {
  /** Unique in the flow: `splitter_0.chunkSize`, `vars.city`, `returnSourceDocuments`. */
  key: string
  name: string
  label: string
  type: string
  node: { id: string; name: string; label: string } | undefined
  guard: string | null
  enabled: boolean
  reason: string | null
  /** What a chosen override has at first: the value of the flow. */
  value: Json
}

type PartName = 'upsert' | 'query' | 'prediction'

export const partOf = (kind: RequestKind): PartName =>
  kind === 'query' ? 'query' : kind.startsWith('ask') ? 'prediction' : 'upsert'

/** The overrides that a request of this kind may have, also those that the flow does not allow, in the order of nodes. */
export function overrideRows({ nodes, options, variables }: FlowRequests, kind: RequestKind): OverrideRow[] {
  const part = partOf(kind)
  const ofNodes = nodes
    .filter(({ requests }) => requests.includes(part))
    .flatMap(({ inputs, id, name: kindName, label: nodeLabel }) =>
      inputs
        .filter(({ type }) => type !== 'file')
        .map(
          ({ name, label, type, guard, enabled, reason, value }): OverrideRow => ({
            key: `${id}.${name}`,
            ...{ name, label, type, guard, enabled, reason },
            node: { id, name: kindName, label: nodeLabel },
            value: value ?? '',
          }),
        ),
    )
  const named = new Set(ofNodes.map(({ name }) => name))
  const ofRequest = (part === 'upsert' ? options : [])
    .filter(({ name }) => !named.has(name))
    .map(
      ({ name, enabled, reason }): OverrideRow => ({
        key: name,
        name,
        label: OPTION_LABELS[name] ?? name,
        type: name === 'addMetadata' ? 'json' : 'boolean',
        node: undefined,
        guard: null,
        enabled,
        reason,
        value: name === 'addMetadata' ? { team: 'docs' } : true,
      }),
    )
  const ofVariables = (part === 'upsert' ? [] : variables).map(
    ({ name, enabled, reason }): OverrideRow => ({
      key: `vars.${name}`,
      name,
      label: `Variable ${name}`,
      type: 'string',
      node: undefined,
      guard: null,
      enabled,
      reason,
      value: '',
    }),
  )
  return [...ofNodes, ...ofRequest, ...ofVariables]
}

const OPTION_LABELS: Readonly<Record<string, string>> = {
  returnSourceDocuments: 'Return Source Documents',
  addMetadata: 'Add Metadata',
}

/**
 * The `overrideConfig` with the chosen values. An input that several nodes have gets a value for each chosen node; a value
 * alone would be for all of them.
 *
 * @param chosen values by the key of the row
 */
export function overrideConfigOf(
  rows: readonly OverrideRow[],
  chosen: Readonly<Record<string, Json>>,
): JsonObject {
  const config: JsonObject = {}
  for (const row of rows) {
    if (!row.enabled || !Object.hasOwn(chosen, row.key)) continue
    const value = typed(row, chosen[row.key]!)
    const target = row.key.startsWith('vars.') ? 'vars' : row.name
    if (row.node === undefined && target !== 'vars') config[target] = value
    else if (target === 'vars') config.vars = { ...objectAt(config, 'vars'), [row.name]: value }
    else if (rows.filter(({ name, enabled }) => name === row.name && enabled).length === 1)
      config[target] = value
    else config[target] = { ...objectAt(config, target), [row.node!.id]: value }
  }
  return config
}

const objectAt = (config: JsonObject, key: string): JsonObject => (config[key] ?? {}) as JsonObject

/** A form stores JSON as text. */
function typed({ type }: OverrideRow, value: Json): Json {
  if ((type !== 'json' && type !== 'array') || typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

/** Why an override has no effect, for a person. */
export function reasonText({ reason, guard }: Pick<OverrideRow, 'reason' | 'guard'>): string {
  if (reason === 'overrides_off') return 'This flow allows no overrides'
  if (reason === 'not_by_star')
    return `It is enabled for all nodes together, which does not count for ${GUARDS[guard ?? ''] ?? 'it'}`
  if (reason === 'not_used') return 'Its node takes part in no request'
  if (reason === null) return ''
  return guard === null
    ? 'Not allowed for this node'
    : `Not allowed: ${GUARDS[guard] ?? guard} needs a permission of its own`
}

const GUARDS: Readonly<Record<string, string>> = {
  credential: 'a secret',
  url: 'an address',
  path: 'a path or file',
  table: 'a table',
}
