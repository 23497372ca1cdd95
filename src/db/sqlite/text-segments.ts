import { encodeRuns, IdRuns } from '../../keyword/id-runs.ts'
import { LENGTHS } from '../../keyword/length-class.ts'
import { encodeTermFilter } from '../../keyword/term-filter.ts'
import type { TermPage } from '../../keyword/page.ts'
import { checksum } from '../checksum.ts'
import type { Connection, Row } from './connection.ts'

/** The part of a segment that never changes. Passages are numbered within their segment, in the order of their ids. */
export type SegmentBody = {
  ids: IdRuns
  /** Length classes, by number. */
  classes: Uint8Array
  /** Which terms its pages may have; see `mayHaveTerm`. */
  filter: Uint8Array
}

/**
 * A segment of a text index: passages with consecutive ids, and their terms. It is written once; only the bits of removed
 * passages change. No id is used for two segments.
 */
export type TextSegment = SegmentBody & {
  id: number
  /** Bits of the removed passages; null while there are none. */
  gone: Uint8Array | null
  goneCount: number
  /** How many terms its passages have, removed ones too. */
  terms: number
}

type SegmentRow = Row & { id: number; gone: Uint8Array | null; goneCount: number; terms: number }
type BodyRow = Row & {
  first_passage: number
  runs: Uint8Array
  classes: Uint8Array
  filter: Uint8Array
}

const COLUMNS = 'id, gone, gone_count AS goneCount, terms'

const withBody = (connection: Connection, row: SegmentRow): TextSegment => ({
  ...row,
  ...readSegmentBody(connection, row.id)!,
})

/** The segments of an index in the order of their passages. */
export const textSegmentsOf = (connection: Connection, indexId: number): TextSegment[] =>
  connection
    .all<SegmentRow>(
      `SELECT ${COLUMNS} FROM text_segments WHERE index_id = ? ORDER BY first_passage`,
      indexId,
    )
    .map((row) => withBody(connection, row))

/** Undefined for a segment that was deleted. */
export function readSegmentBody(connection: Connection, id: number): SegmentBody | undefined {
  const row = connection.get<BodyRow>(
    `SELECT first_passage, runs, classes, filter FROM text_segments JOIN text_segment_bodies ON segment_id = id
     WHERE id = ?`,
    id,
  )
  return row && { ids: new IdRuns(row.first_passage, row.runs), classes: row.classes, filter: row.filter }
}

/** The sizes of all segments, read without their content. */
export const segmentSizes = (
  connection: Connection,
  indexId: number,
): { id: number; passages: number; gone: number }[] =>
  connection.all(
    'SELECT id, passages, gone_count AS gone FROM text_segments WHERE index_id = ? ORDER BY first_passage',
    indexId,
  )

export const hasSegment = (connection: Connection, id: number): boolean =>
  connection.get('SELECT 1 FROM text_segments WHERE id = ?', id) !== undefined

/** Undefined for a segment that was deleted. */
export function segmentById(connection: Connection, id: number): TextSegment | undefined {
  const row = connection.get<SegmentRow>(`SELECT ${COLUMNS} FROM text_segments WHERE id = ?`, id)
  return row && withBody(connection, row)
}

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
  const segment = row && withBody(connection, row)
  return segment?.ids.numberOf(passageId) === undefined ? undefined : segment
}

/**
 * Makes a segment, whose pages follow or are there already; undefined for one without passages.
 *
 * @param terms those that its pages have
 * @param reserved its id, where `reserveSegment` gave one
 */
export function insertSegment(
  connection: Connection,
  indexId: number,
  { ids, classes, terms }: { ids: readonly number[]; classes: Uint8Array; terms: Float64Array },
  reserved: number | null = null,
): number | undefined {
  if (ids.length === 0) return undefined
  const { id } = connection.get<{ id: number }>(
    `INSERT INTO text_segments (id, index_id, first_passage, last_passage, passages, gone_count, terms)
     VALUES (?, ?, ?, ?, ?, 0, ?) RETURNING id`,
    reserved,
    indexId,
    ids[0]!,
    ids.at(-1)!,
    ids.length,
    classes.reduce((sum, lengthClass) => sum + LENGTHS[lengthClass]!, 0),
  )!
  const runs = encodeRuns(ids)
  const filter = encodeTermFilter(terms)
  connection.run(
    'INSERT INTO text_segment_bodies (segment_id, runs, classes, filter, checksum) VALUES (?, ?, ?, ?, ?)',
    id,
    runs,
    classes,
    filter,
    checksum(runs, classes, filter),
  )
  return id
}

/** An id for a segment that does not exist yet. Until it does, its pages are those of a leftover. */
export function reserveSegment(connection: Connection, indexId: number): number {
  // The table gives no id twice, also not those of deleted rows.
  const { id } = connection.get<{ id: number }>(
    `INSERT INTO text_segments (index_id, first_passage, last_passage, passages, gone_count, terms)
     VALUES (?, 0, 0, 0, 0, 0) RETURNING id`,
    indexId,
  )!
  connection.run('DELETE FROM text_segments WHERE id = ?', id)
  connection.run('INSERT INTO text_leftovers (segment_id, index_id, pages) VALUES (?, ?, 0)', id, indexId)
  return id
}

export function deleteSegment(connection: Connection, id: number): void {
  connection.run('DELETE FROM text_pages WHERE segment_id = ?', id)
  connection.run('DELETE FROM text_segment_bodies WHERE segment_id = ?', id)
  connection.run('DELETE FROM text_segments WHERE id = ?', id)
}

/** Removes a segment; its pages become a leftover, which is deleted in steps. */
export function removeSegment(connection: Connection, indexId: number, id: number): void {
  connection.run('DELETE FROM text_segment_bodies WHERE segment_id = ?', id)
  connection.run('DELETE FROM text_segments WHERE id = ?', id)
  connection.run('INSERT INTO text_leftovers (segment_id, index_id, pages) VALUES (?, ?, 0)', id, indexId)
}

/** Writes a page at a time. */
export function pageInserter(connection: Connection, segmentId: number): (page: TermPage) => void {
  const insert = connection.prepare(
    'INSERT INTO text_pages (segment_id, first_term, count, page, checksum) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ firstTerm, count, bytes }) =>
    void insert.run(segmentId, firstTerm, count, bytes, checksum(bytes, String(count ?? 0)))
}

/** The pages of a segment in the order of their terms. */
export const pagesOf = (connection: Connection, segmentId: number): TermPage[] =>
  connection.all<TermPage & Row>(
    'SELECT first_term AS firstTerm, count, page AS bytes FROM text_pages WHERE segment_id = ? ORDER BY first_term',
    segmentId,
  )
