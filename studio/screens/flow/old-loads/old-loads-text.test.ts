import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadComparison } from '../../../server/refresh.ts'
import { differenceTexts, neededText } from './old-loads-text.ts'

const comparison = (more: Partial<LoadComparison> = {}): LoadComparison => ({
  ...{ next: 'refresh', differing: 3, fromKept: 3, fromLoaders: 0, unknownSettings: 0, embedders: null },
  filesNeeded: { count: 0, names: [] },
  differences: [{ differing: 3, summary: 'Chunk Size 1000 → 600', changes: [] }],
  ...more,
})

test('differenceTexts() says how many documents differ and in what, and names another embedder first', () => {
  const size = '3 documents loaded with other settings: Chunk Size 1000 → 600.'
  assert.deepEqual(differenceTexts(comparison()), [size])
  const embedders = { from: 'old', to: 'new' }
  assert.deepEqual(differenceTexts(comparison({ next: 'reindex', embedders })), [
    'The documents are embedded with old, and the flow embeds with new.',
    size,
  ])
  const differences = [1, 2, 3, 4, 5].map((n) => ({
    differing: n,
    summary: `Chunk Size ${n} → 600`,
    changes: [],
  }))
  assert.equal(differenceTexts(comparison({ differences })).at(-1), '9 documents with other differences.')
})

test('neededText() names the files that are not kept', () => {
  assert.equal(neededText(comparison()), undefined)
  assert.equal(
    neededText(comparison({ filesNeeded: { count: 3, names: ['a.txt', 'b.txt'] } })),
    '3 files not kept, to be sent again: a.txt, b.txt and 1 more.',
  )
})
