import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Candidate } from '../contract/search.ts'
import { type ConfidenceBasis, featuresOf } from './confidence-features.ts'
import { UNRELATED_COSINE } from './confidence-weights.ts'

type Value = number | null

let made = 0
const chunk = (matched: Value, vectorScore: Value, source: string | undefined = `${made}`): Candidate => ({
  id: String(made++),
  pageContent: 'text',
  metadata: source === undefined ? {} : { source },
  keywordScore: matched,
  ...{ matched, vectorScore },
})

/** Three words. */
const QUESTION = 'where is it'

const features = (found: readonly Candidate[], basis: ConfidenceBasis, of = found[0]!) => {
  const ranked = found.map((candidate) => ({ candidate, score: 1 }))
  return featuresOf({ question: QUESTION, found, ranked }, basis)(of)
}

/** To nine digits. */
const rounded = (values: number[] | null) => values?.map((value) => Math.round(value * 1e9) / 1e9)

const LENGTH = Math.round(Math.log(4) * 1e9) / 1e9

test('featuresOf() gives the value, what it lacks of the best, the mean of those behind the best, the gap, and the length', () => {
  const found = [chunk(0.6, 0), chunk(0.8, 0), chunk(0.3, 0)]
  assert.deepEqual(rounded(features(found, 'keyword')), [
    ...[0.6, 0.2, Math.round((0.9 / 19) * 1e9) / 1e9, -0.2],
    LENGTH,
  ])
})

test('featuresOf() counts a missing hit as one that matches no word, and for vectors as an unrelated one', () => {
  assert.deepEqual(rounded(features([chunk(0.6, 0.9)], 'keyword')), [0.6, 0, 0, 0.6, LENGTH])
  assert.deepEqual(rounded(features([chunk(0.6, 0.9)], 'vector')), [
    ...[0.9, 0, UNRELATED_COSINE],
    ...rounded([0.9 - UNRELATED_COSINE])!,
    LENGTH,
  ])
  // What only the other side found has the value 0 among all.
  const found = [chunk(0.6, 0.9), chunk(null, 0.5)]
  assert.deepEqual(rounded(features(found, 'keyword')), [0.6, 0, 0, 0.6, LENGTH])
})

test('featuresOf() gives the cosine last where both sides count, 0 where there is none', () => {
  assert.deepEqual(rounded(features([chunk(0.6, 0.9)], 'both')), [0.6, 0, 0, 0.6, LENGTH, 0.9])
  assert.deepEqual(rounded(features([chunk(0.6, null)], 'both')), [0.6, 0, 0, 0.6, LENGTH, 0])
  assert.deepEqual(rounded(features([chunk(null, 0.9)], 'both')), [0, 0, 0, 0, LENGTH, 0.9])
  assert.equal(features([chunk(null, 0.9)], 'keyword'), null)
  assert.equal(features([chunk(0.9, null)], 'vector'), null)
})

test('featuresOf() compares with the next source, and with own chunks but the best one', () => {
  const gap = (...others: Candidate[]) =>
    rounded(features([chunk(0.9, 0, 'own'), ...others], 'keyword'))![3]!.toFixed(2)
  assert.equal(gap(chunk(0.8, 0, 'other'), chunk(0.7, 0, 'another')), '0.10')
  assert.equal(gap(chunk(0.8, 0, 'own')), '0.90')
  assert.equal(gap(chunk(0.5, 0, 'own'), chunk(0.8, 0, 'own')), '0.40')
  assert.equal(gap(chunk(0.4, 0, 'own'), chunk(0.8, 0, 'own'), chunk(0.6, 0, 'own')), '0.30')
  assert.equal(gap(chunk(0.8, 0, 'own'), chunk(0.5, 0, 'own'), chunk(0.6, 0, 'other')), '0.30')
  assert.equal(gap(chunk(null, 0, 'other')), '0.90')
})

test('featuresOf() takes chunks without a source for others of one another', () => {
  const found = [chunk(0.9, 0), chunk(0.8, 0)].map((one) => ({ ...one, metadata: {} }))
  assert.equal(rounded(features(found, 'keyword'))![3]!.toFixed(2), '0.10')
})

test('featuresOf() looks at the first twenty of the ranking, and at the twenty best values', () => {
  const found = Array.from({ length: 21 }, (_, at) => chunk(0.1 + at / 100, 0))
  const ranked = found.map((candidate) => ({ candidate, score: 1 }))
  const [value, below, background, gap] = rounded(
    featuresOf({ question: QUESTION, found, ranked }, 'keyword')(found[0]!),
  )!
  // The best of all is the last one of the ranking, which is not among the first.
  assert.deepEqual([value, below, gap], [0.1, 0.2, -0.19])
  assert.equal(background, 0.2)
})
