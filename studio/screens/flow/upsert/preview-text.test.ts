import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../../server/jobs.ts'
import { changeValue, fateCounts, previewCounts, previewOf, previewWords, priceText } from './preview-text.ts'

test('previewOf() fills in what an answer leaves out, and is undefined for a job without a result', () => {
  const job = { state: 'done', result: { numAdded: 2, estimate: { texts: 2, tokens: 9 } } } as unknown as Job
  const preview = previewOf(job)!
  assert.deepEqual([preview.numAdded, preview.numDeleted, preview.estimate.tokens], [2, 0, 9])
  assert.deepEqual([preview.changes, preview.needed, preview.numMoved], [[], undefined, 0])
  assert.equal(previewOf({ ...job, state: 'cancelled', result: null }), undefined)
  const result = {
    fates: { moved: 4 },
    estimate: { texts: 1, tokens: 1e6, price: { amount: 0.02, currency: 'USD' } },
    filesNeeded: { count: 1, names: ['a.txt'] },
  }
  const full = previewOf({ state: 'done', result } as unknown as Job)!
  assert.match(full.needed!, /^1 file not kept, .*: a.txt$/)
  assert.deepEqual(
    previewCounts(full).map(([label, value]) => `${label} ${value}`),
    [
      'Added 0',
      'Updated 0',
      'Skipped 0',
      'of these moved 4',
      'Deleted 0',
      'Tokens to embed ≈ 1,000,000',
      'Price ≈ 0.02 USD',
    ],
  )
  assert.equal(priceText({ amount: 0.000036, currency: 'EUR' }), '≈ 0.000036 EUR')
})

test('fateCounts() names the fates that chunks of the source have, and how many there are before and after', () => {
  const counts = { added: 0, updated: 0, moved: 0, skipped: 0, deleted: 0, unchanged: 0 }
  const none = { source: 'a.txt', tokens: 0, ...counts }
  assert.equal(fateCounts({ ...none, added: 1200 }), '1,200 added')
  assert.equal(fateCounts({ ...none, added: 3, deleted: 1, moved: 2 }), '3 → 5: 3 added, 2 moved, 1 deleted')
  assert.equal(fateCounts(none), 'no chunks')
})

test('previewWords() says what was previewed, and what has to be done before it can be loaded', () => {
  const words = (request: Parameters<typeof previewWords>[0], files = 0) => {
    const { title, about, action, waiting } = previewWords(request, files)
    return [title, about('A'), action, waiting]
  }
  const files = { files: [], stopNodeId: undefined }
  assert.deepEqual(words(files, 2), [
    'Preview',
    'What an upsert into A would do',
    'Upsert 2 files',
    undefined,
  ])
  assert.equal(words({ ...files, draft: true })[3], 'Publish the draft first')
  assert.equal(words({ ...files, flowData: '{}' })[3], 'Save the flow first')
  assert.deepEqual(words({ ...files, draft: true, refresh: true }), [
    'What would change',
    'What loading the documents of A again would do with the draft',
    'Publish and load again',
    undefined,
  ])
  assert.equal(words({ ...files, refresh: true })[2], 'Load again')
})

test('changeValue() writes a value of a setting for a person', () => {
  assert.deepEqual([null, '', true, false, 6, 'x', ['a']].map(changeValue), [
    'none',
    'none',
    'on',
    'off',
    '6',
    'x',
    '["a"]',
  ])
})
