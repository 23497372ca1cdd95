import { type FlowRevision, type FlowRow, REVISION_LIMITS } from '../../contract/flow-store.ts'
import { canonicalJson, type JsonObject } from '../../kit/json.ts'
import type { Connection, Row } from './connection.ts'

export function fromFlowRow(row: Row): FlowRow {
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

/** Stores the current flow as its newest revision, and removes the oldest revisions beyond the limits. */
export function recordRevision(
  connection: Connection,
  id: string,
  { by, changes }: { by: string; changes: readonly string[] },
): void {
  connection.run(
    `INSERT INTO flow_revisions
       (flow_id, number, saved_at, saved_by, changes, slug, name, type, flow_data, config, checksum, api_key_id)
     SELECT id, revision, updated_at, ?, ?, slug, name, type, flow_data, config, checksum, api_key_id
     FROM flows WHERE id = ?`,
    by,
    JSON.stringify(changes),
    id,
  )
  connection.run(
    `DELETE FROM flow_revisions WHERE flow_id = ?1 AND number IN (
       SELECT number FROM (
         SELECT number, row_number() OVER newest AS place,
           sum(octet_length(flow_data) + octet_length(config)) OVER newest AS size
         FROM flow_revisions WHERE flow_id = ?1 WINDOW newest AS (ORDER BY number DESC))
       WHERE place > ?2 OR (size > ?3 AND place > 1))`,
    id,
    REVISION_LIMITS.count,
    REVISION_LIMITS.bytes,
  )
}

const LISTED = 'number, saved_at, saved_by, name, changes'

const revisionOf = (row: Row): FlowRevision => ({
  number: row.number as number,
  savedAt: row.saved_at as number,
  savedBy: row.saved_by as string,
  name: row.name as string,
  changes: JSON.parse(row.changes as string) as string[],
})

export function listRevisions(
  reader: Connection,
  id: string,
  { offset, limit }: { offset: number; limit: number },
) {
  const rows = reader.all(
    `SELECT ${LISTED} FROM flow_revisions WHERE flow_id = ? ORDER BY number DESC LIMIT ? OFFSET ?`,
    id,
    limit,
    offset,
  )
  const { total } = reader.get<{ total: number }>(
    'SELECT count(*) AS total FROM flow_revisions WHERE flow_id = ?',
    id,
  )!
  return { rows: rows.map(revisionOf), total }
}

export function readRevision(reader: Connection, id: string, number: number) {
  const row = reader.get(
    `SELECT saved_by, changes, number, saved_at, number AS revision, saved_at AS updated_at, flow_id AS id,
       slug, name, type, flow_data, config, api_key_id,
       (SELECT created_at FROM flows WHERE flows.id = flow_id) AS created_at
     FROM flow_revisions WHERE flow_id = ? AND number = ?`,
    id,
    number,
  )
  return row && { revision: revisionOf(row), flow: fromFlowRow(row) }
}
