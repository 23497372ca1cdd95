import { conversationSources, storedSourceName } from '../../documents/conversation.ts'
import type { SourceRange } from '../../contract/conversation.ts'
import type { Metadata } from '../../contract/document.ts'
import type { Ledger } from '../../contract/ledger.ts'
import { matches } from '../../vector/matches.ts'
import type { SqlDatabase, SqlSession } from '../sql/session.ts'
import { liveIndex } from './live-index.ts'
import { eachVisible } from './visible-chunks.ts'

/** What of a ledger finds chunks to remove, and sources to bring back. */
export function removalPlans({
  reader,
}: Pick<SqlDatabase, 'reader'>): Pick<Ledger, 'planRemoval' | 'planRestore'> {
  return {
    async planRemoval(
      namespace,
      { source, sources = source === undefined ? [] : [source], filter, conversation, restorableUntil },
    ) {
      const index = await liveIndex(reader, namespace)
      if (!index) return undefined
      const range = conversation && conversationSources(conversation)
      const named = sources.map((name) => storedSourceName(name, conversation))
      const removedChunkIds: number[] = []
      const updated = new Set<string>()
      // The lease of the namespace: nothing else is published there meanwhile.
      const which = named.length === 0 ? { range } : { sources: named }
      const read = { columns: 'metadata' }
      for await (const chunks of eachVisible<{ metadata: string }>(reader, index.id, which, read))
        for (const { id, source: name, metadata } of chunks) {
          if (filter && !matches(filter, JSON.parse(metadata) as Metadata)) continue
          removedChunkIds.push(id)
          updated.add(name)
        }
      if (removedChunkIds.length === 0) return undefined
      const updatedSources = [...updated]
      // A file that lost chunks must be read again at its next upload. The sources name these files only if every file
      // has chunks under its own name; otherwise all files that may be meant are read again.
      const filesAreSources =
        named.length > 0 && filter === undefined && !(await filesHaveOtherSources(reader, index.id))
      return {
        embedder: index.embedder,
        removedChunkIds,
        updatedSources,
        invalidatedFiles: filesAreSources
          ? updatedSources
          : range
            ? await filesWithin(reader, index.id, range)
            : 'all',
        ...(named.length > 0 && !filter ? { restorableUntil } : {}),
      }
    },

    async planRestore(namespace, sources, now, scope) {
      const index = await liveIndex(reader, namespace)
      if (!index) return undefined
      const rows = await reader.all<{ name: string }>(
        `SELECT name FROM sources
         WHERE index_id = ? AND name IN (?) AND removed_run IS NOT NULL AND removed_until > ? ORDER BY name`,
        index.id,
        sources.map((source) => storedSourceName(source, scope)),
        now,
      )
      return rows.length === 0
        ? undefined
        : { embedder: index.embedder, sources: rows.map(({ name }) => name) }
    },
  }
}

/** The names of known files in a range. */
async function filesWithin(
  sql: SqlSession,
  indexId: number,
  { from, before }: SourceRange,
): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    'SELECT name FROM files WHERE index_id = ? AND name >= ? AND name < ? ORDER BY name',
    indexId,
    from,
    before,
  )
  return rows.map(({ name }) => name)
}

/** Whether a file has chunks under another source than its own name. */
const filesHaveOtherSources = async (sql: SqlSession, indexId: number): Promise<boolean> =>
  (await sql.get(
    `SELECT 1 AS found FROM files WHERE index_id = ?1 AND chunks > 0 AND NOT EXISTS
       (SELECT 1 FROM sources WHERE sources.index_id = ?1 AND sources.name = files.name) LIMIT 1`,
    indexId,
  )) !== undefined
