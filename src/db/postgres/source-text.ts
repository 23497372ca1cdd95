import type { SourceText } from '../../contract/ledger.ts'
import { joinParts, type TextPart } from '../text-range.ts'
import { VISIBLE } from './chunks.ts'
import type { SqlSession } from './session.ts'

/** A part of the extracted text of a source, put together from its visible chunks; undefined where none has a range. */
export async function textOfSource(
  sql: SqlSession,
  indexId: number,
  source: string,
  { start, end }: { start: number; end: number },
): Promise<SourceText | undefined> {
  const of = `FROM sources JOIN chunks ON source_id = sources.id WHERE sources.index_id = $1 AND name = $2 AND ${VISIBLE}`
  const length = await sql.get<{ n: number | null }>(
    `SELECT greatest(coalesce(max(characters), 0), coalesce(max(text_end), 0)) AS n ${of} AND text_end IS NOT NULL`,
    indexId,
    source,
  )
  const total = length?.n
  if (!total) return undefined
  const parts = await sql.all<TextPart>(
    `SELECT content, text_start AS "from", text_end AS "to" FROM sources JOIN chunks ON source_id = sources.id
     JOIN passages ON passages.id = passage_id
     WHERE sources.index_id = $1 AND name = $2 AND ${VISIBLE} AND text_end > $3 AND text_start < $4
     ORDER BY text_start, text_end`,
    indexId,
    source,
    start,
    end,
  )
  return { text: joinParts(parts, { start, end: Math.min(end, total) }), total }
}
