import type { KnownText } from '../../contract/ledger.ts'
import { VISIBLE } from '../ledger/visible.ts'
import { rangeOf, type RangeRow } from '../text-range.ts'
import type { SqlSession } from './session.ts'

/**
 * The passages of an index by the hashes of their texts, one look-up each: for a long list the planner would rather read all passages
 * of the index, whose statistics may be old. The parameters are those of the index and of the list.
 */
export const passagesByHash = (index: `$${number}`, hashes: string): string =>
  `unnest(${hashes}::text[]) AS asked (text_hash) CROSS JOIN LATERAL (
     SELECT id, hash FROM passages WHERE own IN (0, ${index}) AND passages.index_id = ${index} AND passages.hash = text_hash LIMIT 1) AS passages`

/** What an index has of texts in a source: the visible chunks, and those of the run. */
export async function knownTexts(
  sql: SqlSession,
  { indexId, run, source }: { indexId: number; run: number; source: string },
  hashes: readonly string[],
): Promise<KnownText[]> {
  const rows = await sql.all<
    RangeRow & { hash: string; id: number | null; metadataHash: string; fresh: boolean }
  >(
    `SELECT passages.hash, chunks.id, metadata_hash AS "metadataHash", born = $1 AS fresh, text_start AS start, text_end AS "end"
     FROM ${passagesByHash('$2', '$4')} LEFT JOIN chunks ON chunks.own IN (0, $2) AND passage_id = passages.id
       AND source_id = (SELECT id FROM sources WHERE index_id = $2 AND name = $3)
       AND (born = $1 OR (${VISIBLE}))
     ORDER BY chunks.id`,
    run,
    indexId,
    source,
    [...new Set(hashes)],
  )
  const known = new Map<string, KnownText['chunks']>()
  for (const { hash, id, metadataHash, fresh, ...range } of rows) {
    const chunks = known.get(hash) ?? []
    known.set(hash, chunks)
    if (id !== null) chunks.push({ id, metadataHash, fresh, range: rangeOf(range) })
  }
  return hashes.map((hash) => {
    const chunks = known.get(hash)
    return { embedded: chunks !== undefined, chunks: chunks ?? [] }
  })
}

/** The texts of some hashes, each with a point that has its vector. */
export async function textsOf(
  sql: SqlSession,
  indexId: number,
  hashes: readonly string[],
): Promise<Map<string, { text: string; pointId: string }>> {
  const rows = await sql.all<{ hash: string; text: string; pointId: string }>(
    `SELECT passages.hash, content AS text, max(point) AS "pointId"
     FROM ${passagesByHash('$1', '$2')} JOIN passages AS found USING (id) JOIN chunks ON passage_id = passages.id
     WHERE found.own IN (0, $1) AND chunks.own IN (0, $1) AND point IS NOT NULL GROUP BY passages.id, passages.hash, content`,
    indexId,
    hashes,
  )
  return new Map(rows.map(({ hash, ...found }) => [hash, found]))
}
