import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBody, queryString } from './query.ts'

const takes = (shape: { safeParse(value: unknown): { success: boolean } }, value: object) =>
  shape.safeParse(value).success

const [body, text] = [
  (more: object) => takes(queryBody, { query: 'why?', ...more }),
  (more: object) => takes(queryString, { q: 'why?', ...more }),
]

for (const [field, least, most, step] of [
  ['topK', 1, 1000, 1],
  ['weight', 0, 1, 0.01],
  ['minScore', -1, 1, 0.01],
] as const)
  test(`a query takes ${field} from ${least} to ${most}, in a body and in an address`, () => {
    for (const value of [least, most]) {
      assert.ok(body({ [field]: value }))
      assert.ok(text({ [field]: String(value) }))
    }
    for (const value of [least - step, most + step]) {
      assert.equal(body({ [field]: value }), false)
      assert.equal(text({ [field]: String(value) }), false)
    }
    assert.equal(text({ [field]: 'many' }), false)
  })

test('a query in a body takes the numbers of MMR and near duplicates within their bounds', () => {
  for (const more of [
    { mmr: true },
    { mmr: { fetchK: 1, lambda: 0 } },
    { mmr: { fetchK: 1000, lambda: 1 } },
    { nearDuplicates: false },
    { nearDuplicates: 0 },
    { nearDuplicates: 1 },
  ])
    assert.ok(body(more))
  for (const more of [
    { mmr: { fetchK: 0 } },
    { mmr: { fetchK: 1001 } },
    { mmr: { lambda: 1.1 } },
    { mmr: { lambda: -0.1 } },
    { nearDuplicates: 1.1 },
    { nearDuplicates: -0.1 },
    { topK: 1.5 },
    { mode: 'words' },
  ])
    assert.equal(body(more), false, JSON.stringify(more))
})

test('a body has either a query or queries: 1 to 100, of a million characters together', () => {
  const long = 'x'.repeat(100_000)
  for (const given of [
    { query: long },
    { queries: Array(100).fill('x') },
    { queries: Array(10).fill(long) },
    { query: 'x', queries: null },
  ])
    assert.ok(takes(queryBody, given))
  for (const given of [
    {},
    { query: null, queries: null },
    { query: 'x', queries: ['x'] },
    { query: '' },
    { query: `${long}x` },
    { queries: [] },
    { queries: [''] },
    { queries: Array(101).fill('x') },
    { queries: [...Array(10).fill(long), 'x'] },
  ])
    assert.equal(takes(queryBody, given), false)
})

test('the history of a query has at most 1,000 questions', () => {
  assert.ok(body({ history: Array(1000).fill('') }))
  assert.equal(body({ history: Array(1001).fill('') }), false)
  assert.equal(body({ history: ['x'.repeat(100_001)] }), false)
})

test('a query in an address reads true and false, and takes an empty number for an absent one', () => {
  assert.partialDeepStrictEqual(
    queryString.parse({ q: 'x', topK: '7', weight: '', minScore: '', rerank: 'false', explain: 'true' }),
    { q: 'x', topK: 7, rerank: false, explain: true },
  )
  const { weight, minScore } = queryString.parse({ q: 'x', weight: '', minScore: '' })
  assert.deepEqual([weight, minScore], [undefined, undefined])
  assert.equal(text({ rerank: 'yes' }), false)
  assert.equal(takes(queryString, {}), false)
  assert.equal(takes(queryString, { q: '' }), false)
})

test('a query keeps fields that it does not know, so that they can be named', () => {
  assert.partialDeepStrictEqual(queryBody.parse({ query: 'x', filtre: {} }), { filtre: {} })
  assert.partialDeepStrictEqual(queryString.parse({ q: 'x', filtre: '{}' }), { filtre: '{}' })
})
