import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { until } from '../support/until.ts'

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
  for (const event of ['upsert-done', 'job-ended']) {
    // The server that answers may know of the end a moment before the one that ran the job has written its line.
    const line = () => platform.log.find((one) => one.event === event && one.facts?.job === job)
    await until(line, `the line ${event}`)
    assert.partialDeepStrictEqual(line()!.facts, of)
  }

  // The flow is the same in lines of requests and of removals.
  await manage('DELETE', '/api/v1/vector/upsert/quickstart?source=fine.txt')
  const removed = platform.log.findLast(({ event }) => event === 'chunks-removed')
  assert.deepEqual(removed?.facts, { flow: 'quickstart', flowId: id, count: 1 })
})

type Failed = { file: string; reason: string; again: string; jobId: string; olderChunks: number }

const failedOf = async (flow: string, query = '', key = ADMIN_KEY) =>
  (
    await platform.call<{ data: Failed[]; total: number }>('GET', `/api/v1/vector/failed/${flow}?${query}`, {
      key,
    })
  ).body

const files = async (flow: string, query = '', key = ADMIN_KEY) =>
  (await failedOf(flow, query, key)).data.map(({ file }) => file).toSorted()

test('failed files are listed with their reasons until they are loaded [sources:failed]', async () => {
  const flow = await platform.flow({})
  await upload(flow, { 'plan.txt': 'The plan of May.' })
  await upload(flow, { ...MIXED, 'plan.txt': BINARY })
  assert.deepEqual(await files(flow), ['a.xyz', 'b.xyz', 'broken.pdf', 'plan.txt'])
  const found = await failedOf(flow, 'search=PLAN')
  assert.partialDeepStrictEqual(found, {
    total: 1,
    data: [{ file: 'plan.txt', olderChunks: 1, again: 'file' }],
  })
  assert.doesNotMatch(found.data[0]!.reason, /plan\.txt/)
  assert.deepEqual(await failedOf(flow, 'page=2&limit=3'), {
    data: (await failedOf(flow)).data.slice(3),
    total: 4,
  })

  await upload(flow, { 'plan.txt': 'The plan of June.', 'a.xyz': 'It is a text now.' })
  assert.deepEqual(await files(flow), ['b.xyz', 'broken.pdf'])
  const forget = await manage(`POST`, `/api/v1/vector/failed/${flow}/forget`, { files: ['b.xyz', 'none'] })
  assert.deepEqual(forget.body, { numForgotten: 1 })
  assert.deepEqual(await files(flow), ['broken.pdf'])

  // A job that failed as a whole has its uploads, so that it can be retried.
  await upload(flow, { 'b.xyz': BINARY })
  const [last] = (await failedOf(flow, 'search=b.xyz')).data
  assert.equal(last!.again, 'job')
  const ended = await manage('POST', `/api/v1/jobs/${last!.jobId}/retry`)
  assert.equal(ended.status, 200)
  await manage('GET', '/api/v1/jobs/events?until=idle')
  assert.deepEqual(await files(flow), ['b.xyz', 'broken.pdf'])

  // The rows of jobs go earlier than what they tell.
  await platform.sql('DELETE FROM jobs WHERE flow_id = ?', flow)
  assert.deepEqual(
    (await failedOf(flow)).data.map(({ file, again }) => [file, again]),
    [
      ['b.xyz', 'file'],
      ['broken.pdf', 'file'],
    ],
  )
  await manage('DELETE', `/api/v1/chatflows/${flow}`)
  assert.equal((await manage('GET', `/api/v1/vector/failed/${flow}`)).status, 404)
  await manage('POST', `/api/v1/chatflows/${flow}/restore`, {})
  assert.equal((await failedOf(flow)).total, 2)
})

test('failed files are tried again from the kept files, without sending them [sources:failed-retry]', async () => {
  const flow = await platform.flow({})
  const keep = await manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: { originals: 'on' } })
  assert.equal(keep.status, 200, keep.text)
  await upload(flow, { ...MIXED, 'table.xyz': BINARY })
  const rows = (await failedOf(flow)).data
  assert.deepEqual(new Set(rows.map(({ again }) => again)), new Set(['kept']))

  const retry = (names: string[]) =>
    manage<{ jobId: string; files: number; missing: string[] }>(
      'POST',
      `/api/v1/vector/failed/${flow}/retry`,
      {
        files: names,
      },
    )
  const { body, status } = await retry(['a.xyz', 'table.xyz', 'fine.txt'])
  assert.equal(status, 200)
  assert.deepEqual([body.files, body.missing], [2, ['fine.txt']])
  await manage('GET', '/api/v1/jobs/events?until=idle')
  const again = await manage('GET', `/api/v1/jobs/${body.jobId}/files`)
  assert.partialDeepStrictEqual(again.body, { total: 2, data: [{ name: 'a.xyz', state: 'failed' }] })
  assert.ok(!again.text.includes('original'), 'the ids of kept files are not told')
  assert.partialDeepStrictEqual((await failedOf(flow, 'search=a.xyz')).data, [
    { jobId: body.jobId, again: 'kept' },
  ])

  // What is not there any more must be sent.
  await platform.sql('UPDATE failed_files SET original = ? WHERE name = ?', 'lost', 'b.xyz')
  const before = platform.uploads()
  const lost = await retry(['b.xyz'])
  assert.partialDeepStrictEqual(lost, { status: 404, body: { code: 'original_not_kept' } })
  assert.deepEqual(platform.uploads(), before)
})

test('a key with pins learns nothing of the failed files of others [sources:failed]', async () => {
  const flow = await platform.flow({})
  const keyOf = async (tenant: string) =>
    (
      await manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
        keyName: tenant,
        scopes: ['upsert', 'query'],
        pins: { tenant },
      })
    ).body.apiKey
  const [acme, other] = [await keyOf('acme'), await keyOf('other')]
  const form = (content: Uint8Array<ArrayBuffer>) => {
    const body = new FormData()
    body.append('files', new File([content], 'plan.xyz'))
    body.append('files', new File(['A text.'], 'fine.txt'))
    return body
  }
  for (const [key, content] of [
    [acme, BINARY],
    [other, new TextEncoder().encode('This one is a text.')],
  ] as const)
    assert.equal(
      (await platform.call('POST', `/api/v1/vector/upsert/${flow}`, { key, body: form(content) })).status,
      200,
    )
  assert.deepEqual(await files(flow, '', acme), ['plan.xyz'])
  assert.deepEqual([await files(flow, '', other), await files(flow)], [[], []])
  assert.deepEqual(await files(flow, 'pin=tenant%3Dacme'), ['plan.xyz'])
  const forget = await platform.call('POST', `/api/v1/vector/failed/${flow}/forget`, {
    key: other,
    body: { files: ['plan.xyz'] },
  })
  assert.deepEqual(forget.body, { numForgotten: 0 })
  assert.equal(
    (await platform.call('GET', `/api/v1/vector/failed/${flow}?pin=tenant%3Dacme`, { key: other })).status,
    403,
  )
})
