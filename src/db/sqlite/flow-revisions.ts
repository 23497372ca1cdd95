import { REVISION_LIMITS } from '../../contract/flow-store.ts'
import { fromFlowRow, revisionFromRow } from '../rows/flow.ts'
import type { Connection } from './connection.ts'

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
  return { rows: rows.map(revisionFromRow), total }
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
  return row && { revision: revisionFromRow(row), flow: fromFlowRow(row) }
}
