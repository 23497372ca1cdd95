import { conversationSources, originalSourceName, storedSourceName } from '../../documents/conversation.ts'
import type { Metadata } from '../../contract/document.ts'
import { chunkIdOf } from '../../documents/chunk-id.ts'
import type { Ledger, ListedChunk } from '../../contract/ledger.ts'
import { textOfPassage } from '../../documents/passage.ts'
import type { KeptOriginal } from '../../contract/source-load.ts'
import type { SqlDatabase } from '../sql/session.ts'
import { rangeOf } from '../text-range.ts'
import { countListed, listChunks, type ListedRow } from './chunk-list.ts'
import { placeOfChunk, placeOfPosition } from './chunk-place.ts'
import { searchChunks } from './chunk-search.ts'
import { liveIndex } from './live-index.ts'
import { countLoaded, listLoaded, readLoadSettings } from './loaded-sources.ts'
import { namedChunks, stateOf } from './named-chunks.ts'
import { countSources, listSources } from './source-list.ts'
import { textOfSource } from './source-text.ts'
import { traceSource } from './source-trace.ts'

type ListedReads = Pick<
  Ledger,
  | 'sources'
  | 'chunks'
  | 'chunk'
  | 'named'
  | 'state'
  | 'text'
  | 'trace'
  | 'original'
  | 'loadSettings'
  | 'countLoaded'
  | 'loadedWith'
>

/** What a ledger lists: sources and their chunks, texts and files. */
export function listedReads({ reader, snapshot }: Pick<SqlDatabase, 'reader' | 'snapshot'>): ListedReads {
  return {
    async sources(namespace, { conversation, ...page }) {
      const index = await liveIndex(reader, namespace)
      if (!index) return { rows: [], total: 0 }
      const listed = { ...page, range: conversation && conversationSources(conversation) }
      return snapshot(async (sql) => ({
        rows: (await listSources(sql, index.id, listed)).map((row) => ({
          ...row,
          source: originalSourceName(row.source),
        })),
        total: await countSources(sql, index.id, listed),
      }))
    },

    async chunks(namespace, { source, version, conversation, search, around, at, limit, settings, ...page }) {
      const index = await liveIndex(reader, namespace)
      if (!index) return { rows: [], total: 0, offset: 0 }
      const range = conversation && conversationSources(conversation)
      const one =
        source === undefined ? undefined : { source: storedSourceName(source, conversation), version }
      const place =
        one && around !== undefined
          ? await placeOfChunk(reader, index.id, one, around)
          : one && at !== undefined
            ? await placeOfPosition(reader, index.id, one, at)
            : undefined
      const offset = place === undefined ? page.offset : place - (place % limit)
      const listed = { ...(one ?? { range, settings }), offset, limit }
      const { rows, total } =
        search === undefined
          ? await snapshot(async (sql) => ({
              rows: await listChunks(sql, index.id, listed),
              total: await countListed(sql, index.id, listed),
            }))
          : await searchChunks(reader, index.id, { ...listed, search })
      return { rows: rows.map(listedChunk), total, offset }
    },

    async chunk(namespace, { source, chunk, conversation }) {
      const index = await liveIndex(reader, namespace)
      if (!index) return undefined
      const one = { source: storedSourceName(source, conversation) }
      const offset = await placeOfChunk(reader, index.id, one, chunk)
      const [row] =
        offset === undefined ? [] : await listChunks(reader, index.id, { ...one, offset, limit: 1 })
      if (!row || chunkIdOf(row) !== chunk) return undefined
      const { hash, content, metadata, metadataHash } = row
      return { source: row.source, hash, passage: content, metadata, metadataHash, range: rangeOf(row) }
    },

    named: (namespace, what) => namedChunks({ reader, snapshot }, namespace, what),
    state: (namespace) => stateOf(reader, namespace),

    async text(namespace, { source, conversation, ...part }) {
      const index = await liveIndex(reader, namespace)
      if (!index) return undefined
      return snapshot((sql) => textOfSource(sql, index.id, storedSourceName(source, conversation), part))
    },

    async trace(namespace, { source, conversation }) {
      const index = await liveIndex(reader, namespace)
      if (!index) return undefined
      return traceSource(reader, {
        namespace,
        indexId: index.id,
        source: storedSourceName(source, conversation),
      })
    },

    async original(namespace, { source, conversation }) {
      const index = await liveIndex(reader, namespace)
      if (!index) return undefined
      const row = await reader.get<KeptOriginal>(
        `SELECT original AS id, original_type AS type FROM sources
         WHERE index_id = ? AND name = ? AND chunks > 0 AND original IS NOT NULL`,
        index.id,
        storedSourceName(source, conversation),
      )
      return row && { id: row.id, type: row.type }
    },

    async loadSettings(namespace) {
      const index = await liveIndex(reader, namespace)
      return index ? readLoadSettings(reader, index.id) : []
    },

    async countLoaded(namespace, which) {
      const index = await liveIndex(reader, namespace)
      return index ? countLoaded(reader, index.id, which) : NOTHING
    },

    async loadedWith(namespace, page) {
      const index = await liveIndex(reader, namespace)
      return index ? listLoaded(reader, index.id, page) : []
    },
  }
}

const NOTHING = { sources: 0, originals: 0, chunks: 0, characters: 0 }

const listedChunk = (chunk: ListedRow): ListedChunk => ({
  id: chunkIdOf(chunk),
  source: originalSourceName(chunk.source),
  pageContent: textOfPassage(chunk.content),
  metadata: JSON.parse(chunk.metadata) as Metadata,
  range: rangeOf(chunk),
  outdatedAt: chunk.outdatedAt ?? undefined,
})
