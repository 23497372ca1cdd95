import type { SourceText, SourceTextRequest } from '../../contract/source-version.ts'
import { droppedOf, gapsOf } from '../rows/dropped.ts'
import type { SqlSession } from '../sql/session.ts'
import { joinParts, type TextPart } from '../text-range.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { earlierVersions, isOfVersion } from './source-version.ts'
import { VISIBLE } from './visible.ts'

/**
 * A part of the extracted text of one version of a source, put together from the visible chunks of that version by their ranges: what
 * is left of an earlier one, or the newest with those of its words that no chunk has. Undefined where no chunk of it has a range.
 */
export async function textOfSource(
  sql: SqlSession,
  indexId: number,
  source: string,
  { version, start, end }: Pick<SourceTextRequest, 'version' | 'start' | 'end'>,
): Promise<SourceText | undefined> {
  const versionIs = isOfVersion(version)
  const of = `FROM sources JOIN ${rowsWhereIndexIs(sql, 'chunks', indexId)} ON source_id = sources.id
    WHERE sources.index_id = ? AND name = ? AND ${versionIs.sql} AND ${VISIBLE}`
  const given = [indexId, source, ...versionIs.values] as const
  const last = await sql.get<{ position: number | null; characters: number | null }>(
    `SELECT max(text_end) AS position, max(characters) AS characters ${of} AND text_end IS NOT NULL`,
    ...given,
  )
  // The length of the text, and what was left out of it, are known of the newest version only.
  const isNewest = version === 'newest'
  const total = Math.max(last?.position ?? 0, isNewest ? (last?.characters ?? 0) : 0)
  const dropped = isNewest
    ? await sql.get<{ dropped: string | null; gaps: string | null }>(
        'SELECT dropped, gaps FROM sources WHERE index_id = ? AND name = ? AND chunks > 0',
        indexId,
        source,
      )
    : undefined
  const left = droppedOf(dropped?.dropped ?? null)
  const earlier = await earlierVersions(sql, indexId, source)
  if (total === 0) return left ? { text: '', total: 0, earlier, dropped: left } : undefined
  const parts = await sql.all<TextPart>(
    `SELECT content, part.text_start AS "from", part.text_end AS "to"
     FROM (SELECT chunks.id, passage_id, text_start, text_end ${of}
           AND text_end > ? AND text_start < ? ORDER BY text_start, text_end, chunks.id) AS part
     JOIN ${rowsWhereIndexIs(sql, 'passages', indexId)} ON passages.id = part.passage_id ORDER BY part.text_start, part.text_end, part.id`,
    ...given,
    start,
    end,
  )
  // The words that no chunk has.
  for (const { start: from, end: to, text: content } of gapsOf(dropped?.gaps ?? null)?.gaps ?? [])
    if (to > start && from < end) parts.push({ content, from, to })
  parts.sort((one, other) => one.from - other.from || one.to - other.to)
  return { text: joinParts(parts, { start, end: Math.min(end, total) }), total, earlier, dropped: left }
}
