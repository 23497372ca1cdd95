import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Candidate } from '../contract/search.ts'
import { builtInEmbedder } from '../embed/builtin.ts'
import { basisOf, confidenceAmong } from './confidence.ts'
import type { ConfidenceBasis } from './confidence-features.ts'
import { CONFIDENCE_WEIGHTS, FITTED_EMBEDDER, UNLIKELY_BELOW } from './confidence-weights.ts'

const QUESTION = 'how long does the heron wait?'

/** Of a length and script in which the sentence may be said. */
const MEASURED = 'how long does the heron at the river wait for a fish?'

let made = 0
const chunk = (
  matched: number | null,
  vectorScore: number | null,
  { source = `file ${made}`, text = 'The heron waits.' } = {},
): Candidate => ({
  id: String(made++),
  pageContent: text,
  metadata: { source },
  keywordScore: matched,
  ...{ matched, vectorScore },
})

/** The candidates in the order in which they are given are those of the ranking. */
const among = (found: readonly Candidate[], basis: ConfidenceBasis | undefined, question = QUESTION) =>
  confidenceAmong({ question, found, ranked: found.map((candidate) => ({ candidate, score: 1 })) }, basis)

const CODE = 'def wait_for(bird):\n    return [b for b in birds() if b.kind == bird]'

const BASES = ['both', 'vector', 'keyword'] as const

test('basisOf() uses the cosine only where the weights were fitted with it [query:confidence]', () => {
  assert.equal(FITTED_EMBEDDER, builtInEmbedder().id)
  assert.equal(basisOf({ mode: 'hybrid', metric: 'cosine' }, FITTED_EMBEDDER), 'both')
  assert.equal(basisOf({ mode: 'vector', metric: 'cosine' }, FITTED_EMBEDDER), 'vector')
  for (const [metric, embedder] of [
    ['cosine', 'openai/text-embedding-3-small'],
    ['euclidean', FITTED_EMBEDDER],
  ] as const) {
    assert.equal(basisOf({ mode: 'hybrid', metric }, embedder), 'keyword')
    assert.equal(basisOf({ mode: 'vector', metric }, embedder), undefined)
    assert.equal(basisOf({ mode: 'keyword', metric }, embedder), 'keyword')
  }
})

test('confidenceAmong() rises with the part of the question that matches, and with the cosine', () => {
  const found = [chunk(0.9, 0.8), chunk(0.4, 0.8), chunk(0.4, 0.2), chunk(0.1, 0.1)]
  const values = found.map((one) => among(found, 'both').of(one)!)
  assert.deepEqual(
    values,
    values.toSorted((one, other) => other - one),
  )
  assert.equal(new Set(values).size, 4)
  assert.ok(values.every((value) => value > 0 && value < 1))
})

test('confidenceAmong() is lower where many chunks match as well as the best', () => {
  const alone = [chunk(0.6, 0.5), ...Array.from({ length: 19 }, () => chunk(0.1, 0.5))]
  const together = Array.from({ length: 20 }, () => chunk(0.6, 0.5))
  for (const basis of ['both', 'keyword'] as const)
    assert.ok(among(alone, basis).of(alone[0]!)! > 2 * among(together, basis).of(together[0]!)!)
})

test('confidenceAmong() compares a chunk with the next source: its neighbour in the same source does not count against it', () => {
  const best = () => chunk(0.6, 0.6, { source: 'manual' })
  const rest = Array.from({ length: 18 }, () => chunk(0.1, 0.1))
  const beside = (other: Candidate) => {
    const found = [best(), other, ...rest]
    return BASES.map((basis) => among(found, basis).of(found[0]!)!)
  }
  const neighbour = beside(chunk(0.55, 0.55, { source: 'manual' }))
  const stranger = beside(chunk(0.55, 0.55, { source: 'another' }))
  for (const [at, value] of neighbour.entries()) assert.ok(value > stranger[at]!, BASES[at])
  // All chunks of one long document: the third one that is as good does count.
  const alone = [best(), ...Array.from({ length: 19 }, () => chunk(0.55, 0.55, { source: 'manual' }))]
  assert.ok(among(alone, 'keyword').of(alone[0]!)! < neighbour[2]!)
})

test('confidenceAmong() does not depend on what is beyond the first twenty', () => {
  const found = Array.from({ length: 20 }, (_, at) => chunk(0.9 - at / 50, 0.9 - at / 50))
  const more = [...found, ...Array.from({ length: 80 }, () => chunk(0.3, 0.3))]
  for (const basis of BASES) assert.equal(among(found, basis).of(found[0]!), among(more, basis).of(found[0]!))
})

test('confidenceAmong() is null without a basis, and for a chunk that the only side did not find', () => {
  const found = [chunk(null, 0.9), chunk(0.5, 0.1)]
  assert.equal(among(found, undefined).of(found[0]!), null)
  assert.equal(among(found, 'keyword').of(found[0]!), null)
  assert.notEqual(among(found, 'keyword').of(found[1]!), null)
})

test('confidenceAmong() is null where another server searched the words: its share of the largest score is not known [query:confidence]', () => {
  const found = [{ ...chunk(null, 0.9), keywordScore: 7 }, chunk(null, 0.3)]
  for (const basis of ['both', 'keyword'] as const) assert.equal(among(found, basis).of(found[0]!), null)
  assert.notEqual(among(found, 'vector').of(found[0]!), null)
})

test('confidenceAmong() is null for chunks of source code, and for all where several are [query:confidence]', () => {
  const code = () => chunk(0.5, 0.5, { text: CODE })
  const mixed = [chunk(0.6, 0.6), code(), chunk(0.3, 0.3), code(), chunk(0.2, 0.2)]
  const some = among(mixed, 'both')
  assert.deepEqual(
    mixed.map((one) => some.of(one) === null),
    [false, true, false, true, false],
  )
  const mostly = [...mixed, code()]
  for (const one of mostly) assert.equal(among(mostly, 'both').of(one), null)
})

test('confidenceAmong() is null for a question that is shorter or longer than those it was fitted on, or quotes code [query:confidence]', () => {
  const found = [chunk(0.9, 0.9), chunk(0.1, 0.1)]
  const isKnown = (question: string) => among(found, 'both', question).of(found[0]!) !== null
  for (const question of [
    'the heron waits',
    `${'why '.repeat(40)}heron`,
    'what does wait_for do here?',
    'where is heron.wait() called from?',
    '鷺は待つ',
  ])
    assert.equal(isKnown(question), false, question)
  for (const question of ['where does it wait', `${'why '.repeat(39)}heron`, '鷺はどこで待ちますか'])
    assert.equal(isKnown(question), true, question)
})

test('confidenceAmong() says that probably none answers where all of the first ten are low, in the conditions that were measured [query:confidence:unlikely]', () => {
  const weak = () => Array.from({ length: 20 }, () => chunk(0.02, 0.1))
  const isUnlikely = (found: Candidate[], question = MEASURED, basis: ConfidenceBasis = 'both') =>
    among(found, basis, question).unlikely
  const [, below = 0] = UNLIKELY_BELOW.both.latin
  const confidence = among(weak(), 'both', MEASURED)
  assert.ok(below > 0 && confidence.of(chunk(0.02, 0.1))! < below)
  assert.equal(isUnlikely(weak()), true)
  assert.equal(isUnlikely([...weak().slice(0, 9), chunk(0.9, 0.9)]), false)
  assert.equal(isUnlikely([...weak().slice(0, 10), chunk(0.3, 0.3)]), true)
  // What gets no confidence could be the answer.
  assert.equal(isUnlikely([chunk(0.02, 0.1, { text: CODE }), ...weak()]), false)
  assert.equal(isUnlikely([]), false)
  for (const question of [
    'heron',
    `${'why '.repeat(25)}heron`,
    `${'why '.repeat(50)}heron`,
    'где и как долго ждёт эта цапля сегодня на реке?',
  ])
    assert.equal(isUnlikely(weak(), question), false, question)
  // Where no threshold kept the promise it is 0, and nothing is said.
  for (const basis of ['keyword', 'vector'] as const) {
    const high = among(weak(), basis, MEASURED).of(chunk(0.02, 0.1))!
    assert.equal(isUnlikely(weak(), MEASURED, basis), high < UNLIKELY_BELOW[basis].latin[1]!)
  }
})

test('the weights are those of the features', () => {
  assert.deepEqual(
    BASES.map((basis) => CONFIDENCE_WEIGHTS[basis].length),
    [7, 6, 6],
  )
})
