import {
  ALL_CONVERSATIONS,
  chatIdOf,
  fencedSourceName,
  originalSourceName,
  storedSourceName,
} from '../../documents/conversation.ts'
import { chunkIdOf } from '../../documents/chunk-id.ts'
import type { Metadata } from '../../contract/document.ts'
import {
  type Expected,
  MOST_NAMED,
  MOST_NAMED_IDS,
  type NamedChunk,
  type NamedChunks,
  type NamedRequest,
} from '../../contract/expected.ts'
import { shownPassage } from '../../documents/passage.ts'
import { floats } from '../floats.ts'
import type { SqlDatabase, SqlSession } from '../sql/session.ts'
import { POSITION } from './chunk-list.ts'
import { liveIndex } from './live-index.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { isOfIndex, VISIBLE } from './visible.ts'
import { eachVisible } from './visible-chunks.ts'

/** How many sources of one name are read: the same file can be in many conversations. */
const MOST_SOURCES = 1000
const SOURCES_PER_READ = 100

type ReadRow = {
  source: string
  hash: string
  metadataHash: string
  content: string
  metadata: string
  vector: Uint8Array | null
}

/** The state of what readers see of a namespace: its index and the last run that was published in it. */
export async function stateOf(sql: SqlSession, namespace: string): Promise<string> {
  const index = await liveIndex(sql, namespace)
  if (!index) return ''
  const last = await sql.get<{ seq: number | null }>(
    `SELECT max(seq) AS seq FROM runs WHERE index_id = ? AND state = 'published'`,
    index.id,
  )
  return `${index.id} ${last?.seq ?? 0}`
}

/** The visible chunks under a name, all of one moment. */
export async function namedChunks(
  { reader, snapshot }: Pick<SqlDatabase, 'reader' | 'snapshot'>,
  namespace: string,
  request: NamedRequest,
): Promise<NamedChunks> {
  const index = await liveIndex(reader, namespace)
  if (!index) return { state: '', ids: [], chunks: [] }
  const rowId =
    'chunk' in request.expected ? await rowOf(reader, index.id, request.expected.chunk) : undefined
  return snapshot(async (sql) => {
    const state = await stateOf(sql, namespace)
    const rowIds =
      'source' in request.expected
        ? await rowsOfSource(sql, index.id, request.expected, request)
        : rowId === undefined
          ? []
          : [rowId]
    const read = await readChunks(sql, index.id, rowIds.slice(0, MOST_NAMED), request)
    const told = read.filter((chunk) => mayBeTold(chunk, request))
    const rest =
      rowIds.length > MOST_NAMED ? await idsOf(sql, index.id, rowIds.slice(MOST_NAMED), request) : []
    return { state, ids: [...told.map(({ id }) => id), ...rest], chunks: told }
  })
}

const mayBeTold = (
  { metadata }: Pick<NamedChunk, 'metadata'>,
  { chatId, otherConversations }: NamedRequest,
): boolean => {
  const own = chatIdOf(metadata)
  return otherConversations === true || own === undefined || own === chatId
}

/** The rows of the chunks of all sources with a name, those of no conversation and of the asking one first. */
async function rowsOfSource(
  sql: SqlSession,
  indexId: number,
  { source }: Extract<Expected, { source: string }>,
  { chatId, fence }: NamedRequest,
): Promise<number[]> {
  const plain = storedSourceName(source, undefined)
  const exact = fence === undefined ? [plain] : [plain, fencedSourceName(plain, fence)]
  const found = await sql.all<{ id: number; name: string }>(
    `SELECT id, name FROM sources WHERE index_id = ? AND chunks > 0
       AND (name IN (?) OR (name >= ? AND name < ? AND name LIKE ? ESCAPE '!'))
     ORDER BY CASE WHEN name IN (?) THEN 0 ELSE 1 END, name LIMIT ${MOST_SOURCES}`,
    indexId,
    exact,
    ALL_CONVERSATIONS.from,
    ALL_CONVERSATIONS.before,
    `%${source.replace(/[!%_]/g, '!$&')}`,
    exact,
  )
  const own = chatId === undefined ? undefined : JSON.stringify(chatId)
  const isFirst = (name: string) => exact.includes(name) || (own !== undefined && name.includes(own))
  const [first = [], others = []] = [true, false].map((wanted) =>
    found.filter(
      ({ name }) => (name === plain || originalSourceName(name) === source) && isFirst(name) === wanted,
    ),
  )
  const rows: number[] = []
  for (const batch of [first, ...batchesOf(others)]) {
    if (batch.length === 0 || rows.length >= MOST_NAMED_IDS) continue
    const ids = await sql.all<{ id: number }>(
      `SELECT id FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE source_id IN (?) AND ${VISIBLE}
       ORDER BY ${POSITION}, id LIMIT ?`,
      batch.map(({ id }) => id),
      MOST_NAMED_IDS - rows.length,
    )
    rows.push(...ids.map((row) => row.id))
  }
  return rows
}

const batchesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / SOURCES_PER_READ) }, (_, at) =>
    items.slice(at * SOURCES_PER_READ, (at + 1) * SOURCES_PER_READ),
  )

/**
 * The row of the chunk with an id. The points of a separate engine have the ids of their chunks; all other chunks are gone through, in
 * steps.
 */
async function rowOf(sql: SqlSession, indexId: number, id: string): Promise<number | undefined> {
  const point = await sql.get<{ id: number }>(
    `SELECT id FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE point = ? AND ${isOfIndex(sql)} AND ${VISIBLE} LIMIT 1`,
    id,
    indexId,
  )
  if (point) return point.id
  for (const range of [undefined, ALL_CONVERSATIONS])
    for await (const chunks of eachVisible<{ hash: string; metadataHash: string }>(
      sql,
      indexId,
      { range },
      { columns: 'hash, metadata_hash AS "metadataHash"' },
    )) {
      const found = chunks.find((chunk) => chunkIdOf(chunk) === id)
      if (found) return found.id
    }
  return undefined
}

async function readChunks(
  sql: SqlSession,
  indexId: number,
  rowIds: readonly number[],
  { vectors }: NamedRequest,
): Promise<NamedChunk[]> {
  if (rowIds.length === 0) return []
  const rows = await sql.all<ReadRow>(
    `SELECT chunks.hash, metadata_hash AS "metadataHash", name AS source, metadata, content,
       ${vectors ? 'vector' : 'NULL AS vector'}
     FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} JOIN sources ON sources.id = source_id
       JOIN ${rowsWhereIndexIs(sql, 'passages', indexId)} ON passages.id = chunks.passage_id
       ${vectors ? `LEFT JOIN ${rowsWhereIndexIs(sql, 'vectors', indexId)} ON vectors.passage_id = chunks.passage_id` : ''}
     WHERE chunks.id IN (?) AND ${VISIBLE} ORDER BY ${POSITION}, chunks.id`,
    rowIds,
  )
  return rows.map((row) => ({
    id: chunkIdOf(row),
    ...shownPassage(row.content),
    metadata: JSON.parse(row.metadata) as Metadata,
    ...(row.vector ? { vector: floats(row.vector) } : {}),
  }))
}

/** The ids of some chunks, without those that may not be told. */
async function idsOf(
  sql: SqlSession,
  indexId: number,
  rowIds: readonly number[],
  request: NamedRequest,
): Promise<string[]> {
  const rows = await sql.all<Omit<ReadRow, 'content' | 'vector'>>(
    `SELECT chunks.hash, metadata_hash AS "metadataHash", name AS source, metadata
     FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} JOIN sources ON sources.id = source_id
     WHERE chunks.id IN (?) AND ${VISIBLE}`,
    rowIds,
  )
  return rows.flatMap((row) =>
    mayBeTold({ metadata: JSON.parse(row.metadata) as Metadata }, request) ? [chunkIdOf(row)] : [],
  )
}
