import type { Connection } from './connection.ts'
import { PostingsBatch } from '../../keyword/batch.ts'
import { setBit } from '../../keyword/bits.ts'
import type { TermPage } from '../../keyword/page.ts'
import { mergeSegments } from '../../keyword/merge.ts'
import { nextMerge } from '../../keyword/tiers.ts'
import {
  deleteSegment,
  insertSegment,
  pageInserter,
  pagesOf,
  type TextSegment,
  segmentById,
  segmentHolding,
  segmentSizes,
} from './text-segments.ts'

/**
 * The keyword index: which passages have a term, in segments. A batch of passages makes a segment, in the
 * transaction that writes them; small segments are merged into larger ones a few at a time. It stores fingerprints of
 * terms, no texts.
 */
export const textIndex = {
  /** Collects passages in the order of their ids; `end` writes them. */
  writer(connection: Connection, indexId: number) {
    const batch = new PostingsBatch()
    return {
      add: (passageId: number, content: string) => batch.add(passageId, content),
      end(): void {
        const segment = insertSegment(connection, indexId, batch)
        if (segment !== undefined) batch.writePages(pageInserter(connection, segment))
      },
    }
  },

  /** The first id that no passage has and no segment contains. */
  freeId(connection: Connection): number {
    return connection.get<{ id: number }>(
      `SELECT 1 + max(coalesce((SELECT max(id) FROM passages), 0),
                      coalesce((SELECT max(last_passage) FROM text_segments), 0)) AS id`,
    )!.id
  },

  /** Marks passages as removed; a later merge drops their postings. */
  remove(connection: Connection, indexId: number, passageIds: readonly number[]): void {
    const touched = new Map<number, TextSegment>()
    let last: TextSegment | undefined
    for (const id of passageIds) {
      if (last?.ids.numberOf(id) === undefined) last = segmentHolding(connection, indexId, id)
      // No segment has it: its terms are in a separate engine.
      if (!last) continue
      const segment = touched.get(last.id) ?? last
      touched.set(segment.id, segment)
      last = segment
      segment.gone ??= new Uint8Array(Math.ceil(segment.ids.size / 8))
      setBit(segment.gone, segment.ids.numberOf(id)!)
      segment.goneCount++
    }
    for (const { id, gone, goneCount } of touched.values())
      connection.run('UPDATE text_segments SET gone = ?, gone_count = ? WHERE id = ?', gone, goneCount, id)
  },

  /** Merges a few segments where there are too many; returns whether it did. */
  tend(connection: Connection, indexId: number): boolean {
    const sizes = segmentSizes(connection, indexId)
    const range = nextMerge(sizes)
    if (!range) return false
    const merged = sizes.slice(range.from, range.to).map(({ id }) => segmentById(connection, id))
    const pages: TermPage[] = []
    const made = mergeSegments(
      merged.map((segment) => ({ ...segment, pages: pagesOf(connection, segment.id) })),
      (page) => pages.push(page),
    )
    for (const { id } of merged) deleteSegment(connection, id)
    const segment = insertSegment(connection, indexId, made)
    if (segment === undefined) return true
    const insert = pageInserter(connection, segment)
    for (const page of pages) insert(page)
    return true
  },

  /** Deletes a segment of a retired index; returns whether there was one. */
  drop(connection: Connection, indexId: number): boolean {
    const segment = connection.get<{ id: number }>(
      'SELECT id FROM text_segments WHERE index_id = ? LIMIT 1',
      indexId,
    )
    if (segment) deleteSegment(connection, segment.id)
    return segment !== undefined
  },
}
