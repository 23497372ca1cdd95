import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobAnswer } from '../../api/job.ts'
import { jobWith } from '../../../test/support/job-answer.ts'
import { bodyOf, serve, sluice } from '../../../test/support/command-line.ts'

const RESULT = {
  numChunks: 1200,
  numEmbedded: 1000,
  embedder: 'mine',
  dimensions: 8,
  jobId: 'j-1',
  warnings: [{ key: 'embeddings', reason: 'a text was cut' }],
  timeTaken: 3400,
}

/** A server that runs a request as a job with this end. */
const serverOf = (t: Parameters<typeof serve>[0], end: Partial<JobAnswer>, asked: string[] = []) =>
  serve(t, async (request, response) => {
    asked.push(`${request.method} ${request.url} ${await bodyOf(request)}`)
    if (request.method === 'POST')
      return void response.writeHead(202).end('{"jobId": "j-1", "state": "queued"}')
    response.end(`id: 1\nevent: job\ndata: ${JSON.stringify(jobWith({ kind: 'reindex', ...end }))}\n\n`)
  })

test('sluice reindex waits for the job and prints how much was embedded, and the warnings', async (t) => {
  const asked: string[] = []
  const url = await serverOf(t, { state: 'done', result: RESULT }, asked)
  const { code, stdout } = await sluice(['reindex', 'my flow', '--store', 'store_1', '--url', url])
  assert.deepEqual(asked, [
    'POST /api/v1/vector/reindex/my%20flow {"stopNodeId":"store_1"}',
    'GET /api/v1/jobs/j-1/events ',
  ])
  assert.equal(code, 0)
  assert.equal(
    stdout,
    'warning  embeddings: a text was cut\n1,200 chunks, 1,000 texts embedded by mine in 3.4 s\n',
  )
})

test('sluice reindex --json prints the result unchanged', async (t) => {
  const url = await serverOf(t, { state: 'done', result: RESULT })
  const { stdout } = await sluice(['reindex', 'quickstart', '--json', '--url', url])
  assert.deepEqual(JSON.parse(stdout), RESULT)
})

test('sluice reindex ends with 1 where the job fails, and names it', async (t) => {
  const error = { code: 'provider_failed', message: 'It failed' }
  const url = await serverOf(t, { state: 'failed', error, result: null })
  const { code, stdout, stderr } = await sluice(['reindex', 'quickstart', '--url', url])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /It failed[\s\S]*sluice job show j-1/)
})
