import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { paper } from '../../test/support/command-line.ts'
import { jobWith } from '../../test/support/job-answer.ts'
import { paintFor } from './paint.ts'
import { jobLine, showProgress } from './progress.ts'

const lastLine = (text: string) => stripVTControlCharacters(text).split('\r').at(-1)

test('showProgress() writes nothing without a terminal', () => {
  const stderr = paper()
  const progress = showProgress({ stderr }, 10, paintFor(stderr, {}))
  progress.sent(10)
  progress.uploaded()
  progress.end()
  assert.equal(stderr.text, '')
})

test('showProgress() shows the part that is uploaded, then the time of indexing, then nothing', () => {
  const stderr = paper(true)
  let time = 1000
  const progress = showProgress({ stderr }, 4000, paintFor(stderr, {}), () => time)
  assert.match(lastLine(stderr.text)!, /^Uploading ░{24} 0 % of 4\.0 kB$/)
  progress.sent(4000)
  progress.uploaded()
  time += 1000
  assert.equal(lastLine(stderr.text), 'Uploaded 4.0 kB · indexing 0 ms')
  progress.end()
  assert.equal(lastLine(stderr.text), '')
})

const running = jobWith({
  stage: 'embed',
  files: { total: 12, done: 3, failed: 0, empty: 0 },
  chunks: { seen: 4500, embedded: 10, written: 10 },
  rate: 350.4,
  etaSeconds: 12,
})

test('showProgress() shows the state of the job that the server reports', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const stderr = paper(true)
  const progress = showProgress({ stderr }, 4000, paintFor(stderr, {}), () => 1000)
  progress.sent(4000)
  progress.uploaded()
  progress.working({ ...running, state: 'queued' })
  t.mock.timers.tick(100)
  assert.equal(lastLine(stderr.text), 'Uploaded 4.0 kB · queued · 0 ms')
  progress.end()
})

test('jobLine() shows only known figures', () => {
  assert.equal(jobLine(running), 'embed · 3 of 12 files · 4,500 chunks · 350/s · 12.0 s left')
  const waiting = { server: 'OpenSearch', reason: '429', since: new Date(Date.now() - 120_500).toISOString() }
  assert.match(jobLine({ ...running, waiting }), /350\/s · waiting for OpenSearch: 429, 2 min 0\d s$/)
  const files = { total: 1, done: 0, failed: 0, empty: 0 }
  assert.equal(jobLine({ ...running, files, rate: null, etaSeconds: null }), 'embed · 4,500 chunks')
  assert.equal(jobLine({ ...running, files, state: 'queued', place: 1200 }), 'queued, place 1,200')
  assert.equal(jobLine({ ...running, state: 'cancelled' }), 'cancelled')
  assert.match(jobLine({ ...running, attempt: 2 }), /^attempt 2 · embed · /)
})

test('showProgress() shows only the sent bytes where the length is not known', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const stderr = paper(true)
  const progress = showProgress({ stderr }, undefined, paintFor(stderr, {}))
  progress.sent(1500)
  t.mock.timers.tick(100)
  assert.equal(lastLine(stderr.text), 'Uploading 1.5 kB')
  progress.end()
})
