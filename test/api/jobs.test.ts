import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import type { UpsertResult } from '../../src/upsert/outcome.ts'
import { collect } from '../support/collect.ts'
import { readEvents } from '../support/event-stream.ts'
import { heldFlow } from '../support/held-flow.ts'
import { ADMIN_KEY, form, makePlatform, testScenarios } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until } from '../support/until.ts'

const platform = await makePlatform()
const flow = await platform.flow({ slug: 'jobs', overridable: ['files', 'chunkSize', 'chunkOverlap'] })
const upsert = `/api/v1/vector/upsert/${flow}`

type Accepted = { jobId: string; state: string }
type Result = UpsertResult & { jobId: string }
type Files = Record<string, string | Uint8Array<ArrayBuffer>>

const wordsOf = (word: string, count: number) =>
  Array.from({ length: count }, (_, i) => `The ${word} number ${i} swims ${i * 7} miles.`).join('\n')

async function submit(files: Files, fields: Record<string, string> = {}, path = upsert): Promise<string> {
  const headers = { prefer: 'respond-async' }
  const answer = await platform.call<Accepted>('POST', path, { body: form(files, fields), headers })
  assert.equal(answer.status, 202, answer.text)
  return answer.body.jobId
}

const job = async (id: string) => (await platform.call<JobAnswer>('GET', `/api/v1/jobs/${id}`)).body
const follow = (id: string, headers: Record<string, string> = {}) =>
  fetch(`${platform.url}/api/v1/jobs/${id}/events`, { headers })

/** Waits until a job has ended, the way a client does. */
async function ended(id: string): Promise<JobAnswer> {
  const events = await collect(readEvents(await follow(id)))
  return JSON.parse(events.at(-1)!.data) as JobAnswer
}

const closedKey = await platform.key({ scopes: ['upsert'] })
const queryKey = await platform.key({ scopes: ['query'] })
const closed = await platform.flow({ apikeyid: closedKey.id })
const closedUpsert = await platform.call<Result>('POST', `/api/v1/vector/upsert/${closed}`, {
  body: form({ 'closed.txt': 'Closed.' }),
  key: closedKey.apiKey,
})
const closedJob = `/api/v1/jobs/${closedUpsert.body.jobId}`

test('Prefer: respond-async answers 202, a Location and a job that ends with the result of the upsert [upsert:job]', async () => {
  const headers = { prefer: 'wait=5, Respond-Async' }
  const answer = await platform.call<Accepted>('POST', upsert, {
    body: form({ 'a.txt': 'Otters swim.' }),
    headers,
  })
  assert.equal(answer.status, 202)
  const { jobId } = answer.body
  assert.deepEqual(answer.body, { jobId, state: 'queued' })
  assert.equal(answer.headers.get('location'), `/api/v1/jobs/${jobId}`)
  const { result, nodes: _, createdAt, startedAt, finishedAt, ...rest } = await ended(jobId)
  assert.deepEqual(rest, {
    id: jobId,
    flowId: flow,
    kind: 'upsert',
    state: 'done',
    attempt: 1,
    stage: 'publish',
    files: { total: 1, done: 1, failed: 0, empty: 0 },
    chunks: { seen: 1, embedded: 1, written: 1 },
    rate: null,
    etaSeconds: null,
    error: null,
  })
  assert.partialDeepStrictEqual(result, { numAdded: 1, jobId, files: [{ name: 'a.txt', status: 'indexed' }] })
  for (const moment of [createdAt, startedAt, finishedAt]) assert.ok(Date.parse(moment!) <= Date.now())
  await until(() => platform.uploads().length === 0)
})

test('?async=true does the same for the JSON form; ?async=false waits for the answer in spite of Prefer', async () => {
  const typed = await platform.flow({ loaders: { plainText: { text: 'A text that is in the flow.' } } })
  const path = `/api/v1/vector/upsert/${typed}`
  const { status, body } = await platform.call<Accepted>('POST', `${path}?async=true`)
  assert.equal(status, 202)
  assert.partialDeepStrictEqual(await ended(body.jobId), { state: 'done', result: { numAdded: 1 } })
  const headers = { prefer: 'respond-async' }
  const blocking = await platform.call<Result>('POST', `${path}?async=false`, { headers, body: {} })
  assert.equal(blocking.status, 200)
  assert.equal(blocking.body.numSkipped, 1)
})

test('the blocking form runs the same job and answers its result', async () => {
  const { body } = await platform.upload(flow, { 'blocking.txt': 'Badgers dig.' })
  const { jobId } = body as Result
  assert.partialDeepStrictEqual(await job(jobId), { id: jobId, state: 'done', result: body })
})

test('a client that goes away does not lose its job [upsert:job]', async () => {
  const gone = new AbortController()
  const path = `${platform.url}${upsert}`
  const body = form({ 'abandoned.txt': wordsOf('seal', 2000) }, { chunkSize: '50', chunkOverlap: '0' })
  const request = fetch(path, { method: 'POST', body, signal: gone.signal })
  const running = async () => {
    const { body } = await platform.manage<{ data: JobAnswer[] }>('GET', '/api/v1/jobs?state=running')
    return body.data[0]
  }
  let found: JobAnswer | undefined
  while (!found) found = await running()
  gone.abort()
  await assert.rejects(request, { name: 'AbortError' })
  assert.partialDeepStrictEqual(await ended(found.id), { state: 'done', result: { numAdded: 2000 } })
})

test('what cannot become a job is refused at once, and a dry run is answered at once', async () => {
  const headers = { prefer: 'respond-async' }
  const wrong = form({ 'a.txt': 'x' }, { chunkSize: '10', chunkOverlap: '10' })
  const refused = await platform.call('POST', upsert, { body: wrong, headers })
  assert.equal(refused.status, 400)
  assert.partialDeepStrictEqual(refused.body, { code: 'override_invalid' })
  assert.equal((await platform.call('POST', upsert, { body: {}, headers })).status, 400)

  const { body: before } = await platform.manage<{ total: number }>('GET', '/api/v1/jobs')
  const dry = await platform.call<Result>('POST', upsert, {
    body: form({ 'dry.txt': 'x' }, { dryRun: 'true' }),
    headers,
  })
  assert.equal(dry.status, 200)
  assert.partialDeepStrictEqual(dry.body, { dryRun: true, numAdded: 1 })
  assert.equal(dry.body.jobId, undefined)
  const { body: after } = await platform.manage<{ total: number }>('GET', '/api/v1/jobs')
  assert.equal(after.total, before.total)
  await until(() => platform.uploads().length === 0)
})

test('the events of a job are a stream of its states, and their ids resume it', async () => {
  const id = await submit({ 'events.txt': wordsOf('whale', 3000) }, { chunkSize: '50', chunkOverlap: '0' })
  const response = await follow(id)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const events = await collect(readEvents(response))
  assert.ok(events.every(({ event }) => event === 'job'))
  const states = events.map(({ data }) => JSON.parse(data) as JobAnswer)
  assert.partialDeepStrictEqual(states.at(-1), { id, state: 'done', result: { numAdded: 3000 } })
  const seen = states.map(({ chunks }) => chunks.seen)
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  const ids = events.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)

  const resumed = await collect(readEvents(await follow(id, { 'last-event-id': ids[0]! })))
  assert.deepEqual(resumed, [events.at(-1)])
  const over = await follow(id, { 'last-event-id': ids.at(-1)! })
  assert.equal(over.status, 204)
})

test('a job under way can be cancelled, and tried again under its id', async () => {
  const files = { 'large.txt': wordsOf('walrus', 30_000) }
  const id = await submit(files, { chunkSize: '50', chunkOverlap: '0' })
  while ((await job(id)).state === 'queued');
  const cancelled = await platform.call<JobAnswer>('POST', `/api/v1/jobs/${id}/cancel`)
  assert.equal(cancelled.status, 200, cancelled.text)
  assert.partialDeepStrictEqual(cancelled.body, { id, state: 'cancelled', error: { code: 'cancelled' } })
  const { body: sources } = await platform.manage<{ data: { source: string }[] }>(
    'GET',
    `/api/v1/vector/sources/${flow}?limit=1000`,
  )
  assert.ok(sources.data.every(({ source }) => source !== 'large.txt'))
  assert.equal((await platform.call('POST', `/api/v1/jobs/${id}/cancel`)).status, 409)

  const again = await platform.call<JobAnswer>('POST', `/api/v1/jobs/${id}/retry`)
  assert.partialDeepStrictEqual([again.status, again.body.id, again.body.error], [200, id, null])
  assert.partialDeepStrictEqual(await ended(id), { state: 'done', result: { numAdded: 30_000 } })
  await until(() => platform.uploads().length === 0)
  const { status, body } = await platform.call('POST', `/api/v1/jobs/${id}/retry`)
  assert.equal(status, 409)
  assert.partialDeepStrictEqual(body, { code: 'job_not_retryable' })
})

test('a failed job has a reason, and a retry runs with the flow as it is then', async () => {
  const pdfOnly = await platform.flow({ loaders: { pdfFile: {} } })
  const path = `/api/v1/vector/upsert/${pdfOnly}`
  const id = await submit({ 'a.txt': 'Otters swim.' }, {}, path)
  assert.partialDeepStrictEqual(await ended(id), {
    state: 'failed',
    error: { code: 'file_type_not_accepted', file: 'a.txt' },
    result: null,
  })
  const { body } = await platform.manage<{ flowData: string }>('GET', `/api/v1/chatflows/${pdfOnly}`)
  const flowData = body.flowData.replaceAll('pdfFile', 'textFile')
  await platform.manage('PUT', `/api/v1/chatflows/${pdfOnly}`, { flowData })
  assert.equal((await platform.call('POST', `/api/v1/jobs/${id}/retry`)).status, 200)
  assert.partialDeepStrictEqual(await ended(id), { state: 'done', error: null, result: { numAdded: 1 } })
})

test('a job runs with the flow as it was when the request came', async () => {
  const provider = await startProviderServer()
  after(() => provider.close())
  const drawn = await heldFlow(platform.manage, provider, 'Held')
  const path = `/api/v1/vector/upsert/${drawn}`
  provider.hold(0)
  const first = await submit({ 'first.txt': 'The first one swims.' }, {}, path)
  const second = await submit({ 'second.txt': wordsOf('second', 100) }, {}, path)
  const { body } = await platform.manage<{ flowData: string }>('GET', `/api/v1/chatflows/${drawn}`)
  const flowData = body.flowData.replaceAll('"chunkSize":60', '"chunkSize":5000')
  assert.notEqual(flowData, body.flowData)
  await platform.manage('PUT', `/api/v1/chatflows/${drawn}`, { flowData })
  assert.equal((await job(second)).state, 'queued')
  provider.release()
  assert.partialDeepStrictEqual(await ended(second), { result: { numAdded: 100 } })
  assert.equal((await job(first)).state, 'done')
})

const idempotent = (key: string, body: FormData | object, more: { path?: string; key?: string } = {}) =>
  platform.call<Result>('POST', more.path ?? upsert, {
    body,
    headers: { 'idempotency-key': key },
    ...(more.key === undefined ? {} : { key: more.key }),
  })
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true'

test('Idempotency-Key gives the first answer again for the same parts, and refuses others [upsert:job:idempotency]', async () => {
  const parts = () => form({ 'twice.txt': 'Twice told.' }, { chunkSize: '500' })
  const first = await idempotent('k1', parts())
  assert.equal(first.status, 200)
  assert.equal(isReplay(first), false)
  const second = await idempotent('k1', parts())
  assert.deepEqual([second.status, isReplay(second)], [200, true])
  assert.deepEqual(second.body, first.body)

  for (const [what, other] of Object.entries({
    bytes: form({ 'twice.txt': 'Other bytes' }, { chunkSize: '500' }),
    name: form({ 'other.txt': 'Twice told.' }, { chunkSize: '500' }),
    field: form({ 'twice.txt': 'Twice told.' }, { chunkSize: '501' }),
    form: {},
  })) {
    const { status, body } = await idempotent('k1', other)
    assert.equal(status, 422, what)
    assert.partialDeepStrictEqual(body, { code: 'idempotency_mismatch' })
  }
  const query = await idempotent('k1', parts(), { path: `${upsert}?async=false` })
  assert.equal(query.status, 422)
  await until(() => platform.uploads().length === 0)
})

test('Idempotency-Key is of one flow and one caller', async () => {
  const parts = () => form({ 'mine.txt': 'Mine.' })
  const first = await idempotent('k2', parts())
  const other = await platform.flow({})
  const elsewhere = await idempotent('k2', parts(), { path: `/api/v1/vector/upsert/${other}` })
  const otherCaller = await idempotent('k2', parts(), { key: ADMIN_KEY })
  for (const answer of [elsewhere, otherCaller]) {
    assert.deepEqual([answer.status, isReplay(answer)], [200, false])
    assert.notEqual(answer.body.jobId, first.body.jobId)
  }
})

test('Idempotency-Key joins a run that is still under way, and gives a 202 again', async () => {
  const parts = () => form({ 'joined.txt': wordsOf('joined', 3000) }, { chunkSize: '50', chunkOverlap: '0' })
  const [one, two] = await Promise.all([idempotent('k3', parts()), idempotent('k3', parts())])
  assert.deepEqual([one.status, two.status], [200, 200])
  assert.deepEqual(one.body, two.body)
  assert.deepEqual([isReplay(one), isReplay(two)].toSorted(), [false, true])

  const path = `${upsert}?async=true`
  const accepted = await idempotent('k4', form({ 'later.txt': 'Later.' }), { path })
  const again = await idempotent('k4', form({ 'later.txt': 'Later.' }), { path })
  assert.deepEqual([again.status, again.body, isReplay(again)], [202, accepted.body, true])
  await ended(accepted.body.jobId)
})

test('Idempotency-Key gives a failure again too', async () => {
  const parts = () => form({ 'broken.pdf': 'this is no PDF' })
  const first = await idempotent('k5', parts())
  const second = await idempotent('k5', parts())
  assert.equal(first.status, 422)
  assert.deepEqual([second.status, second.body, isReplay(second)], [first.status, first.body, true])
  assert.equal((await idempotent('x'.repeat(256), parts())).status, 400)
})

test('jobs are listed newest first, by state and by flow, without the documents of their results', async () => {
  type List = { data: JobAnswer[]; total: number }
  const { body } = await platform.manage<List>('GET', `/api/v1/jobs?flowId=${flow}&state=done&limit=2`)
  assert.equal(body.data.length, 2)
  assert.ok(body.total > 2)
  assert.ok(Date.parse(body.data[0]!.createdAt) >= Date.parse(body.data[1]!.createdAt))
  for (const { result } of body.data) {
    assert.equal(typeof result!.numAdded, 'number')
    assert.equal(result!.addedDocs, undefined)
  }
})

testScenarios(platform, [
  { name: 'the list of jobs is management', path: '/api/v1/jobs', status: 401 },
  {
    name: 'the list of jobs is not for keys of a flow',
    path: '/api/v1/jobs',
    key: closedKey.apiKey,
    status: 403,
  },
  { name: 'a job of a closed flow is closed', path: closedJob, status: 401, absent: ['closed.txt'] },
  { name: 'so are its events', path: `${closedJob}/events`, status: 401 },
  { name: 'so is cancelling it', method: 'POST', path: `${closedJob}/cancel`, status: 401 },
  { name: 'so is trying it again', method: 'POST', path: `${closedJob}/retry`, status: 401 },
  { name: 'a key that only queries does not open it', path: closedJob, key: queryKey.apiKey, status: 401 },
  { name: 'the key of the flow opens it', path: closedJob, key: closedKey.apiKey, status: 200 },
  { name: 'the management key opens it', path: closedJob, key: ADMIN_KEY, status: 200 },
  {
    name: 'a job that is not there is not found',
    path: '/api/v1/jobs/00000000-0000-0000-0000-000000000000',
    status: 404,
    expect: { code: 'job_not_found' },
  },
  { name: 'neither are its events', path: '/api/v1/jobs/nobody/events', status: 404 },
  { name: 'a state that is none is refused', path: '/api/v1/jobs?state=over', key: ADMIN_KEY, status: 400 },
  {
    name: 'an async that is neither yes nor no is refused',
    method: 'POST',
    path: `${upsert}?async=perhaps`,
    body: {},
    status: 400,
  },
  { name: 'the history is management', path: `/api/v1/upsert-history/${flow}`, status: 401 },
  {
    name: 'the history of no flow is not found',
    path: '/api/v1/upsert-history/nobody',
    key: ADMIN_KEY,
    status: 404,
  },
])

type HistoryRow = {
  id: string
  chatflowid: string
  result: { numAdded?: number; error?: { code: string } }
  flowData: { name: string; paramValues: { name: string; value: unknown }[] }[]
  date: string
}

test('the history lists every upsert, failures included, in the shape of Flowise, without secrets [upsert:history]', async () => {
  const drawn = await platform.flow({
    slug: 'with-history',
    overridable: ['files', 'chunkSize', 'chunkOverlap', 'namespace'],
    recordManager: { cleanup: 'incremental' },
  })
  const secrets = {
    chunkSize: '77',
    chunkOverlap: '7',
    namespace: 'a-namespace',
    openAIApiKey: 'sk-in-history',
  }
  await platform.upload(drawn, { 'a.txt': 'Otters swim.' }, secrets)
  await platform.upload(drawn, { 'b.pdf': 'this is no PDF' })
  const get = async (query = '') =>
    (await platform.manage<HistoryRow[]>('GET', `/api/v1/upsert-history/with-history${query}`)).body
  const [failed, done, ...rest] = await get()
  assert.deepEqual(rest, [])
  assert.partialDeepStrictEqual(failed, {
    chatflowid: drawn,
    result: { error: { code: 'file_unreadable' } },
  })
  assert.deepEqual(done!.result, {
    numAdded: 1,
    numUpdated: 0,
    numSkipped: 0,
    numDeleted: 0,
    totalKeys: 1,
    numOutdated: 0,
    numFailed: 0,
    numEmpty: 0,
  })
  assert.deepEqual(done!.flowData.map(({ name }) => name).toSorted(), [
    'SQLiteRecordManager',
    'builtInEmbeddings',
    'builtInVectorStore',
    'fileLoader',
    'recursiveCharacterTextSplitter',
  ])
  const splitter = done!.flowData.find(({ name }) => name === 'recursiveCharacterTextSplitter')
  assert.partialDeepStrictEqual(splitter!.paramValues, [{ name: 'chunkSize', value: 77 }])
  const text = JSON.stringify([failed, done])
  for (const secret of ['sk-in-history', 'Otters']) assert.ok(!text.includes(secret), secret)

  assert.deepEqual(
    (await get('?order=ASC')).map(({ id }) => id),
    [done!.id, failed!.id],
  )
  assert.deepEqual(await get('?startDate=2999-01-01'), [])
  assert.equal((await get(`?endDate=${encodeURIComponent(failed!.date)}`)).length, 2)
})

test('rows of the history are taken away by their ids, all or none', async () => {
  const drawn = await platform.flow({})
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await platform.upload(drawn, { [name]: 'Words.' })
  const rows = async () =>
    (await platform.manage<HistoryRow[]>('GET', `/api/v1/upsert-history/${drawn}?order=ASC`)).body.map(
      ({ id }) => id,
    )
  const take = (ids: unknown) => platform.manage('PATCH', '/api/v1/upsert-history', { ids } as object)
  const [first, second, third] = await rows()
  const unknown = await take([first, 'nobody'])
  assert.partialDeepStrictEqual(unknown, { status: 404, body: { code: 'history_not_found' } })
  assert.equal((await rows()).length, 3)
  assert.deepEqual((await take([first, second, first])).body, { raw: [], affected: 2 })
  assert.deepEqual(await rows(), [third])
  assert.deepEqual((await take([])).body, { raw: [], affected: 0 })
  assert.equal((await take('all')).status, 400)
  const stranger = await platform.call('PATCH', '/api/v1/upsert-history', { body: { ids: [third] } })
  assert.equal(stranger.status, 401)
})

test('what a request holds in secret is nowhere in the database in plain text [upsert:history]', async () => {
  const secrets = { openAIApiKey: 'sk-PLAIN-TEXT-KEY', overrideConfig: '{"password": "PLAIN-TEXT-WORD"}' }
  await platform.upload(flow, { 'broken.pdf': 'this is no PDF' }, secrets)
  for (const name of readdirSync(platform.dataDirectory).filter((name) => name.startsWith('sluice.db'))) {
    const bytes = readFileSync(path.join(platform.dataDirectory, name))
    for (const secret of ['sk-PLAIN-TEXT-KEY', 'PLAIN-TEXT-WORD']) assert.ok(!bytes.includes(secret), name)
  }
})

test('a flow that is deleted takes its jobs and their uploads along, running ones too', async () => {
  const doomed = await platform.flow({ splitter: { chunkSize: 50, chunkOverlap: 0 } })
  const before = new Set(platform.uploads())
  const id = await submit({ 'a.txt': wordsOf('doomed', 30_000) }, {}, `/api/v1/vector/upsert/${doomed}`)
  while ((await job(id)).state === 'queued');
  const { status } = await platform.manage('DELETE', `/api/v1/chatflows/${doomed}?now=true`)
  assert.equal(status, 200)
  assert.equal((await platform.call('GET', `/api/v1/jobs/${id}`)).status, 404)
  // The server that deletes the flow does not wait for the copies of the one that ran the job.
  await until(() => platform.uploads().every((folder) => before.has(folder)))
})

test('nothing went wrong inside', () => {
  assert.deepEqual(
    platform.log.filter(
      ({ level, event }) => (level === 'error' || level === 'warn') && event !== 'file-failed',
    ),
    [],
  )
})

test('a running job estimates its remaining time, from the first part of its file on [jobs:eta]', async () => {
  const files = { 'long.txt': wordsOf('walrus', 80_000) }
  const id = await submit(files, { chunkSize: '50', chunkOverlap: '0' })
  const seen = (await collect(readEvents(await follow(id)))).map(({ data }) => JSON.parse(data) as JobAnswer)
  const running = seen.filter(({ state, chunks }) => state === 'running' && chunks.seen > 0)
  assert.ok(running.length > 0, 'it was seen while it ran')
  assert.ok(running.some(({ etaSeconds }) => etaSeconds !== null && etaSeconds >= 0))
  assert.equal(seen.at(-1)!.etaSeconds, null)
})
