import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../../server/jobs.ts'
import { type FileOutcome, filesByUrgency, placeText, recordOf } from './record.ts'

test('recordOf() fills in what the server left out, and is undefined for a job without a result', () => {
  const job = { state: 'done', result: { numAdded: 3 } } as unknown as Job
  assert.equal(recordOf(job)!.numAdded, 3)
  assert.deepEqual(recordOf(job)!.files, [])
  assert.equal(recordOf({ ...job, state: 'failed' }), undefined)
  assert.equal(recordOf({ ...job, result: null }), undefined)
})

test('filesByUrgency() puts failed and empty files first and keeps the order of the others', () => {
  const files = ['indexed', 'empty', 'unchanged', 'failed', 'indexed'].map((status, name) => ({
    status,
    name: String(name),
  }))
  assert.deepEqual(
    filesByUrgency(files as FileOutcome[]).map(({ name }) => name),
    ['3', '1', '0', '2', '4'],
  )
})

test('placeText() names the page, else the lines', () => {
  const place = (metadata: object) => placeText({ pageContent: '', metadata } as never)
  assert.equal(place({ loc: { pageNumber: 3, lines: { from: 1, to: 2 } } }), 'page 3')
  assert.equal(place({ loc: { lines: { from: 1, to: 2 } } }), 'lines 1–2')
  assert.equal(place({ loc: { lines: { from: 4, to: 4 } } }), 'line 4')
  assert.equal(place({}), '')
})
