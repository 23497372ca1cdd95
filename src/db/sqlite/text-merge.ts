import { countBits, hasBit, setBit } from '../../keyword/bits.ts'
import { SegmentMerge } from '../../keyword/merge.ts'
import type { TermPage } from '../../keyword/page.ts'
import type { Connection, Row } from './connection.ts'
import {
  insertSegment,
  pageInserter,
  removeSegment,
  reserveSegment,
  hasSegment,
  segmentById,
  type TextSegment,
} from './text-segments.ts'

/** How many postings one step moves: some 20 ms. */
const STEP_POSTINGS = 200_000

/** How many pages of each source are read at once. */
const PAGES_READ = 8

/** How many pages one step deletes. */
const PAGES_DELETED = 1000

/**
 * A merge in steps, each in a transaction of its own, so that other writes get their turn. The pages of the new segment
 * belong to a segment that does not exist yet, which is a leftover: the last step makes it a segment, and its sources
 * leftovers. The state is in memory; without it, after a crash, the pages are deleted as those of any leftover.
 */
export class SteppedMerge {
  readonly #indexId: number
  readonly #target: number
  readonly #sources: readonly TextSegment[]
  readonly #merge: SegmentMerge
  /** Pages of the last step, written within it. */
  #pages: TermPage[] = []
  #written = 0

  constructor(connection: Connection, indexId: number, sources: readonly number[]) {
    this.#indexId = indexId
    this.#target = reserveSegment(connection, indexId)
    this.#sources = sources.map((id) => segmentById(connection, id)!)
    this.#merge = new SegmentMerge(
      this.#sources.map((source) => ({ ...source, pages: pagesInParts(connection, source.id) })),
      (page) => this.#pages.push(page),
    )
  }

  get sources(): number[] {
    return this.#sources.map(({ id }) => id)
  }

  /** Whether the database is as the last step left it: its transaction may have failed after it. */
  isCurrent(connection: Connection): boolean {
    const row = connection.get<{ pages: number }>(
      'SELECT pages FROM text_leftovers WHERE segment_id = ?',
      this.#target,
    )
    return row?.pages === this.#written && this.sources.every((id) => hasSegment(connection, id))
  }

  /** Moves at least so many postings, if there are so many left; returns whether there are more steps. */
  step(connection: Connection, postings = STEP_POSTINGS): boolean {
    const more = this.#merge.step(postings)
    const insert = pageInserter(connection, this.#target)
    for (const page of this.#pages) insert(page)
    this.#written += this.#pages.length
    this.#pages = []
    connection.run('UPDATE text_leftovers SET pages = ? WHERE segment_id = ?', this.#written, this.#target)
    if (!more) this.#swap(connection)
    return more
  }

  #swap(connection: Connection): void {
    const gone = this.#goneSince(connection)
    for (const id of this.sources) removeSegment(connection, this.#indexId, id)
    connection.run('DELETE FROM text_leftovers WHERE segment_id = ?', this.#target)
    insertSegment(connection, this.#indexId, this.#merge, this.#target)
    const goneCount = countBits(gone)
    if (goneCount > 0)
      connection.run(
        'UPDATE text_segments SET gone = ?, gone_count = ? WHERE id = ?',
        gone,
        goneCount,
        this.#target,
      )
  }

  /** Bits of the passages of the new segment that were removed since the merge began. */
  #goneSince(connection: Connection): Uint8Array {
    const gone = new Uint8Array(Math.ceil(this.#merge.ids.length / 8))
    let number = 0
    for (const { id, ids, gone: before } of this.#sources) {
      const now = segmentById(connection, id)!.gone
      for (let passage = 0; passage < ids.size; passage++) {
        if (hasBit(before, passage)) continue
        if (hasBit(now, passage)) setBit(gone, number)
        number++
      }
    }
    return gone
  }
}

/** The pages of a segment in order, some at a time; between two of them other statements may run, and transactions end. */
function* pagesInParts(connection: Connection, segmentId: number): Generator<TermPage> {
  for (let after = -1; ; ) {
    const pages = connection.all<TermPage & Row>(
      `SELECT first_term AS firstTerm, count, page AS bytes FROM text_pages
       WHERE segment_id = ? AND first_term > ? ORDER BY first_term LIMIT ${PAGES_READ}`,
      segmentId,
      after,
    )
    yield* pages
    if (pages.length < PAGES_READ) return
    after = pages.at(-1)!.firstTerm
  }
}

/**
 * Deletes some pages of a leftover of an index: a segment that was replaced or dropped, or one whose merge was broken off.
 * Returns whether there was one.
 */
export function deleteLeftover(connection: Connection, indexId: number): boolean {
  const row = connection.get<{ id: number }>(
    'SELECT segment_id AS id FROM text_leftovers WHERE index_id = ? LIMIT 1',
    indexId,
  )
  if (!row) return false
  const deleted = connection.run(
    `DELETE FROM text_pages WHERE id IN (SELECT id FROM text_pages WHERE segment_id = ? LIMIT ${PAGES_DELETED})`,
    row.id,
  )
  if (deleted < PAGES_DELETED) connection.run('DELETE FROM text_leftovers WHERE segment_id = ?', row.id)
  return true
}
