import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { JobAnswer } from '../api/job.ts'
import { jobWith } from '../../test/support/job-answer.ts'
import { serve } from '../../test/support/command-line.ts'
import { Failure, ServerRefusal } from './failure.ts'
import { followJob } from './follow-job.ts'
import { connectTo } from './http.ts'

const event = (id: string, state: JobAnswer['state']) =>
  `id: ${id}\nevent: job\ndata: ${JSON.stringify(jobWith({ id: 'j', state }))}\n\n`

/** A server with a list of answers, one per request, and the requests that it got. */
async function answering(t: TestContext, ...answers: ((response: ServerResponse) => void)[]) {
  const asked: string[] = []
  const url = await serve(t, (request, response) => {
    const { method, url, headers } = request
    asked.push(`${method} ${url} ${headers.authorization} ${headers['last-event-id'] ?? '-'}`)
    answers.shift()!(response)
  })
  return { client: connectTo(new URL(url), { key: 'k' }), asked }
}

const events =
  (...given: string[]) =>
  (response: ServerResponse) =>
    response.end(given.join(''))

test('followJob() shows every state and returns the last', async (t) => {
  const { client } = await answering(
    t,
    events(event('1', 'queued'), event('2', 'running'), event('3', 'done')),
  )
  const shown: string[] = []
  const { state } = await followJob(client, 'j', (job) => shown.push(job.state))
  assert.equal(state, 'done')
  assert.deepEqual(shown, ['queued', 'running', 'done'])
})

test('followJob() continues after a lost connection with the next event, also while the server restarts', async (t) => {
  const { client, asked } = await answering(
    t,
    events(event('1', 'queued'), event('2', 'running')),
    (response) => void response.destroy(),
    (response) => void response.writeHead(503).end('{"message": "The server is stopping"}'),
    events(event('9', 'failed')),
  )
  const { state } = await followJob(client, 'j', () => {}, 1)
  assert.equal(state, 'failed')
  assert.deepEqual(asked, [
    'GET /api/v1/jobs/j/events Bearer k -',
    ...Array(3).fill('GET /api/v1/jobs/j/events Bearer k 2'),
  ])
})

test('followJob() ends where the server refuses', async (t) => {
  const { client } = await answering(t, (response) =>
    response.writeHead(404).end('{"message": "Job j not found"}'),
  )
  await assert.rejects(
    followJob(client, 'j', () => {}, 1),
    (error) => {
      assert.ok(error instanceof ServerRefusal)
      assert.deepEqual([error.status, error.message], [404, 'Job j not found'])
      return true
    },
  )
})

test('followJob() fails where the server does not come back, and says that the job continues', async () => {
  const client = connectTo(new URL('http://127.0.0.1:1'))
  await assert.rejects(
    followJob(client, 'j', () => {}, 0),
    (error) => {
      assert.ok(error instanceof Failure)
      assert.match(error.message, /^No server answers at http:\/\/127\.0\.0\.1:1, while waiting for job j$/)
      assert.equal(error.hint, 'the job continues on the server: sluice job show j')
      return true
    },
  )
})
