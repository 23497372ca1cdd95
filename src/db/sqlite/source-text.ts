import type { SourceText } from '../../contract/ledger.ts'
import { VISIBLE } from './chunks.ts'
import type { Connection, Row } from './connection.ts'

/**
 * A part of the extracted text of a source, put together from its visible chunks by their ranges. Positions that no chunk
 * covers, mostly white space between two chunks, are blank. Undefined where no chunk has a range.
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
  const rows = connection.all<Row & { content: string; from: number; to: number }>(
    `SELECT content, part.text_start AS "from", part.text_end AS "to"
     FROM (SELECT chunks.id, passage_id, text_start, text_end ${of}
           AND text_end > ? AND text_start < ? ORDER BY text_start, text_end) AS part
     JOIN passages ON passages.id = part.passage_id ORDER BY part.text_start, part.text_end`,
    indexId,
    source,
    start,
    end,
  )
  let text = ''
  let at = start
  for (const { content, from, to } of rows) {
    if (to <= at) continue
    if (from > at) text += blank(from - at)
    const fitted = content.length === to - from ? content : content.slice(0, to - from).padEnd(to - from)
    text += fitted.slice(Math.max(0, at - from))
    at = to
  }
  const last = Math.min(end, total)
  if (at < last) text += blank(last - at)
  return { text: text.slice(0, Math.max(0, last - start)), total }
}

/** A gap of one unit is a space; a longer one is mostly a line break. */
const blank = (units: number): string => (units === 1 ? ' ' : `\n${' '.repeat(units - 2)}\n`)
