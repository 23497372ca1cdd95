import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobAnswer } from '../../api/job.ts'
import type { RepairAnswer } from '../../api/repair.ts'
import { jobWith } from '../../../test/support/job-answer.ts'
import { bodyOf, serve, sluice } from '../../../test/support/command-line.ts'

const RESULT = {
  ...{ dryRun: false, numChunks: 9110, numPoints: 9105, numUnchecked: 0, numLeft: 0, why: null },
  ...{ numMissing: 7, numSurplus: 2, numDifferent: 0, numDamaged: 0 },
  ...{ numWritten: 7, numEmbedded: 5, numRemoved: 2, embedder: 'mine', warnings: [] },
  left: { missing: 0, surplus: 0, different: 0, damaged: 0 },
  first: { missing: ['m1', 'm2'], surplus: ['s1', 's2'], different: [], damaged: [] },
  ...{ jobId: 'j-1', timeTaken: 3400 },
} satisfies RepairAnswer
const SOUND = { ...RESULT, numPoints: 9110, numMissing: 0, numSurplus: 0 }

/** A server that runs a request as a job with this end. */
const serverOf = (t: Parameters<typeof serve>[0], end: Partial<JobAnswer>, asked: string[] = []) =>
  serve(t, async (request, response) => {
    asked.push(`${request.method} ${request.url} ${await bodyOf(request)}`)
    if (request.method === 'POST')
      return void response.writeHead(202).end('{"jobId": "j-1", "state": "queued"}')
    response.end(`id: 1\nevent: job\ndata: ${JSON.stringify(jobWith({ kind: 'repair', ...end }))}\n\n`)
  })

test('sluice repair waits for the job, and prints what differed and what was mended [repair:route]', async (t) => {
  const asked: string[] = []
  const url = await serverOf(t, { state: 'done', result: RESULT }, asked)
  const { code, stdout } = await sluice(['repair', 'my flow', '--store', 'store_1', '--url', url])
  assert.deepEqual(asked, [
    'POST /api/v1/vector/repair/my%20flow {"stopNodeId":"store_1"}',
    'GET /api/v1/jobs/j-1/events ',
  ])
  assert.equal(code, 0)
  assert.equal(
    stdout,
    '7 missing, 2 too many: 9,105 points compared with 9,110 chunks in 3.4 s\n' +
      'missing: m1 m2 …\ntoo many: s1 s2\n7 points written, 2 removed, 5 texts embedded\n',
  )
})

test('sluice repair --dry-run says what a repair would embed, and ends with 1 where something differs', async (t) => {
  const asked: string[] = []
  const result = { ...RESULT, dryRun: true, numToEmbed: 5, numLeft: 9, why: 'Another embedder' }
  const url = await serverOf(t, { kind: 'verify', state: 'done', result }, asked)
  const { code, stdout } = await sluice(['repair', 'handbook', '--dry-run', '--url', url])
  assert.equal(asked[0], 'POST /api/v1/vector/repair/handbook?dryRun=true {}')
  assert.equal(code, 1)
  assert.match(stdout, /\na repair embeds 5 texts\nAnother embedder\n$/)
})

test('sluice repair says that all points are there, and how many vectors were not compared', async (t) => {
  const url = await serverOf(t, { state: 'done', result: { ...SOUND, numUnchecked: 3 } })
  const { code, stdout } = await sluice(['repair', 'handbook', '--url', url])
  assert.equal(code, 0)
  assert.equal(
    stdout,
    'All points are there: 9,110 points compared with 9,110 chunks in 3.4 s\n' +
      'the vectors of 3 points were not compared: an earlier version has written them\n',
  )
})

test('sluice job show prints the result of a repair, and how far one is', async (t) => {
  const done = jobWith({ kind: 'repair', state: 'done', result: RESULT })
  const url = await serve(t, (_, response) => void response.end(JSON.stringify(done)))
  assert.match((await sluice(['job', 'show', 'j-1', '--url', url])).stdout, /7 points written, 2 removed/)
  const running = jobWith({
    ...{ kind: 'repair', state: 'running', stage: 'repair', etaSeconds: 4, rate: 800, result: null },
    points: { compared: 4000, total: 9110, found: 9 },
    chunks: { seen: 13_110, embedded: 5, written: 7 },
  })
  const other = await serve(t, (_, response) => void response.end(JSON.stringify(running)))
  assert.match(
    (await sluice(['job', 'show', 'j-1', '--url', other])).stdout,
    /repair · 4,000 of 9,110 points, 9 to mend · 5 texts embedded · 800\/s · 4(\.0)? s left/,
  )
})
