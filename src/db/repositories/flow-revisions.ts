import { type FlowStore, REVISION_LIMITS } from '../../contract/flow-store.ts'
import { fromFlowRow, revisionFromRow } from '../rows/flow.ts'
import type { SqlSession } from '../sql/session.ts'
import { countRows } from '../sql/statements.ts'

/**
 * Stores the current flow as its newest revision, and removes the oldest revisions beyond the limits. That of which a draft was made
 * stays: a merge needs it.
 */
export async function recordRevision(
  session: SqlSession,
  id: string,
  { by, changes }: { by: string; changes: readonly string[] },
): Promise<void> {
  const checksum = session.dialect.hasChecksums ? ', checksum' : ''
  await session.run(
    `INSERT INTO flow_revisions
       (flow_id, number, saved_at, saved_by, changes, slug, name, type, flow_data, config, api_key_id${checksum})
     SELECT id, revision, updated_at, CAST(? AS text), CAST(? AS text), slug, name, type, flow_data, config, api_key_id${checksum}
     FROM flows WHERE id = ?`,
    by,
    JSON.stringify(changes),
    id,
  )
  await session.run(
    `DELETE FROM flow_revisions WHERE flow_id = ?1 AND number IN (
       SELECT number FROM (
         SELECT number, row_number() OVER newest AS place,
           sum(octet_length(flow_data) + octet_length(config)) OVER newest AS size
         FROM flow_revisions WHERE flow_id = ?1 WINDOW newest AS (ORDER BY number DESC)) AS sized
       WHERE place > ?2 OR (size > ?3 AND place > 1))
     AND number NOT IN (SELECT base FROM flow_drafts WHERE flow_id = ?1 AND flow_data <> '')`,
    id,
    REVISION_LIMITS.count,
    REVISION_LIMITS.bytes,
  )
}

export const storedRevisions = (reader: SqlSession): Pick<FlowStore, 'revisions' | 'revision'> => ({
  async revisions(id, { offset, limit }) {
    const rows = await reader.all(
      `SELECT number, saved_at, saved_by, name, changes FROM flow_revisions
       WHERE flow_id = ? ORDER BY number DESC LIMIT ? OFFSET ?`,
      id,
      limit,
      offset,
    )
    const total = await countRows(reader, 'flow_revisions', 'flow_id = ?', [id])
    return { rows: rows.map(revisionFromRow), total }
  },
  async revision(id, number) {
    const row = await reader.get(
      `SELECT saved_by, changes, number, saved_at, number AS revision, saved_at AS updated_at, flow_id AS id,
         slug, name, type, flow_data, config, api_key_id,
         (SELECT created_at FROM flows WHERE flows.id = flow_id) AS created_at
       FROM flow_revisions WHERE flow_id = ? AND number = ?`,
      id,
      number,
    )
    return row && { revision: revisionFromRow(row), flow: fromFlowRow(row) }
  },
})
