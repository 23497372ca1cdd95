import { FREE_PASSAGE } from '../ledger/indexes.ts'
import type { Connection } from './connection.ts'
import { PostingsBatch } from '../../keyword/batch.ts'
import { setBit } from '../../keyword/bits.ts'
import type { TermPage } from '../../keyword/page.ts'
import { SegmentMerge } from '../../keyword/merge.ts'
import { AT_REST, type MergeRule, nextMerge, type SegmentSize, WHILE_WRITING } from '../../keyword/tiers.ts'
import { deleteLeftover, SteppedMerge } from './text-merge.ts'
import {
  deleteSegment,
  insertSegment,
  pageInserter,
  pagesOf,
  type TextSegment,
  removeSegment,
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
    return connection.get<{ id: number }>(`SELECT ${FREE_PASSAGE} AS id`)!.id
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

  /** Merges a few small segments where there are too many; returns whether it did. Done while passages are written. */
  mergeSmall(connection: Connection, indexId: number): boolean {
    return mergeSmall(connection, indexId, segmentSizes(connection, indexId), WHILE_WRITING)
  },

  /**
   * One step towards few segments without leftovers: a merge of a few small segments, a step of a large merge, or a few
   * deleted pages. Returns whether there was something to do. Each step takes some 50 ms at most.
   */
  tend(connection: Connection, indexId: number): boolean {
    const merges = steppedMerges.get(connection) ?? new Map<number, SteppedMerge>()
    steppedMerges.set(connection, merges)
    let merge = merges.get(indexId)
    if (merge && !merge.isCurrent(connection)) {
      merges.delete(indexId)
      merge = undefined
    }
    if (merge) {
      // Taken back if the step succeeds: after a failure its state is not that of the database.
      merges.delete(indexId)
      if (merge.step(connection)) merges.set(indexId, merge)
      return true
    }
    const sizes = segmentSizes(connection, indexId)
    if (mergeSmall(connection, indexId, sizes, { ...AT_REST, largest: WHILE_WRITING.largest })) return true
    const range = nextMerge(sizes, AT_REST)
    if (!range) return deleteLeftover(connection, indexId)
    const sources = sizes.slice(range.from, range.to).map(({ id }) => id)
    merges.set(indexId, new SteppedMerge(connection, indexId, sources))
    return true
  },

  /** Deletes some pages of a removed index; returns whether there were any. */
  drop(connection: Connection, indexId: number): boolean {
    if (deleteLeftover(connection, indexId)) return true
    const segment = connection.get<{ id: number }>(
      'SELECT id FROM text_segments WHERE index_id = ? LIMIT 1',
      indexId,
    )
    if (!segment) return false
    steppedMerges.get(connection)?.delete(indexId)
    removeSegment(connection, indexId, segment.id)
    return deleteLeftover(connection, indexId)
  },
}

/** The merges in progress, by index. */
const steppedMerges = new WeakMap<Connection, Map<number, SteppedMerge>>()

/** A merge in one transaction. */
function mergeSmall(
  connection: Connection,
  indexId: number,
  sizes: readonly (SegmentSize & { id: number })[],
  rule: MergeRule,
): boolean {
  const range = nextMerge(sizes, rule)
  if (!range) return false
  const sources = sizes.slice(range.from, range.to).map(({ id }) => segmentById(connection, id)!)
  const pages: TermPage[] = []
  const merge = new SegmentMerge(
    sources.map((segment) => ({ ...segment, pages: pagesOf(connection, segment.id) })),
    (page) => pages.push(page),
  )
  while (merge.step(Infinity));
  for (const { id } of sources) deleteSegment(connection, id)
  const segment = insertSegment(connection, indexId, merge)
  if (segment === undefined) return true
  const insert = pageInserter(connection, segment)
  for (const page of pages) insert(page)
  return true
}
