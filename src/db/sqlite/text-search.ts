import { Best } from '../../vector/best.ts'
import type { Ids } from '../../kit/id-set.ts'
import type { Connection } from './connection.ts'
import { hasBit } from '../../keyword/bits.ts'
import { addScores, dampings, rarity, SATURATED } from '../../keyword/bm25.ts'
import { lastNotAbove } from '../../keyword/id-runs.ts'
import { mayHaveTerm } from '../../keyword/term-filter.ts'
import { type Postings, postingsOf } from '../../keyword/page.ts'
import { segmentsToSearch } from './text-segment-cache.ts'
import type { PageRow, TextSegment } from './text-segments.ts'

/** `score` is BM25; `matched` is its part of the largest BM25 that the terms can reach in this index, 0 to 1. */
export type KeywordHit = { id: number; score: number; matched: number }

/** How many hits are ranked at first: usually more than needed, since some are staged. */
const FIRST = 400

/** Where less than this part of the passages is allowed, as 1 in so many, the allowed ones are visited one by one. */
const MANY_ALLOWED = 8

/**
 * The passages that have any of the terms, best first, one after another; `score` is BM25. With `allowed`, only those.
 * `terms` gives each term's weight, above 0, as `questionTerms` does for a question. Removed passages count among those that have a term. The hits include removed passages that are not swept yet, and staged
 * ones that are in a segment with others.
 */
export function* searchText(
  connection: Connection,
  indexId: number,
  terms: ReadonlyMap<number, number>,
  allowed?: Ids,
): Generator<KeywordHit> {
  const segments = terms.size > 0 ? segmentsToSearch(connection, indexId) : []
  if (segments.length === 0) return
  const found = new Scores(segments)
  const corpus = corpusOf(segments)
  const damping = dampings(corpus)
  let largest = 0
  for (const [term, weight] of terms) {
    const postings = segments.map((segment) => lookUp(connection, segment, term))
    const holders = postings.reduce((sum, one) => sum + (one?.count ?? 0), 0)
    const share = weight * rarity(corpus, holders)
    largest += share * SATURATED
    for (const [at, one] of postings.entries())
      if (one) addScores(found.ofSegment(at), one, share, segments[at]!.classes, damping)
  }
  for (const hit of found.ranked(allowed)) yield { ...hit, matched: hit.score / largest }
}

/**
 * How many passages of an index have each of some terms; 0 for a term that none has. Counts passages as `searchText` does:
 * staged and removed ones too, until a merge leaves these out. Filters exclude most segments, so that it is fast for
 * hundreds of terms of which few occur.
 */
export function holdersOf(
  connection: Connection,
  indexId: number,
  terms: Iterable<number>,
): Map<number, number> {
  const holders = new Map<number, number>()
  for (const term of terms) holders.set(term, 0)
  for (const segment of segmentsToSearch(connection, indexId))
    for (const [term, count] of holders) {
      const postings = lookUp(connection, segment, term)
      if (postings) holders.set(term, count + postings.count)
    }
  return holders
}

function corpusOf(segments: readonly TextSegment[]) {
  const passages = segments.reduce((sum, { ids }) => sum + ids.size, 0)
  const terms = segments.reduce((sum, segment) => sum + segment.terms, 0)
  return { passages, averageLength: Math.max(1, terms / passages) }
}

function lookUp(connection: Connection, segment: TextSegment, term: number): Postings | undefined {
  if (!mayHaveTerm(segment.filter, term)) return undefined
  const row = connection.get<PageRow>(
    'SELECT page FROM text_pages WHERE segment_id = ? AND first_term <= ? ORDER BY first_term DESC LIMIT 1',
    segment.id,
    term,
  )
  return row && postingsOf(row.page, term)
}

/** A score for each passage of each segment. */
class Scores {
  readonly #segments: readonly TextSegment[]
  /** Where the passages of each segment begin. */
  readonly #starts: number[] = []
  readonly #firstIds: number[]
  readonly #scores: Float32Array

  constructor(segments: readonly TextSegment[]) {
    this.#segments = segments
    this.#firstIds = segments.map(({ ids }) => ids.idAt(0))
    let passages = 0
    for (const { ids } of segments) {
      this.#starts.push(passages)
      passages += ids.size
    }
    this.#scores = new Float32Array(passages)
  }

  ofSegment(at: number): Float32Array {
    return this.#scores.subarray(this.#starts[at]!, this.#starts[at + 1])
  }

  /** Best first. When all ranked ones were taken, four times as many are ranked. */
  *ranked(allowed?: Ids): Generator<Omit<KeywordHit, 'matched'>> {
    const scores =
      allowed && allowed.size * MANY_ALLOWED < this.#scores.length ? this.#only(allowed) : this.#scores
    for (let capacity = FIRST; ; capacity *= 4) {
      const best = new Best(capacity)
      for (let place = 0; place < scores.length; place++)
        if (scores[place]! > 0) best.offer(place, scores[place]!)
      const ranked = best.ranked()
      for (const { owner, score } of ranked) {
        scores[owner] = 0
        const id = this.#idAt(owner)
        if (id !== undefined && (!allowed || allowed.has(id))) yield { id, score }
      }
      if (ranked.length < capacity) return
    }
  }

  #only(allowed: Ids): Float32Array {
    const scores = new Float32Array(this.#scores.length)
    for (const id of allowed) {
      const at = lastNotAbove(this.#firstIds, id)
      const number = this.#segments[at]!.ids.numberOf(id)
      if (number !== undefined) scores[this.#starts[at]! + number] = this.#scores[this.#starts[at]! + number]!
    }
    return scores
  }

  /** Undefined for a removed passage. */
  #idAt(place: number): number | undefined {
    const at = lastNotAbove(this.#starts, place)
    const { ids, gone } = this.#segments[at]!
    const number = place - this.#starts[at]!
    return hasBit(gone, number) ? undefined : ids.idAt(number)
  }
}
