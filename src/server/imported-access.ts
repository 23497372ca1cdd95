import type { ApiKeyRow, KeyScope } from '../contract/api-key-store.ts'
import { isExpired } from '../callers/expiry.ts'
import { type FlowRow, NO_KEY_YET } from '../contract/flow-store.ts'
import { describeRequests } from '../flow/describe-requests.ts'
import type { ExportedKey } from '../flow/import/exported-key.ts'
import type { Imported } from '../flow/import/import.ts'
import { namedRow } from '../flow/settings/named-row.ts'
import type { Platform } from './platform.ts'
import { flowSource } from '../flow/find-flow.ts'

/** Who may call an imported flow. `notes`: sentences about the key, for a person. */
export type ImportedAccess = {
  state: 'open' | 'key' | 'closed'
  key: { id: string; name: string } | null
  notes: string[]
}

/**
 * The key that an import binds to its flows; undefined if it names none.
 *
 * @param named name or id
 * @throws SluiceError `key_not_found`, `setting_invalid` where several keys have the name
 */
export async function keyForImport(
  { keys }: Platform,
  named: string | undefined,
): Promise<ApiKeyRow | undefined> {
  return named === undefined ? undefined : namedRow('key', named, await keys.list(), 'key_not_found')
}

/**
 * The `apiKeyId` of an imported flow. A key that only the file names is never bound, even if this server has it: whoever
 * wrote the file need not own that key.
 */
export const importedKeyId = (exported: ExportedKey, bound: ApiKeyRow | undefined): string | null =>
  bound?.id ?? (exported.needed ? NO_KEY_YET : null)

/** @param imported the ids of all flows of this import */
export async function reportAccess(
  platform: Platform,
  flow: FlowRow,
  {
    one: { key: exported, damaged },
    bound,
    imported,
  }: { one: Imported; bound: ApiKeyRow | undefined; imported: ReadonlySet<string> },
): Promise<ImportedAccess> {
  const lost = damaged.map(
    (name) => `The setting ${name} of the file cannot be read: it was left out, with the limits in it.`,
  )
  if (bound) {
    const notes = [
      ...lost,
      ...expiryNote(bound),
      ...scopeNote(platform, flow, bound),
      ...(await otherFlowsNote(platform, bound, imported)),
    ]
    return { state: 'key', key: { id: bound.id, name: bound.name }, notes }
  }
  if (!exported.needed) return { state: 'open', key: null, notes: lost }
  const named = exported.id === undefined ? undefined : await platform.keys.find(exported.id)
  return {
    state: 'closed',
    key: null,
    notes: [...lost, ...(named ? [notBound(named.name)] : [])],
  }
}

const notBound = (name: string) =>
  `The file names the key ${name} of this server. It was not bound: whoever wrote the file need not own it.`

const expiryNote = (key: ApiKeyRow): string[] =>
  isExpired(key, Date.now())
    ? [`The key ${key.name} expired on ${new Date(key.expiresAt!).toISOString()}.`]
    : []

/** Names what the flow can do and its key may not. */
function scopeNote(platform: Platform, flow: FlowRow, { name, scopes }: ApiKeyRow): string[] {
  if (scopes.includes('manage')) return []
  const { upsert, query, prediction } = describeRequests(platform, flowSource(flow), [])
  const able: [KeyScope, boolean][] = [
    ['upsert', upsert.files.possible || upsert.json.possible],
    ['query', query.possible],
    ['predict', prediction.possible],
  ]
  const missing = able.filter(([scope, can]) => can && !scopes.includes(scope)).map(([scope]) => scope)
  return missing.length > 0
    ? [
        `The key ${name} has only the scope ${scopes.join(', ')}: calls that need ${missing.join(' or ')} are refused.`,
      ]
    : []
}

async function otherFlowsNote(
  { keys, flows }: Platform,
  { id, name }: ApiKeyRow,
  imported: ReadonlySet<string>,
): Promise<string[]> {
  const listed = (await keys.find(id))?.flows ?? []
  const opened = [
    ...(await flows.boundTo(id)),
    ...(await Promise.all(listed.map((flow) => flows.find(flow)))).filter((flow) => flow !== undefined),
  ]
  const others = new Set(opened.filter((flow) => !imported.has(flow.id)).map(({ slug }) => slug))
  return others.size > 0
    ? [
        `The key ${name} also opens ${[...others].join(', ')}: whoever has it for these can now call this flow.`,
      ]
    : []
}
