import type { Ids } from '../../kit/id-set.ts'
import type { TermFacts } from '../../contract/search.ts'
import { type Corpus, dampings, rarity, SATURATED } from '../../keyword/bm25.ts'
import { setBit } from '../../keyword/bits.ts'
import { countAmong } from '../../keyword/count-among.ts'
import { lastNotAbove } from '../../keyword/id-runs.ts'
import { LENGTHS } from '../../keyword/length-class.ts'
import { type ScoredSegment, topPassages } from '../../keyword/top-passages.ts'
import type { Connection, Row } from './connection.ts'
import { type HiddenIds, NOTHING_HIDDEN } from './hidden-passages.ts'
import {
  type CachedSegment,
  type SegmentLeftOut,
  postingsCacheOf,
  segmentCacheOf,
  type TermEntry,
} from './text-cache.ts'
import type { SegmentBody } from './text-segments.ts'

/** `score` is BM25; `matched` is its part of the largest BM25 that the terms can reach in this index, 0 to 1. */
export type KeywordHit = { id: number; score: number; matched: number }

/** How many hits are ranked at first: usually more than needed, since some are staged. */
const FIRST = 128

/** Where less than this part of the passages is allowed, as 1 in so many, only these are scored. */
const MANY_ALLOWED = 8

/** A segment as it is searched. */
type SearchedSegment = SegmentBody & Omit<SegmentLeftOut, 'key'> & { id: number }

/** The terms of a question in the segments of an index. To be used within one snapshot. */
export type CountedTerms = {
  segments: readonly SearchedSegment[]
  /** How many passages that readers see have each term. */
  holders: ReadonlyMap<number, number>
  /** By the term: its weight, above 0, and its postings in each segment that has it. */
  terms: ReadonlyMap<number, { weight: number; entries: readonly (TermEntry | undefined)[] }>
}

/**
 * @param terms the weight of each term, as `questionTerms` gives it for a question
 * @param hidden passages that count for nothing
 */
export function countTerms(
  connection: Connection,
  indexId: number,
  terms: ReadonlyMap<number, number>,
  hidden?: HiddenIds,
): CountedTerms {
  const segments = terms.size > 0 ? segmentsToSearch(connection, indexId, hidden) : []
  const cache = postingsCacheOf(connection)
  const counted = new Map(
    Array.from(terms, ([term, weight]) => [
      term,
      { weight, entries: segments.map((segment) => cache.entryOf(segment, term)) },
    ]),
  )
  const holders = new Map(
    Array.from(counted, ([term, { entries }]) => [
      term,
      entries.reduce((sum, entry, at) => sum + (entry ? holdersIn(segments[at]!, term, entry) : 0), 0),
    ]),
  )
  return { segments, holders, terms: counted }
}

/** The terms of a question, and more terms that it does not have. */
export const withMoreTerms = (one: CountedTerms, more: CountedTerms): CountedTerms => ({
  ...one,
  holders: new Map([...one.holders, ...more.holders]),
  terms: new Map([...one.terms, ...more.terms]),
})

/** How many counts a segment keeps. */
const MOST_COUNTS = 10_000

/** How many passages of a segment that readers see have a term. */
function holdersIn({ leftOut, leftOutHolders }: SearchedSegment, term: number, entry: TermEntry): number {
  if (leftOut.length === 0) return entry.count
  let without = leftOutHolders.get(term)
  if (without === undefined) {
    without = countAmong(entry.postings(), leftOut)
    if (leftOutHolders.size >= MOST_COUNTS) leftOutHolders.clear()
    leftOutHolders.set(term, without)
  }
  return entry.count - without
}

/** `searchCounted` for terms that are looked up first. */
export const searchText = (
  connection: Connection,
  indexId: number,
  terms: ReadonlyMap<number, number>,
  allowed?: Ids,
): Generator<KeywordHit> => searchCounted(countTerms(connection, indexId, terms), allowed)

/**
 * The passages that have any of the terms, best first, one after another; `score` is BM25 as a sum of float32 numbers. Of
 * equal scores the lower id comes first. With `allowed`, only those. Passages that readers do not see are not among the hits.
 */
export function* searchCounted(
  { segments, holders, terms }: CountedTerms,
  allowed?: Ids,
): Generator<KeywordHit> {
  if (segments.length === 0) return
  const corpus = corpusOf(segments)
  const weighted = weightedTerms({ segments, holders, terms }, corpus)
  const largest = weighted.reduce((sum, { weight }) => sum + weight, 0)
  const weights = Float32Array.from(weighted, ({ weight }) => weight)
  const damping = dampings(corpus)
  const part = allowed ? allowed.size / corpus.passages : 1
  const only = allowed && part * MANY_ALLOWED < 1 ? numbersBySegment(segments, allowed) : undefined
  const scored = segments.map(
    (segment, at): ScoredSegment => ({
      ...segment,
      entries: weighted.map(({ entries }) => entries[at]),
      allowed: only?.[at],
    }),
  )
  let taken = 0
  for (let count = only ? FIRST : Math.ceil(FIRST / part); ; count *= 4) {
    const hits = topPassages(scored, weights, damping, count)
    for (const { segment, passage, score } of hits.slice(taken)) {
      const id = segments[segment]!.ids.idAt(passage)
      if (!allowed || only || allowed.has(id)) yield { id, score, matched: score / largest }
    }
    if (hits.length < count) return
    taken = hits.length
  }
}

/** The terms with the most that each adds to a score, in the order in which they are added. */
const weightedTerms = ({ holders, terms }: CountedTerms, corpus: Corpus) =>
  Array.from(terms, ([term, { weight, entries }]) => ({
    term,
    entries,
    weight: weight * rarity(corpus, holders.get(term)!) * SATURATED,
  })).sort((left, right) => right.weight - left.weight || left.term - right.term)

/** What passages are scored with. */
export function termFactsOf(counted: CountedTerms): TermFacts {
  if (counted.segments.length === 0) return { passages: 0, averageLength: 1, terms: [] }
  const corpus = corpusOf(counted.segments)
  const terms = weightedTerms(counted, corpus).map(({ term, weight }) => ({
    term,
    weight,
    holders: counted.holders.get(term)!,
  }))
  return { ...corpus, terms }
}

/**
 * How many passages of an index have each of some terms; 0 for a term that none has. Counts passages as `countTerms` does.
 * Filters exclude most segments, so that it is fast for
 * hundreds of terms of which few occur.
 */
export function holdersOf(
  connection: Connection,
  indexId: number,
  terms: Iterable<number>,
  hidden?: HiddenIds,
): Map<number, number> {
  const cache = postingsCacheOf(connection)
  const holders = new Map<number, number>()
  for (const term of terms) holders.set(term, 0)
  for (const segment of segmentsToSearch(connection, indexId, hidden))
    for (const [term, count] of holders) {
      const entry = cache.entryOf(segment, term)
      if (entry) holders.set(term, count + holdersIn(segment, term, entry))
    }
  return holders
}

function corpusOf(segments: readonly SearchedSegment[]) {
  const passages = segments.reduce((sum, { ids, leftOut }) => sum + ids.size - leftOut.length, 0)
  const terms = segments.reduce((sum, segment) => sum + segment.terms, 0)
  return { passages, averageLength: Math.max(1, terms / passages) }
}

/** For each segment the numbers of its passages that have one of the ids. */
function numbersBySegment(segments: readonly SearchedSegment[], ids: Ids): number[][] {
  const firstIds = segments.map((segment) => segment.ids.idAt(0))
  const numbers: number[][] = segments.map(() => [])
  for (const id of ids) {
    const at = lastNotAbove(firstIds, id)
    const number = segments[at]!.ids.numberOf(id)
    if (number !== undefined) numbers[at]!.push(number)
  }
  return numbers
}

type ListedRow = Row & { id: number; goneCount: number }

/**
 * The segments of an index in the order of their passages, with what readers do not see left out: removed passages, hidden
 * ones, and those that runs after the last publication have staged. A segment of which nothing is left is not among them.
 * Their bodies are cached.
 */
function segmentsToSearch(
  connection: Connection,
  indexId: number,
  hidden: HiddenIds = NOTHING_HIDDEN,
): SearchedSegment[] {
  const cache = segmentCacheOf(connection)
  const before = connection.get<{ id: number | null }>(
    `SELECT min(first_passage) AS id FROM runs WHERE index_id = ?1 AND state <> 'published' AND seq >
       coalesce((SELECT max(seq) FROM runs WHERE index_id = ?1 AND state = 'published'), 0)`,
    indexId,
  )!.id
  const segments: SearchedSegment[] = []
  const listed = connection.all<ListedRow>(
    `SELECT id, gone_count AS goneCount FROM text_segments WHERE index_id = ? AND first_passage < ?
     ORDER BY first_passage`,
    indexId,
    before ?? Number.MAX_SAFE_INTEGER,
  )
  for (const row of listed) {
    const { id } = row
    const cached = cache.get(connection, indexId, row)
    if (!cached) continue
    const { ids, classes, filter } = cached
    const { key: _, ...left } = leftOutOf(cached, hidden, before ?? Infinity)
    if (left.leftOut.length < ids.size) segments.push({ id, ids, classes, filter, ...left })
  }
  const known = new Set(listed.map(({ id }) => id))
  cache.weigh(known)
  cache.keepOf(indexId, known)
  cache.shrink()
  return segments
}

/** What is left out of a segment: the same object until it changes. */
function leftOutOf(cached: CachedSegment, hidden: HiddenIds, before: number): SegmentLeftOut {
  const { ids, goneCount, removed } = cached
  const last = ids.idAt(ids.size - 1)
  const staged = last >= before ? before : ''
  const key = `${goneCount} ${hidden.version} ${staged}`
  if (cached.left?.key === key) return cached.left
  const own = hidden.between(ids.idAt(0), last)
  let gone = removed
  if (own.length > 0 || staged !== '') {
    gone = removed?.slice() ?? new Uint8Array(Math.ceil(ids.size / 8))
    for (const id of own) {
      const number = ids.numberOf(id)
      if (number !== undefined) setBit(gone, number)
    }
    for (let number = ids.size - 1; number >= 0 && ids.idAt(number) >= before; number--) setBit(gone, number)
  }
  const numbers: number[] = []
  for (const [at, byte] of (gone ?? []).entries())
    for (let bits = byte; bits > 0; bits &= bits - 1) numbers.push(8 * at + 31 - Math.clz32(bits & -bits))
  const left: SegmentLeftOut = {
    key,
    gone,
    leftOut: Uint32Array.from(numbers),
    leftOutHolders: new Map(),
    terms: lengthOf(cached.classes) - lengthOf(numbers.map((number) => cached.classes[number]!)),
  }
  cached.left = left
  return left
}

const lengthOf = (classes: Iterable<number>): number => {
  let sum = 0
  for (const lengthClass of classes) sum += LENGTHS[lengthClass]!
  return sum
}
