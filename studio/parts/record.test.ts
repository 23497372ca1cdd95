import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../server/jobs.ts'
import { recordOf } from './record.ts'

test('recordOf() fills in what the server left out, and is undefined for a job without a result', () => {
  const job = { state: 'done', result: { numAdded: 3 } } as unknown as Job
  assert.equal(recordOf(job)!.numAdded, 3)
  assert.deepEqual(recordOf(job)!.files, [])
  assert.equal(recordOf({ ...job, state: 'failed' }), undefined)
  assert.equal(recordOf({ ...job, result: null }), undefined)
})
