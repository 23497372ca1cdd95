import { conversationFilter } from '../../documents/conversation.ts'
import type { Metadata } from '../../contract/document.ts'
import type { Metric } from '../../contract/retrieval.ts'
import type { Candidate, SearchRequest } from '../../contract/search.ts'
import type { SqlSession } from '../../db/postgres/session.ts'
import { filterSql, SqlParameters } from './filter-sql.ts'
import { distanceSql, scoreOf } from './search.ts'
import { quoted, type TableNames } from './tables.ts'
import { readVector, vectorText } from './vectors.ts'

/** A table of another program: the column of its texts, `pageContent` in Flowise. */
export type OutsideTable = { contentColumn: string }

type OutsideRow = {
  id: string
  text: string | null
  metadata: Metadata | null
  distance: number
  vector?: Uint8Array
}

/**
 * The closest rows of a table that Flowise has filled: `id`, the text, `metadata`, `embedding`. It is read only. All rows with as many
 * dimensions as the vector are compared. None where there is no such table.
 */
export async function outsideRows(
  sql: SqlSession,
  { schema, table, contentColumn, metric: first }: OutsideTable & TableNames & { metric: Metric },
  { vector, metric = first, limit, filter, chatId, vectors }: SearchRequest,
): Promise<Candidate[]> {
  if (!vector) return []
  const name = schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`
  const columns = await sql.all<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    name,
  )
  const here = new Set(columns.map((column) => column.name))
  if (![contentColumn, 'id', 'metadata', 'embedding'].every((column) => here.has(column))) return []
  const parameters = new SqlParameters()
  const query = parameters.add(vectorText(vector))
  const condition = filterSql(conversationFilter({ filter, chatId }), parameters)
  const distance = distanceSql(metric, query)
  // The dimensions are compared first: the distance of two lengths is an error.
  const rows = await sql.all<OutsideRow>(
    `SELECT id::text AS id, ${quoted(contentColumn)} AS text, metadata::jsonb AS metadata, ${distance} AS distance
       ${vectors ? ', vector_send(embedding::vector) AS vector' : ''}
     FROM (SELECT * FROM (SELECT ${quoted(contentColumn)}, id, embedding, COALESCE(metadata::jsonb, '{}') AS metadata FROM ${name}
         WHERE embedding IS NOT NULL) AS kept
       WHERE vector_dims(embedding::vector) = ${parameters.add(vector.length)} AND ${condition}
       ORDER BY CASE WHEN vector_dims(embedding::vector) = ${parameters.add(vector.length)} THEN ${distance} END
       LIMIT ${parameters.add(limit)}) AS best`,
    ...parameters.values,
  )
  return rows.flatMap(({ id, text, metadata, distance: far, vector: bytes }) => {
    if (text === null || Number.isNaN(far)) return []
    const found = { id, pageContent: text, metadata: metadata ?? {}, vectorScore: scoreOf(metric, far) }
    return [{ ...found, keywordScore: null, matched: null, ...(bytes ? { vector: readVector(bytes) } : {}) }]
  })
}
