import { type FlowStore, REVISION_LIMITS } from '../../contract/flow-store.ts'
import { fromFlowRow, revisionFromRow } from '../rows/flow.ts'
import type { SqlSession } from './session.ts'

/** Stores the current flow as its newest revision, and removes the oldest revisions beyond the limits. */
export async function recordFlowRevision(
  session: SqlSession,
  id: string,
  { by, changes }: { by: string; changes: readonly string[] },
): Promise<void> {
  await session.run(
    `INSERT INTO flow_revisions
       (flow_id, number, saved_at, saved_by, changes, slug, name, type, flow_data, config, api_key_id)
     SELECT id, revision, updated_at, $2, $3, slug, name, type, flow_data, config, api_key_id FROM flows WHERE id = $1`,
    id,
    by,
    JSON.stringify(changes),
  )
  await session.run(
    `DELETE FROM flow_revisions WHERE flow_id = $1 AND number IN (
       SELECT number FROM (
         SELECT number, row_number() OVER newest AS place,
           sum(octet_length(flow_data) + octet_length(config)) OVER newest AS size
         FROM flow_revisions WHERE flow_id = $1 WINDOW newest AS (ORDER BY number DESC)) AS sized
       WHERE place > $2 OR (size > $3 AND place > 1))`,
    id,
    REVISION_LIMITS.count,
    REVISION_LIMITS.bytes,
  )
}

export const postgresRevisions = (reader: SqlSession): Pick<FlowStore, 'revisions' | 'revision'> => ({
  async revisions(id, { offset, limit }) {
    const rows = await reader.all(
      `SELECT number, saved_at, saved_by, name, changes FROM flow_revisions
       WHERE flow_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3`,
      id,
      limit,
      offset,
    )
    const { total } = (await reader.get<{ total: number }>(
      'SELECT count(*) AS total FROM flow_revisions WHERE flow_id = $1',
      id,
    ))!
    return { rows: rows.map(revisionFromRow), total }
  },
  async revision(id, number) {
    const row = await reader.get(
      `SELECT saved_by, changes, number, saved_at, number AS revision, saved_at AS updated_at, flow_id AS id,
         slug, name, type, flow_data, config, api_key_id,
         (SELECT created_at FROM flows WHERE flows.id = flow_id) AS created_at
       FROM flow_revisions WHERE flow_id = $1 AND number = $2`,
      id,
      number,
    )
    return row && { revision: revisionFromRow(row), flow: fromFlowRow(row) }
  },
})
