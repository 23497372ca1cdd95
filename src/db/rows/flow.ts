import type { FlowRevision, FlowRow } from '../../contract/flow-store.ts'
import { canonicalJson, type JsonObject } from '../../kit/json.ts'
import type { StoredRow } from './stored-row.ts'

/** What lets a slug be that of one flow, besides deleted ones. */
export const BY_SLUG = { index: 'flows_by_slug', columns: 'flows.slug' }

export function fromFlowRow(row: StoredRow): FlowRow {
  return {
    id: row.id as string,
    slug: row.slug as string,
    name: row.name as string,
    type: row.type as string,
    flowData: row.flow_data as string,
    config: JSON.parse(row.config as string) as JsonObject,
    apiKeyId: row.api_key_id as string | null,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
    revision: row.revision as number,
  }
}

/** The names of the fields in which two versions of a flow differ, as the HTTP API calls them. */
export function changesBetween(before: FlowRow, after: FlowRow): string[] {
  const fields = (['name', 'slug', 'type', 'flowData'] as const).filter(
    (name) => before[name] !== after[name],
  )
  const names = new Set([...Object.keys(before.config), ...Object.keys(after.config)])
  const settings = [...names].filter(
    (name) => canonicalJson(before.config[name] ?? null) !== canonicalJson(after.config[name] ?? null),
  )
  return [...fields, ...settings, ...(before.apiKeyId === after.apiKeyId ? [] : ['apikeyid'])]
}

export const revisionFromRow = (row: StoredRow): FlowRevision => ({
  number: row.number as number,
  savedAt: row.saved_at as number,
  savedBy: row.saved_by as string,
  name: row.name as string,
  changes: JSON.parse(row.changes as string) as string[],
})
