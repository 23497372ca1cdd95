import type { Ids } from '../../kit/id-set.ts'
import { dampings, rarity, SATURATED } from '../../keyword/bm25.ts'
import { lastNotAbove } from '../../keyword/id-runs.ts'
import { type ScoredSegment, topPassages } from '../../keyword/top-passages.ts'
import type { Connection } from './connection.ts'
import { PostingsCache, type TermEntry } from './postings-cache.ts'
import { segmentsToSearch } from './text-segment-cache.ts'
import type { TextSegment } from './text-segments.ts'

/** `score` is BM25; `matched` is its part of the largest BM25 that the terms can reach in this index, 0 to 1. */
export type KeywordHit = { id: number; score: number; matched: number }

/** How many hits are ranked at first: usually more than needed, since some are staged. */
const FIRST = 128

/** Where less than this part of the passages is allowed, as 1 in so many, only these are scored. */
const MANY_ALLOWED = 8

const caches = new WeakMap<Connection, PostingsCache>()

function cacheOf(connection: Connection): PostingsCache {
  const cache = caches.get(connection) ?? new PostingsCache(connection)
  caches.set(connection, cache)
  return cache
}

/** The terms of a question in the segments of an index. To be used within one snapshot. */
export type CountedTerms = {
  segments: readonly TextSegment[]
  /** How many passages have each term; removed and staged ones count too, until a merge leaves them out. */
  holders: ReadonlyMap<number, number>
  /** By the term: its weight, above 0, and its postings in each segment that has it. */
  terms: ReadonlyMap<number, { weight: number; entries: readonly (TermEntry | undefined)[] }>
}

/** @param terms the weight of each term, as `questionTerms` gives it for a question */
export function countTerms(
  connection: Connection,
  indexId: number,
  terms: ReadonlyMap<number, number>,
): CountedTerms {
  const segments = terms.size > 0 ? segmentsToSearch(connection, indexId) : []
  const cache = cacheOf(connection)
  const counted = new Map(
    Array.from(terms, ([term, weight]) => [
      term,
      { weight, entries: segments.map((segment) => cache.entryOf(segment, term)) },
    ]),
  )
  const holders = new Map(
    Array.from(counted, ([term, { entries }]) => [
      term,
      entries.reduce((sum, entry) => sum + (entry?.count ?? 0), 0),
    ]),
  )
  return { segments, holders, terms: counted }
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
 * equal scores the lower id comes first. With `allowed`, only those. Removed passages are not among
 * the hits; staged passages that are in a segment with others are.
 */
export function* searchCounted(
  { segments, holders, terms }: CountedTerms,
  allowed?: Ids,
): Generator<KeywordHit> {
  if (segments.length === 0) return
  const corpus = corpusOf(segments)
  const weighted = Array.from(terms, ([term, { weight, entries }]) => ({
    term,
    entries,
    weight: weight * rarity(corpus, holders.get(term)!) * SATURATED,
  })).sort((left, right) => right.weight - left.weight || left.term - right.term)
  const largest = weighted.reduce((sum, { weight }) => sum + weight, 0)
  const weights = Float32Array.from(weighted, ({ weight }) => weight)
  const damping = dampings(corpus)
  const part = allowed ? allowed.size / corpus.passages : 1
  const only = allowed && part * MANY_ALLOWED < 1 ? numbersBySegment(segments, allowed) : undefined
  const scored = segments.map((segment, at): ScoredSegment & { entries: (TermEntry | undefined)[] } => ({
    ...segment,
    entries: weighted.map(({ entries }) => entries[at]),
    allowed: only?.[at],
  }))
  let taken = 0
  for (let count = only ? FIRST : Math.ceil(FIRST / part); ; count *= 4) {
    const hits = topPassages(scored, weights, damping, count)
    for (const { segment, passage, score } of hits.slice(taken)) {
      const id = segments[segment]!.ids.idAt(passage)
      if (!allowed || only || allowed.has(id)) yield { id, score, matched: score / largest }
    }
    if (hits.length < count) return
    taken = count
  }
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
): Map<number, number> {
  const cache = cacheOf(connection)
  const holders = new Map<number, number>()
  for (const term of terms) holders.set(term, 0)
  for (const segment of segmentsToSearch(connection, indexId))
    for (const [term, count] of holders) {
      const entry = cache.entryOf(segment, term)
      if (entry) holders.set(term, count + entry.count)
    }
  return holders
}

function corpusOf(segments: readonly TextSegment[]) {
  const passages = segments.reduce((sum, { ids }) => sum + ids.size, 0)
  const terms = segments.reduce((sum, segment) => sum + segment.terms, 0)
  return { passages, averageLength: Math.max(1, terms / passages) }
}

/** For each segment the numbers of its passages that have one of the ids. */
function numbersBySegment(segments: readonly TextSegment[], ids: Ids): number[][] {
  const firstIds = segments.map((segment) => segment.ids.idAt(0))
  const numbers: number[][] = segments.map(() => [])
  for (const id of ids) {
    const at = lastNotAbove(firstIds, id)
    const number = segments[at]!.ids.numberOf(id)
    if (number !== undefined) numbers[at]!.push(number)
  }
  return numbers
}
