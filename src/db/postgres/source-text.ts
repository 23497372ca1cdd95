import type { SourceText, SourceTextRequest } from '../../contract/source-version.ts'
import { droppedOf } from '../rows/dropped.ts'
import { joinParts, type TextPart } from '../text-range.ts'
import { VISIBLE } from './chunks.ts'
import { earlierVersions, markOf } from './outdated.ts'
import type { SqlSession } from './session.ts'

/** A part of the extracted text of one version of a source, put together from its visible chunks; undefined where none has a range. */
export async function textOfSource(
  sql: SqlSession,
  indexId: number,
  source: string,
  { version, start, end }: Pick<SourceTextRequest, 'version' | 'start' | 'end'>,
): Promise<SourceText | undefined> {
  const where = `sources.index_id = $1 AND name = $2 AND outdated_at IS NOT DISTINCT FROM $3::bigint AND ${VISIBLE}`
  const given = [indexId, source, markOf(version)] as const
  const length = await sql.get<{ n: number | null }>(
    `SELECT greatest(CASE WHEN $3::bigint IS NULL THEN max(characters) END, max(text_end)) AS n
     FROM sources JOIN chunks ON source_id = sources.id WHERE ${where} AND text_end IS NOT NULL`,
    ...given,
  )
  const total = length?.n
  // What was left out is known of the newest version only.
  const dropped =
    version === 'newest'
      ? await sql.get<{ dropped: string | null }>(
          'SELECT dropped FROM sources WHERE index_id = $1 AND name = $2 AND chunks > 0',
          indexId,
          source,
        )
      : undefined
  const left = droppedOf(dropped?.dropped ?? null)
  const earlier = await earlierVersions(sql, indexId, source)
  if (!total) return left ? { text: '', total: 0, earlier, dropped: left } : undefined
  const parts = await sql.all<TextPart>(
    `SELECT content, text_start AS "from", text_end AS "to" FROM sources JOIN chunks ON source_id = sources.id
     JOIN passages ON passages.id = passage_id
     WHERE ${where} AND text_end > $4 AND text_start < $5
     ORDER BY text_start, text_end`,
    ...given,
    start,
    end,
  )
  return { text: joinParts(parts, { start, end: Math.min(end, total) }), total, earlier, dropped: left }
}
