import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { dampings } from './bm25.ts'
import { setBit } from './bits.ts'
import { PageWriter, type Postings, postingsOf, type TermPage } from './page.ts'
import { PassageScores } from './passage-scores.ts'
import { type ScoredSegment, topPassages } from './top-passages.ts'

const TERM = 7
const SIZE = 4000
const damping = dampings({ passages: SIZE, averageLength: 100 })

/** The postings of a term that some passages of one length have so often. */
function postingsWith(size: number, occurrencesOf: (passage: number) => number): Postings {
  const pages: TermPage[] = []
  const writer = new PageWriter(new Uint8Array(size).fill(90), (page) => pages.push(page))
  for (let passage = 0; passage < size; passage++)
    if (occurrencesOf(passage) > 0) writer.add(passage, occurrencesOf(passage))
  writer.endTerm(TERM)
  writer.end()
  return postingsOf(pages[0]!, TERM)!
}

function segment(size: number, ...terms: ((passage: number) => number)[]): ScoredSegment {
  const entries = terms.map((occurrencesOf) => {
    const postings = postingsWith(size, occurrencesOf)
    return { count: postings.count, postings: () => postings }
  })
  return { classes: new Uint8Array(size).fill(90), gone: null, entries }
}

const rare = (passage: number) => (passage % 100 === 0 ? 1 : 0)
const all = () => 1

/** Of which terms of a search only the candidates are looked up. */
function work(t: TestContext, segments: ScoredSegment[], weights: number[], count: number) {
  const add = t.mock.method(PassageScores.prototype, 'add')
  topPassages(segments, Float32Array.from(weights), damping, count)
  const onlyCandidates = add.mock.calls.map(({ arguments: [, , , candidatesOnly] }) => candidatesOnly)
  add.mock.restore()
  return onlyCandidates
}

test('topPassages() looks up a light term only for passages that it can still lift among the best', (t) => {
  assert.deepEqual(work(t, [segment(SIZE, rare, all)], [8, 0.1], 10), [false, true])
  // A heavy one could lift any passage.
  assert.deepEqual(work(t, [segment(SIZE, rare, all)], [8, 6], 10), [false, false])
  // So many candidates that each block of a list has one do not help.
  assert.deepEqual(work(t, [segment(SIZE, rare, all)], [8, 2.2], 10), [false, false])
  // The third one counts less than what is left after the first.
  assert.deepEqual(work(t, [segment(SIZE, rare, all, all)], [8, 2, 0.1], 10), [false, false, true])
})

test('topPassages() knows from earlier segments what is needed', (t) => {
  const one = segment(SIZE, rare, all)
  assert.deepEqual(work(t, [one, one], [8, 0.1], 10), [false, true, false, true])
  // Not one passage of the second can be among the best.
  const weak = { ...one, entries: [undefined, one.entries[1]] }
  assert.deepEqual(work(t, [one, weak], [8, 0.1], 10), [false, true])
})

test('topPassages() looks up the terms of a short list of passages for these alone', (t) => {
  const some = { ...segment(SIZE, rare, all), allowed: [3, 100, 7] }
  assert.deepEqual(work(t, [some], [8, 2], 10), [true, true])
  const none = { ...segment(SIZE, rare, all), allowed: [] }
  assert.deepEqual(work(t, [none], [8, 2], 10), [])
})

const hitsOf = (segments: ScoredSegment[], count: number, weights = [2]) =>
  topPassages(segments, Float32Array.from(weights), damping, count)

test('topPassages() returns 256 passages more than asked for where they have the score of the last one', () => {
  assert.equal(hitsOf([segment(300, all)], 1).length, 257)
  assert.equal(hitsOf([segment(257, all)], 1).length, 257)
  // One is better: the two that are asked for end with the first of the equal ones.
  const better = segment(300, (passage) => (passage === 9 ? 3 : 1))
  const hits = hitsOf([better], 2)
  assert.deepEqual([hits.length, hits[0]!.passage, hits[1]!.passage], [258, 9, 0])
})

test('topPassages() adds equal passages of later segments until there are so many', () => {
  const numbers = hitsOf([segment(200, all), segment(200, all), segment(200, all)], 10).map(
    ({ segment }) => segment,
  )
  assert.deepEqual(
    [0, 1, 2].map((one) => numbers.filter((number) => number === one).length),
    [200, 66, 0],
  )
  const later = hitsOf([segment(300, all), segment(3, () => 2)], 1)
  assert.deepEqual([later.length, later[0]!.segment], [3, 1])
})

test('topPassages() returns all with a score where fewer are asked for or there are', () => {
  assert.equal(hitsOf([segment(5, all)], 5).length, 5)
  assert.equal(hitsOf([segment(5, all)], 9).length, 5)
  assert.deepEqual(hitsOf([segment(1, all), segment(1, all)], 9).length, 2)
  assert.deepEqual(hitsOf([], 9), [])
})

test('topPassages() leaves removed passages out, in the first and the last bit of a byte', () => {
  const gone = new Uint8Array(2)
  for (const passage of [0, 7, 15]) setBit(gone, passage)
  const left = hitsOf([{ ...segment(16, all), gone }], 16).map(({ passage }) => passage)
  assert.deepEqual(left, [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14])
  const allowed = [0, 1, 7, 8]
  const both = hitsOf([{ ...segment(16, all), gone, allowed }], 16).map(({ passage }) => passage)
  assert.deepEqual(both, [1, 8])
})
