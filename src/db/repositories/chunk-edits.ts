import type { ChunkEdit, ChunkEditChanges, ChunkEditStore } from '../../contract/chunk-edit-store.ts'
import type { TextGap } from '../../contract/source-trace.ts'
import { withGap } from '../../text/trace/gap-finder.ts'
import { gapsColumn, gapsOf } from '../rows/dropped.ts'
import type { SqlDatabase, SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'
import { insertEach } from '../sql/statements.ts'

const COLUMNS =
  'id, source, flow_id, hash, ordinal, original, content, metadata, result_hash, edited_at, aside_at'

export const removeChunkEdit: SqlWrite<{ namespace: string; id: string }, number> = {
  name: 'removeChunkEdit',
  isOneStatement: true,
  run: (session, { namespace, id }) =>
    session.run('DELETE FROM chunk_edits WHERE namespace = ? AND id = ?', namespace, id),
}

/** The edits of chunks. */
export function chunkEditStore({ reader, write }: SqlDatabase): ChunkEditStore {
  return {
    async list(namespace) {
      const rows = await reader.all(
        `SELECT ${COLUMNS} FROM chunk_edits WHERE namespace = ? ORDER BY edited_at, id`,
        namespace,
      )
      return rows.map(chunkEditFromRow)
    },
    remove: async (namespace, id) => (await write(removeChunkEdit, { namespace, id })) > 0,
  }
}

/** Stores what a publication changes of the edits, within its transaction. */
export async function noteChunkEdits(
  sql: SqlSession,
  { indexId, edits, now }: { indexId: number; edits?: ChunkEditChanges | undefined; now: number },
): Promise<void> {
  if (!edits) return
  const index = await sql.get<{ namespace: string }>('SELECT namespace FROM indexes WHERE id = ?', indexId)
  const { namespace } = index!
  const rows = edits.put.map((edit) => ({
    ...{ namespace, id: edit.id, source: edit.source, flow_id: edit.flowId, hash: edit.hash },
    ...{ ordinal: edit.ordinal, original: edit.original, content: edit.content, metadata: edit.metadata },
    ...{ result_hash: edit.resultHash, edited_at: edit.editedAt, aside_at: edit.asideAt },
  }))
  await insertEach(
    sql,
    'chunk_edits',
    rows,
    `ON CONFLICT (namespace, id) DO UPDATE SET content = excluded.content, metadata = excluded.metadata,
       result_hash = excluded.result_hash, edited_at = excluded.edited_at, aside_at = excluded.aside_at`,
  )
  if (edits.gap) await noteGap(sql, indexId, edits.put[0]!.source, edits.gap)
  for (const id of edits.aside)
    await sql.run(
      'UPDATE chunk_edits SET aside_at = ? WHERE namespace = ? AND id = ? AND aside_at IS NULL',
      now,
      namespace,
      id,
    )
  for (const id of edits.met)
    await sql.run('UPDATE chunk_edits SET aside_at = NULL WHERE namespace = ? AND id = ?', namespace, id)
}

/** Adds words to those of a source that are in no chunk, where these are known. */
async function noteGap(sql: SqlSession, indexId: number, source: string, gap: TextGap): Promise<void> {
  const found = await sql.get<{ id: number; gaps: string | null }>(
    `SELECT id, gaps FROM sources WHERE index_id = ? AND name = ? ${sql.dialect.forUpdate}`,
    indexId,
    source,
  )
  const known = gapsOf(found?.gaps ?? null)
  if (!known || known.unplaced) return
  await sql.run('UPDATE sources SET gaps = ? WHERE id = ?', gapsColumn(withGap(known, gap)), found!.id)
}

const chunkEditFromRow = (row: SqlRow): ChunkEdit => ({
  id: row.id as string,
  source: row.source as string,
  flowId: row.flow_id as string,
  hash: row.hash as string,
  ordinal: Number(row.ordinal),
  original: row.original as string,
  content: row.content as string | null,
  metadata: row.metadata as string | null,
  resultHash: row.result_hash as string | null,
  editedAt: Number(row.edited_at),
  asideAt: row.aside_at === null ? null : Number(row.aside_at),
})
