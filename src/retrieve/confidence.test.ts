import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInEmbedder } from '../embed/builtin.ts'
import { basisOf, confidenceAmong } from './confidence.ts'
import { FITTED_EMBEDDER } from './confidence-weights.ts'

const chunk = (matched: number | null, vectorScore: number | null) => ({
  matched,
  vectorScore,
  keywordScore: matched,
})

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
  const confidence = confidenceAmong(found, 'both')
  const values = found.map((one) => confidence(one)!)
  assert.deepEqual(
    values,
    values.toSorted((one, other) => other - one),
  )
  assert.equal(new Set(values).size, 4)
  assert.ok(values.every((value) => value > 0 && value < 1))
})

test('confidenceAmong() is lower where many chunks match as well as the best', () => {
  const alone = [chunk(0.6, 0.5), ...Array.from({ length: 19 }, () => chunk(0.1, 0.5))]
  const among = Array.from({ length: 20 }, () => chunk(0.6, 0.5))
  for (const basis of ['both', 'keyword'] as const)
    assert.ok(confidenceAmong(alone, basis)(alone[0]!)! > 2 * confidenceAmong(among, basis)(among[0]!)!)
})

test('confidenceAmong() does not depend on the order of what was found, nor on what is beyond the first twenty', () => {
  const found = Array.from({ length: 20 }, (_, at) => chunk(0.9 - at / 50, 0.9 - at / 50))
  const more = [...found, ...Array.from({ length: 80 }, () => chunk(0.3, 0.3))].reverse()
  for (const basis of ['both', 'vector', 'keyword'] as const)
    assert.equal(confidenceAmong(found, basis)(found[0]!), confidenceAmong(more, basis)(found[0]!))
})

test('confidenceAmong() is null without a basis, and for a chunk that the only side did not find', () => {
  const found = [chunk(null, 0.9), chunk(0.5, 0.1)]
  assert.equal(confidenceAmong(found, undefined)(found[0]!), null)
  assert.equal(confidenceAmong(found, 'keyword')(found[0]!), null)
  assert.notEqual(confidenceAmong(found, 'keyword')(found[1]!), null)
})
