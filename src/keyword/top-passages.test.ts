import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { hasBit, setBit } from './bits.ts'
import { dampings } from './bm25.ts'
import { eachPosting, type TermPage, PageWriter, type Postings, postingsOf } from './page.ts'
import { MOST_TIES, type PassageHit, type ScoredSegment, topPassages } from './top-passages.ts'

const TERM = 99
const f32 = Math.fround

type Random = (bound: number) => number

/** The postings of a term that one in `rarity` passages has. */
function somePostings(
  random: Random,
  classes: Uint8Array,
  rarity: number,
  most: number,
): Postings | undefined {
  const pages: TermPage[] = []
  const writer = new PageWriter(classes, (page) => pages.push(page))
  for (let passage = random(rarity); passage < classes.length; passage += 1 + random(2 * rarity - 1))
    writer.add(passage, 1 + (random(3) === 0 ? random(most) : 0))
  writer.endTerm(TERM)
  writer.end()
  return pages[0] && postingsOf(pages[0], TERM)
}

function someSegment(random: Random, terms: number): ScoredSegment {
  const size = 1 + random([60, 500, 9000, 40_000][random(4)]!)
  // Few classes make many equal scores.
  const classes = Uint8Array.from({ length: size }, () => 90 + random(random(2) === 0 ? 3 : 90))
  const gone = random(2) === 0 ? null : new Uint8Array(Math.ceil(size / 8))
  if (gone) for (let at = random(9); at < size; at += 1 + random(20)) setBit(gone, at)
  const allowed =
    random(3) === 0 ? Array.from({ length: size }, (_, at) => at).filter(() => random(30) === 0) : undefined
  const entries = Array.from({ length: terms }, () => {
    const postings = somePostings(
      random,
      classes,
      1 + random([3, 40, 5000][random(3)]!),
      [2, 9, 600][random(3)]!,
    )
    return postings && { count: postings.count, postings: () => postings }
  })
  return { classes, gone, allowed, entries }
}

/** Adds up everything, in plain code. */
function exhaustive(
  segments: readonly ScoredSegment[],
  weights: Float32Array,
  damping: Float32Array,
): PassageHit[] {
  return segments
    .flatMap(({ classes, gone, allowed, entries }, segment) => {
      const scores = new Float32Array(classes.length)
      for (const [term, entry] of entries.entries())
        if (entry)
          eachPosting(entry.postings(), (passage, occurrences) => {
            const share = f32(occurrences / f32(occurrences + damping[classes[passage]!]!))
            scores[passage]! += f32(weights[term]! * share)
          })
      const kept = allowed && new Set(allowed)
      return Array.from(scores, (score, passage) => ({ segment, passage, score })).filter(
        ({ passage, score }) => score > 0 && !hasBit(gone, passage) && (!kept || kept.has(passage)),
      )
    })
    .sort((left, right) => right.score - left.score)
}

/** The first of some ranked passages, and those that follow with the score of the last one. */
function best(ranked: readonly PassageHit[], count: number): PassageHit[] {
  const last = ranked[count - 1]?.score
  const equal = ranked.slice(count).findIndex(({ score }) => score !== last)
  return ranked.slice(0, count + Math.min(MOST_TIES, equal < 0 ? Infinity : equal))
}

test('topPassages() gives the same passages and scores, to the bit, as adding up all postings', () => {
  const random = randomBelow(17)
  for (let round = 0; round < 60; round++) {
    const terms = 1 + random(random(4) === 0 ? 50 : 6)
    const segments = Array.from({ length: 1 + random(4) }, () => someSegment(random, terms))
    const weights = Float32Array.from({ length: terms }, () => (1 + random(1000)) / 90)
      .sort()
      .reverse()
    const damping = dampings({ passages: 1000, averageLength: 40 + random(200) })
    const wanted = exhaustive(segments, weights, damping)
    for (const count of [1, 10, 128, 3000])
      assert.deepEqual(topPassages(segments, weights, damping, count), best(wanted, count))
  }
})

test('topPassages() reads no list of a segment that cannot have one of the best passages, and not all of common terms', () => {
  const random = randomBelow(3)
  const classes = Uint8Array.from({ length: 20_000 }, () => 80 + random(40))
  let read = 0
  const entryOf = (postings: Postings | undefined) => ({
    count: postings!.count,
    postings: () => {
      read++
      return postings!
    },
  })
  const rare = () => entryOf(somePostings(random, classes, 30, 1))
  const common = () => entryOf(somePostings(random, classes, 2, 1))
  const segment = (...entries: ScoredSegment['entries']): ScoredSegment => ({ classes, gone: null, entries })
  const damping = dampings({ passages: 1000, averageLength: 100 })
  const weights = Float32Array.of(8, 0.1)
  const hits = topPassages(
    [segment(rare(), common()), segment(undefined, common()), segment(rare(), common())],
    weights,
    damping,
    10,
  )
  assert.ok(hits.length >= 10 && hits.every(({ segment }) => segment !== 1))
  assert.equal(read, 4)
})

/** Passages of one class, each with all terms once. */
function equalSegment(passages: number, terms: number): ScoredSegment {
  const classes = new Uint8Array(passages).fill(90)
  const entries = Array.from({ length: terms }, () => {
    const pages: TermPage[] = []
    const writer = new PageWriter(classes, (page) => pages.push(page))
    for (let passage = 0; passage < passages; passage++) writer.add(passage, 1)
    writer.endTerm(TERM)
    writer.end()
    const postings = postingsOf(pages[0]!, TERM)!
    return { count: passages, postings: () => postings }
  })
  return { classes, gone: null, entries }
}

test('topPassages() returns equal passages of later segments too, after those of the first', () => {
  const damping = dampings({ passages: 1000, averageLength: 100 })
  const hits = topPassages([equalSegment(3, 1), equalSegment(3, 1)], Float32Array.of(2), damping, 2)
  assert.deepEqual(
    hits.map(({ segment, passage }) => [segment, passage]),
    [0, 1].flatMap((segment) => [0, 1, 2].map((passage) => [segment, passage])),
  )
  assert.equal(new Set(hits.map(({ score }) => score)).size, 1)
})

test('topPassages() leaves out no passage whose score is rounded to more than the sum of its weights', () => {
  // Each term adds its whole weight, and the sum of the weights as float32 numbers is above their sum.
  const damping = new Float32Array(256)
  const weights = new Float32Array(9).fill(f32(0.1))
  const rounded = weights.reduce((sum, weight) => f32(sum + weight), 0)
  assert.ok(rounded > weights.reduce((sum, weight) => sum + weight, 0))
  const hits = topPassages([equalSegment(1, 9), equalSegment(1, 9)], weights, damping, 1)
  assert.deepEqual(hits, [
    { segment: 0, passage: 0, score: rounded },
    { segment: 1, passage: 0, score: rounded },
  ])
})
