import type { LedgerRebuild } from '../../contract/ledger.ts'
import { type OpenRebuild, storedChunks } from '../ledger/rebuild.ts'
import { isWhereIndexIs, rowsWhereIndexIs } from '../ledger/rows-of-index.ts'
import { VISIBLE } from '../ledger/visible.ts'
import type { SqlSession } from './session.ts'

/** How many chunks one read brings. */
const CHUNKS_PER_READ = 1000

/** What a rebuild reads of the index whose place it takes. */
export const rebuildReads = (
  reader: SqlSession,
  { old, index }: OpenRebuild,
): Pick<LedgerRebuild, 'chunks' | 'text'> => ({
  async *chunks() {
    for (let after = 0; ; ) {
      const chunks = await storedChunks(
        reader,
        `FROM chunks JOIN sources ON sources.id = source_id
         WHERE ${isWhereIndexIs(reader, old.id, 'chunks')} AND chunks.index_id = ? AND chunks.id > ? AND ${VISIBLE} ORDER BY chunks.id LIMIT ?`,
        old.id,
        after,
        CHUNKS_PER_READ,
      )
      if (chunks.length > 0) yield chunks
      if (chunks.length < CHUNKS_PER_READ) return
      after = chunks.at(-1)!.id
    }
  },

  async text({ passageId, hash }) {
    const row = await reader.get<{ content: string }>(
      `SELECT content FROM ${rowsWhereIndexIs(reader, 'passages', old.id)} WHERE id = ?
         AND NOT EXISTS (SELECT 1 FROM ${rowsWhereIndexIs(reader, 'passages', index.id)} WHERE index_id = ? AND hash = ?)`,
      passageId,
      index.id,
      hash,
    )
    return row?.content
  },
})
