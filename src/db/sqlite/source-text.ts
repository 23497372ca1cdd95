import type { SourceText, SourceTextRequest } from '../../contract/source-version.ts'
import { droppedOf } from '../rows/dropped.ts'
import { joinParts, type TextPart } from '../text-range.ts'
import { VISIBLE } from './chunks.ts'
import type { Connection, Row } from './connection.ts'
import { earlierVersions, markOf } from './outdated.ts'

/**
 * A part of the extracted text of one version of a source, put together from the visible chunks of that version by their ranges: what
 * is left of an earlier one, or the newest. Undefined where no chunk of it has a range.
 */
export function textOfSource(
  connection: Connection,
  indexId: number,
  source: string,
  { version, start, end }: Pick<SourceTextRequest, 'version' | 'start' | 'end'>,
): SourceText | undefined {
  const of = `FROM sources JOIN chunks ON source_id = sources.id
    WHERE sources.index_id = ? AND name = ? AND outdated_at IS ? AND ${VISIBLE}`
  const given = [indexId, source, markOf(version)] as const
  // The length of the text is known of the newest version only.
  const length =
    version === 'newest' ? 'max(coalesce(characters, 0), coalesce(max(text_end), 0))' : 'max(text_end)'
  const total = connection.get<{ n: number | null }>(
    `SELECT ${length} AS n ${of} AND text_end IS NOT NULL`,
    ...given,
  )?.n
  // What was left out is known of the newest version only.
  const dropped =
    version === 'newest'
      ? connection.get<{ dropped: string | null }>(
          'SELECT dropped FROM sources WHERE index_id = ? AND name = ? AND chunks > 0',
          indexId,
          source,
        )
      : undefined
  const left = droppedOf(dropped?.dropped ?? null)
  const earlier = earlierVersions(connection, indexId, source)
  if (!total) return left ? { text: '', total: 0, earlier, dropped: left } : undefined
  const parts = connection.all<Row & TextPart>(
    `SELECT content, part.text_start AS "from", part.text_end AS "to"
     FROM (SELECT chunks.id, passage_id, text_start, text_end ${of}
           AND text_end > ? AND text_start < ? ORDER BY text_start, text_end) AS part
     JOIN passages ON passages.id = part.passage_id ORDER BY part.text_start, part.text_end`,
    ...given,
    start,
    end,
  )
  return { text: joinParts(parts, { start, end: Math.min(end, total) }), total, earlier, dropped: left }
}
