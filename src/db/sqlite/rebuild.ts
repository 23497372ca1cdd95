import { setImmediate } from 'node:timers/promises'
import type { LedgerRebuild } from '../../contract/ledger.ts'
import { type OpenRebuild, storedChunks } from '../ledger/rebuild.ts'
import { VISIBLE } from '../ledger/visible.ts'
import { chunkRange } from './chunk-range.ts'
import type { Database } from './database.ts'
import { passageHashes } from './passage-hashes.ts'

/** How many ids one read spans, of all namespaces: a few milliseconds. */
const IDS_PER_READ = 1000

/** What a rebuild reads of the index whose place it takes. */
export const rebuildReads = (
  { reader, sql }: Database,
  { old, index }: OpenRebuild,
): Pick<LedgerRebuild, 'chunks' | 'text'> => ({
  async *chunks() {
    const { first, last } = chunkRange(reader, old.id)
    for (let after = first; after < last; after += IDS_PER_READ) {
      // The chunks first: ids in between belong to other namespaces and are skipped a few at a time.
      const chunks = await storedChunks(
        sql.reader,
        `FROM chunks CROSS JOIN sources ON sources.id = source_id
         WHERE chunks.id > ? AND chunks.id <= ? AND index_id = ? AND ${VISIBLE} ORDER BY chunks.id`,
        after,
        after + IDS_PER_READ,
        old.id,
      )
      if (chunks.length > 0) yield chunks
      else await setImmediate()
    }
  },

  async text({ passageId, hash }) {
    if (passageHashes(reader, index.id).find(hash) !== undefined) return undefined
    return reader.get<{ content: string }>('SELECT content FROM passages WHERE id = ?', passageId)!.content
  },
})
