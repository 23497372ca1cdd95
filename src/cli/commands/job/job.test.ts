import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { jobWith } from '../../../../test/support/job-answer.ts'
import { serve, sluice } from '../../../../test/support/command-line.ts'

const JOB = jobWith({
  state: 'failed',
  stage: 'parse',
  files: { total: 2, done: 1, failed: 0, empty: 0 },
  chunks: { seen: 1234, embedded: 0, written: 0 },
  error: { code: 'provider_failed', message: 'x failed' },
})

async function server(t: TestContext, answer: object, status = 200) {
  const calls: string[] = []
  const url = await serve(t, (request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.writeHead(status).end(JSON.stringify(answer))
  })
  return { calls, job: (...argv: string[]) => sluice(['job', ...argv, '--url', url, '--key', 'k']) }
}

test('sluice job list shows a row per job, and how many are not shown', async (t) => {
  const { job, calls } = await server(t, { data: [JOB], total: 7 })
  const { code, stdout, stderr } = await job('list', '--state', 'failed', '--flow', 'f-1', '--limit', '1')
  assert.deepEqual([code, stderr], [0, '1 of 7 are shown.\n'])
  assert.match(stdout, /^j-1 +upsert +failed +1 of 2 +1234 +2026-01-02 03:04:05 +f-1$/m)
  assert.deepEqual(calls, ['GET /api/v1/jobs?state=failed&flowId=f-1&limit=1 Bearer k'])
  assert.deepEqual(JSON.parse((await job('list', '--json')).stdout), [JOB])
  assert.equal((await job('list', '--state', 'over')).code, 2)
})

test('sluice job list and show say how many files failed', async (t) => {
  const done = { ...JOB, state: 'done', error: null, files: { total: 12, done: 12, failed: 8, empty: 3 } }
  const list = await server(t, { data: [done], total: 1 })
  assert.match((await list.job('list')).stdout, /^j-1 +upsert +done +12 of 12 +8 failed, 3 empty +1234 /m)
  const show = await server(t, done)
  assert.equal((await show.job('show', 'j-1')).stdout, 'j-1  flow f-1  done, 8 failed, 3 empty\n')
})

test('sluice job list says that there is no job', async (t) => {
  const { job } = await server(t, { data: [], total: 0 })
  assert.deepEqual(await job('list'), { code: 0, stdout: '', stderr: 'There is no such job.\n' })
})

test('sluice job show prints the state, and why a job failed', async (t) => {
  const { job, calls } = await server(t, JOB)
  const { stdout } = await job('show', 'j/1')
  assert.equal(stdout, 'j-1  flow f-1  failed\nx failed (provider_failed)\n')
  assert.deepEqual(calls, ['GET /api/v1/jobs/j%2F1 Bearer k'])
  assert.deepEqual(JSON.parse((await job('show', 'j-1', '--json')).stdout), JOB)
})

test('sluice job show prints the result of a job that is done', async (t) => {
  const result = { numAdded: 3, numUpdated: 0, numSkipped: 1, numDeleted: 0, timeTaken: 5 }
  const { job } = await server(t, { ...JOB, state: 'done', error: null, result })
  const { stdout } = await job('show', 'j-1')
  assert.match(stdout, /^j-1 {2}flow f-1 {2}done\n\n3 added, 0 updated, 1 skipped, 0 deleted in 5 ms\n$/)
})

test('sluice job show prints how much a reindex has embedded', async (t) => {
  const result = {
    numChunks: 9,
    numEmbedded: 7,
    embedder: 'mine',
    dimensions: 8,
    warnings: [],
    jobId: 'j-1',
    timeTaken: 5,
  }
  const { job } = await server(t, { ...JOB, kind: 'reindex', state: 'done', error: null, result })
  const { stdout } = await job('show', 'j-1')
  assert.match(stdout, /^j-1 {2}flow f-1 {2}done\n\n9 chunks, 7 texts embedded by mine in 5 ms\n$/)
})

test('sluice job cancel cancels a job, and prints the refusal for one that has ended', async (t) => {
  const running = await server(t, JOB)
  assert.deepEqual(await running.job('cancel', 'j-1'), {
    code: 0,
    stdout: '',
    stderr: 'Job j-1 is cancelled.\n',
  })
  assert.deepEqual(running.calls, ['POST /api/v1/jobs/j-1/cancel Bearer k'])
  const over = await server(t, { message: 'Job j-1 has already ended: it is done' }, 409)
  const { code, stderr } = await over.job('cancel', 'j-1')
  assert.deepEqual([code, stderr], [1, 'sluice: Job j-1 has already ended: it is done\n'])
})
