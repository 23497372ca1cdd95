import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const { manage, upload } = platform

type Summary = { slug: string; lastUpsert: { jobId: string; state: string; failed: number; empty: number } }

const lastUpsert = async () =>
  (await manage<Summary[]>('GET', '/api/v1/flows')).body.find(({ slug }) => slug === 'quickstart')!.lastUpsert

/** Bytes that are no text, and no format that a loader reads. */
const BINARY = Buffer.from([0, 159, 146, 150, 0, 1, 2, 3])

/** Two files of a type that no loader reads, one damaged, one empty, and one that is fine. */
const MIXED = {
  'a.xyz': BINARY,
  'b.xyz': BINARY,
  'broken.pdf': 'this is no PDF',
  'nothing.txt': '',
  'fine.txt': 'The harbour is open.',
}

test('the list of flows, jobs and the history count the failed and the empty files of an upsert', async () => {
  const body = (await upload('quickstart', MIXED)).body as unknown as { jobId: string }
  assert.partialDeepStrictEqual(body, { numFailed: 3, numEmpty: 1 })
  assert.partialDeepStrictEqual(await lastUpsert(), {
    ...{ jobId: body.jobId, state: 'done', failed: 3, empty: 1 },
  })
  const job = await manage('GET', `/api/v1/jobs/${body.jobId}`)
  assert.partialDeepStrictEqual(job.body, { files: { total: 5, done: 5, failed: 3, empty: 1 } })
  const past = await manage('GET', `/api/v1/upsert-history/quickstart/${body.jobId}`)
  assert.partialDeepStrictEqual(past.body, { result: { numFailed: 3, numEmpty: 1 } })
})

test('the failed files of a job are grouped by reasons that do not repeat their names', async () => {
  const { jobId } = await lastUpsert()
  type Failures = { total: number; reasons: { reason: string; files: number; names: string[] }[] }
  const { body } = await manage<Failures>('GET', `/api/v1/jobs/${jobId}/failures`)
  assert.equal(body.total, 3)
  assert.deepEqual(
    body.reasons.map(({ files, names }) => [files, names]),
    [
      [2, ['a.xyz', 'b.xyz']],
      [1, ['broken.pdf']],
    ],
  )
  assert.match(body.reasons[0]!.reason, /^no loader of this flow reads \.xyz; accepted: /)
  assert.match(body.reasons[1]!.reason, /^cannot be read: /)
  const rows = await manage<{ data: { name: string; reason: string }[] }>(
    'GET',
    `/api/v1/jobs/${jobId}/files?state=failed`,
  )
  assert.equal(rows.body.data[2]!.reason, body.reasons[1]!.reason)
})

test('a load in which every file failed counts them, too', async () => {
  await upload('quickstart', { 'a.xyz': BINARY })
  assert.partialDeepStrictEqual(await lastUpsert(), { state: 'failed', failed: 1, empty: 0 })
})

test('the log has a line for each failed file with its job, and names flows by slug and id', async () => {
  const { id } = (await manage<{ id: string; slug: string }[]>('GET', '/api/v1/flows')).body.find(
    ({ slug }) => slug === 'quickstart',
  )!
  const { jobId: job } = (await upload('quickstart', MIXED)).body as unknown as { jobId: string }
  const of = { job, flow: 'quickstart', flowId: id }
  const lines = platform.log.filter(({ facts }) => facts?.job === job)
  assert.deepEqual(
    lines.filter(({ event }) => event === 'file-failed').map(({ level, facts }) => ({ level, facts })),
    [
      ['a.xyz', 'file_type_not_accepted'],
      ['b.xyz', 'file_type_not_accepted'],
      ['broken.pdf', 'file_unreadable'],
    ].map(([file, code]) => ({ level: 'warn', facts: { ...of, file, code } })),
  )
  for (const event of ['upsert-done', 'job-ended'])
    assert.partialDeepStrictEqual(lines.find((line) => line.event === event)?.facts, of)

  // The flow is the same in lines of requests and of removals.
  await manage('DELETE', '/api/v1/vector/upsert/quickstart?source=fine.txt')
  const removed = platform.log.findLast(({ event }) => event === 'chunks-removed')
  assert.deepEqual(removed?.facts, { flow: 'quickstart', flowId: id, count: 1 })
})
