import { checksum } from './checksum.ts'
import type { Connection, Row } from './connection.ts'
import { encodeRuns, IdRuns } from '../../keyword/id-runs.ts'
import { LENGTHS } from '../../keyword/length-class.ts'

/**
 * A segment of a text index: passages with consecutive ids, and their terms. It is written once; only the bits of removed
 * passages change. Passages are numbered within their segment.
 */
export type TextSegment = {
  id: number
  ids: IdRuns
  /** Length classes, by number. */
  classes: Uint8Array
  /** Bits of the removed passages; null while there are none. */
  gone: Uint8Array | null
  goneCount: number
  /** How many terms its passages have, removed ones too. */
  terms: number
}

type SegmentRow = Row & {
  id: number
  first_passage: number
  runs: Uint8Array
  classes: Uint8Array
  gone: Uint8Array | null
  gone_count: number
  terms: number
}

const COLUMNS = 'id, first_passage, runs, classes, gone, gone_count, terms'

const fromRow = (row: SegmentRow): TextSegment => ({
  id: row.id,
  ids: new IdRuns(row.first_passage, row.runs),
  classes: row.classes,
  gone: row.gone,
  goneCount: row.gone_count,
  terms: row.terms,
})

/** The segments of an index in the order of their passages. */
export const textSegmentsOf = (connection: Connection, indexId: number): TextSegment[] =>
  connection
    .all<SegmentRow>(
      `SELECT ${COLUMNS} FROM text_segments WHERE index_id = ? ORDER BY first_passage`,
      indexId,
    )
    .map(fromRow)

/**
 * The same without the segments that have only passages of an open run: readers see none of them, and they can be many.
 */
export const segmentsToSearch = (connection: Connection, indexId: number): TextSegment[] =>
  connection
    .all<SegmentRow>(
      `SELECT ${COLUMNS} FROM text_segments WHERE index_id = ?1 AND first_passage <
         coalesce((SELECT min(first_passage) FROM runs WHERE index_id = ?1 AND state = 'open'), 9e18)
       ORDER BY first_passage`,
      indexId,
    )
    .map(fromRow)

/** The sizes of all segments, read without their content. */
export const segmentSizes = (
  connection: Connection,
  indexId: number,
): { id: number; passages: number; gone: number }[] =>
  connection.all(
    'SELECT id, passages, gone_count AS gone FROM text_segments WHERE index_id = ? ORDER BY first_passage',
    indexId,
  )

export const segmentById = (connection: Connection, id: number): TextSegment =>
  fromRow(connection.get<SegmentRow>(`SELECT ${COLUMNS} FROM text_segments WHERE id = ?`, id)!)

/** The segment that has a passage. */
export function segmentHolding(
  connection: Connection,
  indexId: number,
  passageId: number,
): TextSegment | undefined {
  const row = connection.get<SegmentRow>(
    `SELECT ${COLUMNS} FROM text_segments WHERE index_id = ? AND first_passage <= ?
     ORDER BY first_passage DESC LIMIT 1`,
    indexId,
    passageId,
  )
  const segment = row && fromRow(row)
  return segment?.ids.numberOf(passageId) === undefined ? undefined : segment
}

/** Makes a segment without pages; undefined for one without passages. */
export function insertSegment(
  connection: Connection,
  indexId: number,
  { ids, classes }: { ids: readonly number[]; classes: Uint8Array },
): number | undefined {
  if (ids.length === 0) return undefined
  const runs = encodeRuns(ids)
  return connection.get<{ id: number }>(
    `INSERT INTO text_segments (index_id, first_passage, last_passage, passages, runs, classes, checksum, gone_count, terms)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?) RETURNING id`,
    indexId,
    ids[0]!,
    ids.at(-1)!,
    ids.length,
    runs,
    classes,
    checksum(runs, classes),
    classes.reduce((sum, lengthClass) => sum + LENGTHS[lengthClass]!, 0),
  )!.id
}

export function deleteSegment(connection: Connection, id: number): void {
  connection.run('DELETE FROM text_pages WHERE segment_id = ?', id)
  connection.run('DELETE FROM text_segments WHERE id = ?', id)
}

/** Writes a page at a time. */
export function pageInserter(
  connection: Connection,
  segmentId: number,
): (firstTerm: number, page: Uint8Array) => void {
  const insert = connection.prepare(
    'INSERT INTO text_pages (segment_id, first_term, page, checksum) VALUES (?, ?, ?, ?)',
  )
  return (firstTerm, page) => void insert.run(segmentId, firstTerm, page, checksum(page))
}

export type PageRow = Row & { page: Uint8Array }

export const pagesOf = (connection: Connection, segmentId: number): Uint8Array[] =>
  connection
    .all<PageRow>('SELECT page FROM text_pages WHERE segment_id = ? ORDER BY first_term', segmentId)
    .map(({ page }) => page)
