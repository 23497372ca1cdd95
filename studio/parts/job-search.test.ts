import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobWith } from '../../test/support/job-answer.ts'
import { readJobSearch, withJob } from './job-search.ts'

test('readJobSearch() keeps known filters and leaves out what cannot be one', () => {
  const search = { flow: 'manuals', state: 'failed', kind: 'dryRun', page: 2, job: 'j' }
  assert.deepEqual(readJobSearch(search), search)
  assert.deepEqual(readJobSearch({ flow: '', state: 'gone', kind: 1, page: 0.5, job: null }), {})
})

test('withJob() replaces a job of the page; a job that is not there, or that left the filter, needs a new page', () => {
  const page = { data: [jobWith({ id: 'a' }), jobWith({ id: 'b' })], total: 2 }
  const done = jobWith({ id: 'b', state: 'done' })
  assert.deepEqual(
    withJob(page, done, {})!.data.map(({ id, state }) => [id, state]),
    [
      ['a', 'running'],
      ['b', 'done'],
    ],
  )
  assert.equal(withJob(page, jobWith({ id: 'c' }), {}), undefined)
  assert.equal(withJob(page, done, { state: 'running' }), undefined)
})
