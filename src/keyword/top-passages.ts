import { hasBit } from './bits.ts'
import { nthHighest } from './nth-highest.ts'
import type { Postings } from './page.ts'
import { LEFT_OUT, PassageScores } from './passage-scores.ts'

/** A segment as it is searched. */
export type ScoredSegment = {
  /** Length classes by the number of the passage. */
  classes: Uint8Array
  /** Bits of the removed passages. */
  gone: Uint8Array | null
  /** The numbers of the passages to score, in any order; undefined for all. */
  allowed?: readonly number[] | undefined
  /** The postings of each term, in the order of the weights; undefined where the segment does not have it. */
  entries: readonly ({ count: number; postings(): Postings } | undefined)[]
}

/** `segment` and `passage` are numbers. */
export type PassageHit = { segment: number; passage: number; score: number }

/** Scores are sums of float32 numbers in another order than their bounds: a bound counts for a little more. */
const ROUNDING = 2e-5

/** So many scores are compared in the time in which a posting is added. */
const SCORES_PER_POSTING = 16

/**
 * Only passages with more than this part of the least score become candidates: with less there are so many that each block
 * of a long list has one. Measured with questions of 8 and of 50 words at a million passages.
 */
const FEW_ABOVE = 0.6

/** So few candidates need no higher least score. */
const MANY_CANDIDATES = 2000

/** How many passages more than asked for are returned where they have the score of the last one. */
export const MOST_TIES = 256

let shared: PassageScores | undefined

/**
 * The `count` best passages with a score above 0, and at most `MOST_TIES` more that have the score of the last one, best first;
 * equal ones in the order of the segments. The result is that of adding up all scores, to the bit: terms are added in the
 * given order, and left out are only passages that cannot be among the best.
 *
 * The method is MaxScore, term after term: once the terms that are left cannot lift a passage from 0 to the least score
 * of the best so far, only the passages that they can still lift there are looked up in their lists.
 *
 * @param weights of the terms, the most that each adds, as float32 numbers in descending order
 * @param dampings by length class
 */
export function topPassages(
  segments: readonly ScoredSegment[],
  weights: Float32Array,
  dampings: Float32Array,
  count: number,
): PassageHit[] {
  shared ??= new PassageScores()
  const best = new BestPassages(count)
  for (const [at, segment] of segments.entries()) scoreSegment(shared, segment, weights, dampings, best, at)
  return best.ranked()
}

function scoreSegment(
  scores: PassageScores,
  segment: ScoredSegment,
  weights: Float32Array,
  dampings: Float32Array,
  best: BestPassages,
  number: number,
): void {
  const terms = segment.entries.flatMap((entry, at) => (entry ? [{ entry, weight: weights[at]! }] : []))
  let rest = terms.reduce((sum, { weight }) => sum + weight, 0)
  const all = rest
  let least = best.least
  /** What a score has to be at this moment to reach the least one with so much more. */
  const needed = (more: number) => least * (1 - ROUNDING) - more
  if (terms.length === 0 || needed(rest) > 0) return
  scores.begin(segment.classes, dampings, segment.allowed ? LEFT_OUT : 0)
  leaveOut(scores.scores, segment)
  let candidates = segment.allowed ? scores.collect(0) : undefined
  for (const [at, { entry, weight }] of terms.entries()) {
    const lowest = needed(rest)
    if (candidates) candidates = scores.narrow(lowest)
    else if (lowest > FEW_ABOVE * least) candidates = scores.collect(lowest)
    if (candidates?.length === 0) return
    scores.add(entry.postings(), weight, needed(all - weight), candidates !== undefined)
    rest -= weight
    // Raising the least score pays off where it may spare a long list, or many hits that are not among the best. The best of
    // the segments before give one that is high enough.
    if (best.isFull) continue
    const next = terms[at + 1]?.entry.count ?? Infinity
    const near = rest < (least > ABOVE_ZERO ? 2 * least : all / 2)
    const many = !candidates || candidates.length > MANY_CANDIDATES
    if (many && near && next * SCORES_PER_POSTING > segment.classes.length)
      least = best.leastWith(scores.tops(), least)
  }
  const hits = candidates ? scores.narrow(least) : scores.collect(least)
  best.add(number, hits, scores.scores)
}

function leaveOut(scores: Float32Array, { gone, allowed }: ScoredSegment): void {
  if (allowed) {
    for (const passage of allowed) if (!hasBit(gone, passage)) scores[passage] = 0
  } else if (gone)
    for (const [at, byte] of gone.entries())
      if (byte !== 0)
        for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) scores[8 * at + bit] = LEFT_OUT
}

/** The smallest float32 number above 0. */
const ABOVE_ZERO = 2 ** -149

/** The best passages so far. */
class BestPassages {
  readonly #count: number
  /** In the order in which they came. */
  #kept: PassageHit[] = []
  /** A score below this is not among the best any more. */
  least = ABOVE_ZERO

  constructor(count: number) {
    this.#count = count
  }

  get isFull(): boolean {
    return this.#kept.length >= this.#count
  }

  /** Takes passages with a score of at least the least one, in ascending order. */
  add(segment: number, passages: Uint32Array, scores: Float32Array): void {
    const all = new Float32Array(this.#kept.length + passages.length)
    for (const [at, { score }] of this.#kept.entries()) all[at] = score
    for (let at = 0; at < passages.length; at++) all[this.#kept.length + at] = scores[passages[at]!]!
    const last = all.length < this.#count ? 0 : nthHighest(all, this.#count)
    const above = all.reduce((sum, score) => (score > last ? sum + 1 : sum), 0)
    let equal = this.#count - above + MOST_TIES
    const isKept = (score: number) => score > last || (score === last && equal-- > 0)
    this.#kept = this.#kept.filter(({ score }) => isKept(score))
    for (const passage of passages) {
      const score = scores[passage]!
      if (isKept(score)) this.#kept.push({ segment, passage, score })
    }
    // Once there are enough of the last score, a later one has to be higher.
    if (this.isFull) this.least = equal > 0 ? last : nextFloat(last)
  }

  /** The least score where a segment has these, each of a passage of its own, beside the kept ones; at least `least`. */
  leastWith(tops: Float32Array, least: number): number {
    const all = new Float32Array(tops.length + this.#kept.length)
    let length = 0
    for (const score of tops) if (score >= least) all[length++] = score
    for (const { score } of this.#kept) if (score >= least) all[length++] = score
    if (length < this.#count) return least
    return Math.max(least, nthHighest(all.subarray(0, length), this.#count))
  }

  ranked(): PassageHit[] {
    return this.#kept.sort((left, right) => right.score - left.score)
  }
}

const bits = new Int32Array(1)
const float = new Float32Array(bits.buffer)

/** The float32 number after one above 0. */
function nextFloat(score: number): number {
  float[0] = score
  bits[0]!++
  return float[0]!
}
