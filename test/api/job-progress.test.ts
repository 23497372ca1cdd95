import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobAnswer, NodeProgressAnswer } from '../../src/api/job.ts'
import type { JobFileAnswer } from '../../src/api/job-file.ts'
import type { StatsAnswer } from '../../src/api/stats.ts'
import { readEvents } from '../support/event-stream.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'
import { until } from '../support/until.ts'

const platform = await makePlatform()
type Page<Row> = { data: Row[]; total: number }
const job = async (id: string) => (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${id}`)).body
const start = async (files: Record<string, string>, fields: Record<string, string> = {}) => {
  const body = form(files, fields)
  const accepted = await platform.call<{ jobId: string }>(
    'POST',
    '/api/v1/vector/upsert/quickstart?async=true',
    { body },
  )
  assert.equal(accepted.status, 202, accepted.text)
  return accepted.body.jobId
}
const figures = (nodes: NodeProgressAnswer[]) =>
  Object.fromEntries(
    nodes.map(({ id, step: _step, ms: _ms, ...counts }) => [id.replace(/_\d+$/, ''), counts]),
  )

test('a job tells per node of the flow what passed it, and per file its state, chunks and warnings [jobs:figures]', async () => {
  const id = await start({
    'a.txt': 'Otters swim.',
    'b.txt': 'Otters swim.',
    'empty.txt': '',
    'damaged.pdf': 'this is no PDF',
  })
  await platform.call('GET', `/api/v1/jobs/${id}/events`)
  const none = { files: 0, documents: 0, chunks: 0, embedded: 0, reused: 0, errors: 0 }
  const first = figures((await job(id)).nodes)
  assert.deepEqual(first.fileLoader, { ...none, files: 3, documents: 2, errors: 1 })
  assert.partialDeepStrictEqual(first.sluiceTextSplitter, { documents: 2, chunks: 2 })
  assert.deepEqual(first.builtInEmbeddings, { ...none, embedded: 1 })
  assert.deepEqual(first.builtInVectorStore, { ...none, chunks: 2 })

  const { body: files } = await platform.manage<Page<JobFileAnswer>>('GET', `/api/v1/jobs/${id}/files`)
  assert.deepEqual(
    files.data.map(({ name, state, chunks, added, warnings }) => [
      name,
      state,
      chunks,
      added,
      warnings.length,
    ]),
    [
      ['a.txt', 'indexed', 1, 1, 0],
      ['b.txt', 'indexed', 1, 1, 0],
      ['empty.txt', 'empty', 0, 0, 1],
      ['damaged.pdf', 'failed', 0, 0, 0],
    ],
  )
  assert.ok(files.data.every(({ ms }) => ms !== null && ms >= 0))
  const { body: failed } = await platform.manage<Page<JobFileAnswer>>(
    'GET',
    `/api/v1/jobs/${id}/files?state=failed&file=DAMAGED`,
  )
  assert.partialDeepStrictEqual(failed, {
    total: 1,
    data: [{ name: 'damaged.pdf', code: 'file_unreadable' }],
  })

  const again = await start({ 'a.txt': 'Otters swim.' })
  await platform.call('GET', `/api/v1/jobs/${again}/events`)
  const nodes = figures((await job(again)).nodes)
  assert.deepEqual([nodes.fileLoader!.files, nodes.fileLoader!.documents], [1, 0])
  assert.equal(
    Object.values(nodes).reduce((sum, { reused }) => sum + reused, 0),
    1,
  )
})

/** A text whose upsert takes some seconds. */
const long = (lines: number, word: string) =>
  Array.from({ length: lines }, (_, i) => `Line ${i} of a very long book about the ${word}.`).join('\n')

test('a job with a single large file has an estimate of the time left while it is read; a cancelled one keeps its files [jobs:eta]', async () => {
  const id = await start({ 'book.txt': long(200_000, 'otter') })
  const response = await fetch(`${platform.url}/api/v1/jobs/${id}/events`)
  const stages: (number | null)[] = []
  for await (const { data } of readEvents(response)) {
    const seen = JSON.parse(data) as JobAnswer
    if (seen.state !== 'running' || seen.chunks.seen === 0) continue
    stages.push(seen.etaSeconds)
    const reading = async () => {
      const { body } = await platform.manage<Page<JobFileAnswer>>('GET', `/api/v1/jobs/${id}/files`)
      assert.partialDeepStrictEqual(body.data, [{ name: 'book.txt', state: 'reading', ms: null }])
      return body.data[0]!.chunks > 0
    }
    // Over two servers the list of files was stored a moment before the counts of the job.
    await until(reading, 'chunks of the file')
    await platform.manage('POST', `/api/v1/jobs/${id}/cancel`)
    break
  }
  assert.ok(stages.length === 1 && stages[0] !== null, JSON.stringify(stages))
  const { body } = await platform.manage<Page<JobFileAnswer>>('GET', `/api/v1/jobs/${id}/files`)
  assert.partialDeepStrictEqual(body.data, [{ name: 'book.txt', state: 'reading' }])
})

test('the stream of all jobs tells of every job, and after an interruption of those that ended meanwhile [jobs:stream]', async () => {
  const gone = new AbortController()
  const open = (headers: Record<string, string> = {}, query = '') =>
    fetch(`${platform.url}/api/v1/jobs/events${query}`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}`, ...headers },
      signal: gone.signal,
    })
  const response = await open()
  const first = await start({ 'stream.txt': 'The stream tells of this.' })
  let last = ''
  for await (const { id, event, data } of readEvents(response)) {
    const seen = JSON.parse(data) as JobAnswer
    if (seen.id !== first) continue
    assert.equal(event, 'job')
    last = id
    if (seen.state !== 'done') continue
    assert.deepEqual([seen.result!.numAdded, seen.result!.files], [1, undefined])
    break
  }
  const second = await start({ 'meanwhile.txt': 'This ended while no client listened.' })
  await platform.call('GET', `/api/v1/jobs/${second}/events`)
  const ids: string[] = []
  for await (const { data } of readEvents(await open({ 'last-event-id': last }, '?until=idle')))
    ids.push((JSON.parse(data) as JobAnswer).id)
  assert.ok(ids.includes(second), 'a job that ended meanwhile')
  gone.abort()
})

test('the stream of all jobs holds back jobs of flows that the caller may not load [jobs:stream-access]', async () => {
  const { body: own } = await platform.manage<{ id: string }>('POST', '/api/v1/apikey', { keyName: 'closed' })
  const { body: open } = await platform.manage<{ flowData: string; apiConfig: string }>(
    'GET',
    '/api/v1/chatflows/quickstart',
  )
  const { flowData, apiConfig } = open
  const body = { name: 'Closed', flowData, apiConfig, apikeyid: own.id }
  const { body: closed } = await platform.manage<{ id: string; slug: string }>(
    'POST',
    '/api/v1/chatflows',
    body,
  )
  const { body: other } = await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
    keyName: 'other',
    scopes: ['upsert'],
    flows: ['quickstart'],
  })
  const gone = new AbortController()
  const stream = (headers: Record<string, string>) =>
    fetch(`${platform.url}/api/v1/jobs/events`, { headers, signal: gone.signal })
  const streams = [
    await stream({ authorization: `Bearer ${other.apiKey}` }),
    await stream({ authorization: `Bearer ${ADMIN_KEY}` }),
  ]
  const { body: accepted } = await platform.call<{ jobId: string }>(
    'POST',
    `/api/v1/vector/upsert/${closed.slug}?async=true`,
    { body: form({ 'secret.txt': 'A secret.' }), key: ADMIN_KEY },
  )
  assert.ok(accepted.jobId)
  await platform.call('GET', `/api/v1/jobs/${accepted.jobId}/events`, { key: ADMIN_KEY })
  const last = await start({ 'open.txt': 'Not a secret.' })
  const [stranger, manager] = await Promise.all(
    streams.map(async (response) => {
      const ids = new Set<string>()
      for await (const { data } of readEvents(response)) {
        const seen = JSON.parse(data) as JobAnswer
        ids.add(seen.id)
        if (seen.id === last && seen.state === 'done') break
      }
      return ids
    }),
  )
  gone.abort()
  assert.deepEqual([stranger!.has(accepted.jobId), manager!.has(accepted.jobId)], [false, true])
})

test('the upsert history is paged where a page is asked for, and a row is found by its job [jobs:history-page]', async () => {
  const { body: whole } = await platform.manage<{ id: string; jobId: string; result: object }[]>(
    'GET',
    '/api/v1/upsert-history/quickstart',
  )
  const { body: page } = await platform.manage<Page<{ id: string }>>(
    'GET',
    '/api/v1/upsert-history/quickstart?page=2&limit=1',
  )
  assert.deepEqual([page.total, page.data], [whole.length, [whole[1]]])
  const { body: row } = await platform.manage('GET', `/api/v1/upsert-history/quickstart/${whole[0]!.jobId}`)
  assert.deepEqual(row, whole[0])
  assert.equal((await platform.manage('GET', '/api/v1/upsert-history/quickstart/none')).status, 404)
})

test('the figures of a flow have chunks over time, the work of the last upserts by step, and times of queries [stats:figures]', async () => {
  await platform.query('quickstart', { query: 'otters' })
  const { body: all } = await platform.manage<StatsAnswer>('GET', '/api/v1/stats')
  const { body: own } = await platform.manage<StatsAnswer>('GET', '/api/v1/stats/quickstart')
  const { body: chunks } = await platform.call<Page<unknown>>('GET', '/api/v1/vector/chunks/quickstart')
  assert.equal(own.sizes.at(-1)!.chunks, chunks.total)
  assert.ok(all.sizes.at(-1)!.chunks > chunks.total, 'all flows together')
  assert.ok(own.upserts.length > 1 && all.upserts.length > own.upserts.length)
  const [first] = own.upserts
  assert.ok(first!.state === 'done' && first!.steps.embed + first!.steps.store >= 0)
  assert.deepEqual(
    own.queries.map(({ queries }) => queries),
    [1],
  )
  assert.ok(own.queries[0]!.p95 >= own.queries[0]!.p50)
})
