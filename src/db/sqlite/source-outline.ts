import { floats, VISIBLE } from './chunks.ts'
import type { Connection, Row } from './connection.ts'

/** Of a source with more chunks than this, so many are read, spread evenly. */
const SAMPLED = 32

/**
 * The beginning of the text of a source, and the vectors of its visible chunks, or of a sample of them; undefined where
 * readers see none. The beginning has at most `characters` UTF-16 code units.
 */
export function readSourceOutline(
  connection: Connection,
  sourceId: number,
  characters: number,
): { head: string; vectors: Float32Array[] } | undefined {
  const count =
    connection.get<{ chunks: number }>('SELECT chunks FROM sources WHERE id = ?', sourceId)?.chunks ?? 0
  const passages = count > SAMPLED ? sampledPassages(connection, sourceId) : allPassages(connection, sourceId)
  const first = passages[0]
  if (first === undefined) return undefined
  const head = connection.get<{ head: string }>(
    'SELECT substr(content, 1, ?) AS head FROM passages WHERE id = ?',
    characters,
    first,
  )!.head
  const vectors = connection
    .all<Row & { vector: Uint8Array }>(
      'SELECT vector FROM json_each(?) JOIN vectors ON passage_id = value ORDER BY key',
      JSON.stringify(passages),
    )
    .map(({ vector }) => floats(vector))
  return { head: head.slice(0, characters), vectors }
}

/** The passages of a source in the order of its text. */
const allPassages = (connection: Connection, sourceId: number): number[] =>
  connection
    .lists(
      `SELECT passage_id FROM chunks WHERE source_id = ? AND ${VISIBLE} ORDER BY text_start, id LIMIT ${SAMPLED}`,
      sourceId,
    )
    .map(([id]) => id as number)

/** Some passages of a source, evenly spread over its passages by their ids, which mostly are in the order of the text. */
function sampledPassages(connection: Connection, sourceId: number): number[] {
  const ends = connection.get<{ first: number | null; last: number | null }>(
    `SELECT (SELECT min(passage_id) FROM chunks WHERE source_id = ?1) AS first,
       (SELECT max(passage_id) FROM chunks WHERE source_id = ?1) AS last`,
    sourceId,
  )!
  if (ends.first === null || ends.last === null) return []
  const next = connection.prepare(
    `SELECT passage_id AS id FROM chunks WHERE source_id = ? AND passage_id >= ? AND ${VISIBLE} ORDER BY passage_id LIMIT 1`,
  )
  const step = (ends.last - ends.first) / SAMPLED
  const found = new Set<number>()
  for (let at = 0; at < SAMPLED; at++) {
    const row = next.get(sourceId, Math.floor(ends.first + at * step)) as { id: number } | undefined
    if (row) found.add(row.id)
  }
  return [...found]
}
