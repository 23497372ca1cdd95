import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../server/jobs.ts'
import { buttonText, partDone, progressFacts, stageText } from './job-text.ts'

const START = '2026-01-01T00:00:00.000Z'
const job = (more: Partial<Job>): Job => ({
  id: 'j',
  flowId: 'f',
  kind: 'upsert',
  state: 'running',
  attempt: 1,
  stage: 'parse',
  files: { total: 4, done: 1, failed: 0, empty: 0 },
  chunks: { seen: 0, embedded: 0, written: 0 },
  nodes: [],
  rate: null,
  etaSeconds: null,
  result: null,
  error: null,
  createdAt: START,
  startedAt: START,
  finishedAt: null,
  ...more,
})

test('stageText() names the state, and the stage while a job runs', () => {
  assert.equal(stageText(job({})), 'Reading')
  assert.equal(stageText(job({ stage: null })), 'Starting')
  assert.equal(stageText(job({ state: 'queued' })), 'Waiting for its turn')
  assert.equal(stageText(job({ state: 'queued', waitsFor: 'upload store' })), 'Waiting for the upload store')
  const waiting = { server: 'OpenSearch', reason: '429', since: START }
  assert.equal(stageText(job({ waiting }), Date.parse(START) + 120_000), 'Waiting for OpenSearch: 429, 2 min')
  assert.equal(stageText(job({ attempt: 2 })), 'Reading, attempt 2')
  assert.equal(stageText(job({ state: 'cancelled' })), 'Cancelled')
})

test('partDone() goes by the time left, else by files, else it is unknown', () => {
  assert.equal(partDone(job({ etaSeconds: 30 }), Date.parse(START) + 10_000), 0.25)
  assert.equal(partDone(job({})), 0.25)
  assert.equal(partDone(job({ files: { total: 1, done: 0, failed: 0, empty: 0 } })), undefined)
  assert.equal(partDone(job({ state: 'done' })), 1)
})

test('progressFacts() leave out what is not known yet', () => {
  assert.deepEqual(progressFacts(job({})), ['1 of 4 files'])
  assert.deepEqual(
    progressFacts(
      job({
        files: { total: 4, done: 2, failed: 1, empty: 0 },
        chunks: { seen: 1200, embedded: 9, written: 8 },
        rate: 99.6,
        etaSeconds: 70,
      }),
    ),
    [
      '2 of 4 files',
      '1 failed',
      '1,200 chunks read',
      '8 written',
      '100 chunks per second',
      'about 1 min left',
    ],
  )
})

test('buttonText() never says 100 % while a job runs', () => {
  assert.equal(buttonText(job({ files: { total: 2, done: 2, failed: 0, empty: 0 } })), 'Upserting 99 %')
  assert.equal(buttonText(job({ files: { total: 1, done: 0, failed: 0, empty: 0 } })), 'Upserting…')
})
