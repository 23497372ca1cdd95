import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeletedFlowAnswer, FlowSummaryAnswer } from '../../src/api/flow-summary.ts'
import { makePlatform } from '../support/platform.ts'
import { reference } from '../support/flow-drawing.ts'
import { until, untilEqual } from '../support/until.ts'

const platform = await makePlatform()

type Flow = {
  id: string
  slug: string
  apikeyid: string | null
  code?: string
  message?: string
  hint?: string
}
type Rows = { data: { flowId: string }[]; total: number }

const remove = (id: string, query = '') => platform.manage('DELETE', `/api/v1/chatflows/${id}${query}`)
const restore = (id: string, body = {}) =>
  platform.manage<Flow>('POST', `/api/v1/chatflows/${id}/restore`, body)
const deleted = async () => (await platform.manage<DeletedFlowAnswer[]>('GET', '/api/v1/flows/deleted')).body
const summaries = async () => (await platform.manage<FlowSummaryAnswer[]>('GET', '/api/v1/flows')).body
const summaryOf = async (id: string) => (await summaries()).find((flow) => flow.id === id)
const texts = async (flow: string, query: string) =>
  (await platform.query(flow, { query })).body.docs.map(({ pageContent }) => pageContent)
const otters = { 'otters.txt': 'Otters sleep hand in hand.' }

test('DELETE /chatflows/:id hides a flow everywhere at once, and restore brings all of it back [flows:undo]', async () => {
  const { id: key, apiKey } = await platform.key({ scopes: ['upsert', 'query'] })
  const id = await platform.flow({ name: 'Doomed', slug: 'doomed', apikeyid: key })
  const sent = new FormData()
  sent.append('files', new File([otters['otters.txt']], 'otters.txt'))
  const upsert = await platform.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${id}`, {
    key: apiKey,
    body: sent,
  })
  assert.equal(upsert.status, 200)
  const before = await platform.manage<Flow>('GET', `/api/v1/chatflows/${id}`)
  assert.equal((await remove(id)).status, 200)

  for (const [method, address] of [
    ['GET', `/api/v1/chatflows/${id}`],
    ['GET', '/api/v1/chatflows/doomed'],
    ['GET', `/api/v1/chatflows/${id}/revisions`],
    ['GET', `/api/v1/upsert-history/${id}`],
    ['GET', `/api/v1/jobs/${upsert.body.jobId}`],
    ['DELETE', `/api/v1/chatflows/${id}`],
  ] as const)
    assert.equal((await platform.manage(method, address)).status, 404, `${method} ${address}`)
  assert.equal((await platform.query(id, { query: 'otters' })).status, 404)
  const jobs = await platform.manage<Rows>('GET', '/api/v1/jobs?limit=100')
  assert.ok(jobs.body.data.every(({ flowId }) => flowId !== id))
  assert.equal(await summaryOf(id), undefined)
  const [row] = await deleted()
  assert.partialDeepStrictEqual(row, { id, slug: 'doomed', name: 'Doomed', chunks: 1, documents: 1 })
  assert.ok(row!.diskBytes > otters['otters.txt'].length)
  assert.equal(Date.parse(row!.removedAt) - Date.parse(row!.deletedAt), 30 * 86_400_000)

  const back = await restore('doomed')
  assert.equal(back.status, 200)
  assert.deepEqual(back.body, before.body)
  assert.equal(back.body.apikeyid, key)
  assert.deepEqual(await texts(id, 'otters'), ['Otters sleep hand in hand.'])
  assert.equal((await platform.manage('GET', `/api/v1/jobs/${upsert.body.jobId}`)).status, 200)
  const history = await platform.manage<object[]>('GET', `/api/v1/upsert-history/${id}`)
  assert.equal(history.body.length, 1)
  assert.deepEqual(await deleted(), [])
  assert.equal((await restore('doomed')).body.code, 'deleted_flow_not_found')
})

test('restoring a flow names a slug that another flow has by now, and takes another one [flows:undo]', async () => {
  const first = await platform.flow({ name: 'Twice', slug: 'twice' })
  await remove(first)
  const second = await platform.flow({ name: 'Twice', slug: 'twice' })
  const refused = await restore(first)
  assert.deepEqual([refused.status, refused.body.code], [409, 'slug_taken'])
  const back = await restore(first, { slug: 'twice-again' })
  assert.deepEqual([back.status, back.body.slug], [200, 'twice-again'])
  // Two deleted flows with one slug: the slug is that of the last one.
  await remove(second)
  const third = await platform.flow({ name: 'Twice', slug: 'twice' })
  await remove(third)
  assert.equal((await restore('twice')).body.id, third)
  for (const id of [second, third]) await remove(id, '?now=true')
})

test('deleted flows share a namespace: the chunks stay while a flow uses them, and come back with either [flows:undo]', async () => {
  const make = () => platform.flow({ store: { namespace: 'shared otters' } })
  const [first, second] = [await make(), await make()]
  await platform.upload(first, otters)
  await remove(first)
  assert.equal((await texts(second, 'otters')).length, 1)
  await remove(second)
  assert.equal((await restore(first)).status, 200)
  assert.equal((await texts(first, 'otters')).length, 1)
  // Removing the other for good leaves the chunks, because the first flow uses them.
  await remove(second, '?now=true')
  assert.equal((await texts(first, 'otters')).length, 1)
})

test('a deleted flow whose namespace was filled by another flow is not restored over it [flows:undo]', async () => {
  const make = (slug: string) => platform.flow({ slug, store: { namespace: 'filled' } })
  const first = await make('filled-first')
  await platform.upload(first, otters)
  await remove(first)
  const second = await make('filled-second')
  assert.deepEqual(await texts(second, 'otters'), [])
  await platform.upload(second, { 'tea.txt': 'Tea is made of leaves.' })
  const refused = await restore(first)
  assert.deepEqual([refused.status, refused.body.code], [409, 'namespace_taken'])
  assert.match(refused.body.hint!, /filled-second/)
  await remove(second, '?now=true')
  assert.equal((await restore(first)).status, 200)
  assert.deepEqual(await texts(first, 'tea and otters'), ['Otters sleep hand in hand.'])
})

test('deleting a flow cancels its running job, and the job can be retried after restore [flows:undo]', async () => {
  const id = await platform.flow({ splitter: { chunkSize: 50, chunkOverlap: 0 } })
  await platform.upload(id, otters)
  const sent = new FormData()
  const long = Array.from({ length: 200_000 }, (_, line) => `Line ${line} of a very long book.`).join('\n')
  sent.append('files', new File([long], 'book.txt'))
  const begun = await platform.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${id}?async=true`, {
    body: sent,
  })
  assert.equal(begun.status, 202)
  await remove(id)
  assert.equal((await restore(id)).status, 200)
  const job = await platform.manage<{ state: string }>('GET', `/api/v1/jobs/${begun.body.jobId}`)
  assert.equal(job.body.state, 'cancelled')
  assert.equal((await summaryOf(id))!.chunks, 1)
  const retried = await platform.manage('POST', `/api/v1/jobs/${begun.body.jobId}/retry`)
  assert.equal(retried.status, 200)
  await remove(id, '?now=true')
  await until(() => platform.uploads().length === 0)
})

test('?now=true removes a flow for good, with every row of its chunks [flows:undo]', async () => {
  const count = async () => {
    const counts: number[] = []
    for (const table of [
      'flows',
      'chunks',
      'passages',
      'indexes',
      'jobs',
      'flow_revisions',
      'upsert_history',
    ])
      counts.push(Number((await platform.sql<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n))
    return counts
  }
  // What the tests before this one have left is swept meanwhile.
  const waiting = `SELECT (SELECT count(*) FROM indexes WHERE state = 'retired') + (SELECT count(*) FROM runs WHERE state <> 'published') AS n`
  await until(
    async () => Number((await platform.sql<{ n: string }>(waiting))[0]!.n) === 0,
    'the sweeps before',
  )
  const before = await count()
  const id = await platform.flow({})
  await platform.upload(id, otters)
  await remove(id)
  assert.notDeepEqual(await count(), before)
  assert.equal((await remove(id, '?now=true')).status, 200)
  // The chunks are deleted behind the answer.
  await untilEqual(count, before)
  assert.equal((await restore(id)).status, 404)
})

test('GET /flows counts chunks, documents and problems, and names the last upsert and the key [flows:summary]', async () => {
  const { id: key } = await platform.key()
  const id = await platform.flow({ name: 'Summary', slug: 'summary', apikeyid: key })
  assert.partialDeepStrictEqual(await summaryOf(id), {
    slug: 'summary',
    name: 'Summary',
    chunks: 0,
    documents: 0,
    problemCount: 0,
    lastUpsert: null,
    key: { id: key, name: 'a key' },
  })
  await platform.manage('PUT', `/api/v1/chatflows/${id}`, { apikeyid: '' })
  await platform.upload(id, { ...otters, 'tea.txt': 'Tea is made of leaves.' })
  const loaded = await summaryOf(id)
  assert.partialDeepStrictEqual(loaded, {
    chunks: 2,
    documents: 2,
    key: null,
    lastUpsert: { state: 'done', error: null },
  })
  await platform.upload(id, { 'more.txt': 'Coffee is made of beans.' })
  assert.equal((await summaryOf(id))!.documents, 3)
  await platform.upload(id, { 'broken.pdf': 'this is no PDF' })
  assert.equal((await summaryOf(id))!.lastUpsert!.state, 'failed')
  assert.ok(!JSON.stringify(await summaries()).includes('builtInVectorStore'))
})

test('GET /flows counts problems again when a credential or a flow that was missing comes [flows:summary]', async () => {
  const nodes = [
    {
      id: 'retriever_0',
      data: { id: 'retriever_0', name: 'openAIEmbeddings', inputs: {}, credential: 'none' },
    },
    { id: 'x', data: { id: 'x', name: 'noSuchNode', inputs: { a: reference('retriever_0') } } },
  ]
  const made = await platform.manage<Flow>('POST', '/api/v1/chatflows', {
    name: 'Problems',
    flowData: { nodes, edges: [] },
  })
  const id = made.body.id ?? ''
  const problems = (await summaryOf(id))!.problemCount
  const validated = await platform.manage<{ problems: object[] }>('POST', '/api/v1/flows/validate', {
    flow: id,
  })
  assert.equal(problems, validated.body.problems.length)
  assert.ok(problems > 0)
  await platform.manage('PUT', `/api/v1/chatflows/${id}`, { flowData: { nodes: [], edges: [] } })
  assert.equal((await summaryOf(id))!.problemCount, 0)
})

test('nothing went wrong inside', () => {
  assert.deepEqual(
    platform.log.filter(
      ({ level, event }) => (level === 'error' || level === 'warn') && event !== 'file-failed',
    ),
    [],
  )
})
