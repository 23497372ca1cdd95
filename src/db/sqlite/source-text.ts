import type { SourceText } from '../../contract/ledger.ts'
import { joinParts, type TextPart } from '../text-range.ts'
import { VISIBLE } from './chunks.ts'
import type { Connection, Row } from './connection.ts'

/**
 * A part of the extracted text of a source, put together from its visible chunks by their ranges. Undefined where no chunk has
 * a range.
 */
export function textOfSource(
  connection: Connection,
  indexId: number,
  source: string,
  { start, end }: { start: number; end: number },
): SourceText | undefined {
  const of = `FROM sources JOIN chunks ON source_id = sources.id WHERE sources.index_id = ? AND name = ? AND ${VISIBLE}`
  const total = connection.get<{ n: number | null }>(
    `SELECT max(coalesce(characters, 0), coalesce(max(text_end), 0)) AS n ${of} AND text_end IS NOT NULL`,
    indexId,
    source,
  )?.n
  if (!total) return undefined
  const parts = connection.all<Row & TextPart>(
    `SELECT content, part.text_start AS "from", part.text_end AS "to"
     FROM (SELECT chunks.id, passage_id, text_start, text_end ${of}
           AND text_end > ? AND text_start < ? ORDER BY text_start, text_end) AS part
     JOIN passages ON passages.id = part.passage_id ORDER BY part.text_start, part.text_end`,
    indexId,
    source,
    start,
    end,
  )
  return { text: joinParts(parts, { start, end: Math.min(end, total) }), total }
}
