import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../../server/jobs.ts'
import { fateCounts, previewOf } from './preview-text.ts'

test('previewOf() fills in what an answer leaves out, and is undefined for a job without a result', () => {
  const job = { state: 'done', result: { numAdded: 2, estimate: { texts: 2, tokens: 9 } } } as unknown as Job
  const preview = previewOf(job)!
  assert.deepEqual([preview.numAdded, preview.numDeleted, preview.estimate.tokens], [2, 0, 9])
  assert.equal(previewOf({ ...job, state: 'cancelled', result: null }), undefined)
})

test('fateCounts() names the fates that chunks of the source have', () => {
  const none = { source: 'a.txt', tokens: 0, added: 0, updated: 0, skipped: 0, deleted: 0, unchanged: 0 }
  assert.equal(fateCounts({ ...none, added: 1200, deleted: 1 }), '1,200 added, 1 deleted')
  assert.equal(fateCounts(none), 'no chunks')
})
