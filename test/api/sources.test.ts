import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { makePlatform, testScenarios } from '../support/platform.ts'

const platform = await makePlatform()
const NAMES = ['a.txt', 'b.txt', 'c.txt', 'dir/d.txt', 'ü.txt']
const filled = async (name: string) => {
  const flow = await platform.flow({
    name,
    overridable: ['files', 'addMetadata'],
    recordManager: { cleanup: 'incremental' },
  })
  await platform.upload(flow, Object.fromEntries(NAMES.map((file) => [file, `Words of ${file}.`])), {
    addMetadata: '{"batch": 1}',
  })
  await platform.upload(flow, { 'z.txt': 'Words of the second batch.' }, { addMetadata: '{"batch": 2}' })
  return flow
}
type Sources = { data: { source: string; chunks: number; updatedAt: string }[]; total: number }
const sourcesOf = async (flow: string, query = '') =>
  (await platform.manage<Sources>('GET', `/api/v1/vector/sources/${flow}${query}`)).body
const namesOf = async (flow: string, query = '') =>
  (await sourcesOf(flow, query)).data.map(({ source }) => source)

const flow = await filled('Listed')
const path = `/api/v1/vector/sources/${flow}`
const upsert = `/api/v1/vector/upsert/${flow}`
const none = await platform.flow({ name: 'Holds nothing' })

test('sources are listed by name, with their chunks and the time of their last change', async () => {
  const { data, total } = await sourcesOf(flow)
  assert.equal(total, 6)
  assert.deepEqual(
    data.map(({ source, chunks }) => `${source} ${chunks}`),
    [...NAMES.slice(0, 4), 'z.txt', 'ü.txt'].map((name) => `${name} 1`),
  )
  assert.match(data[0]!.updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('sources come in pages, and the total is of all of them', async () => {
  assert.deepEqual(await namesOf(flow, '?page=1&limit=4'), NAMES.slice(0, 4))
  assert.deepEqual(await namesOf(flow, '?page=2&limit=4'), ['z.txt', 'ü.txt'])
  assert.deepEqual(await sourcesOf(flow, '?page=3&limit=4'), { data: [], total: 6 })
})

testScenarios(platform, [
  ...['page=0', 'page=x', 'limit=0', 'limit=1001', 'limit='].map((query) => ({
    name: `sources refuse ${query}`,
    path: `${path}?${query}`,
    status: 400,
    expect: { code: 'query_invalid' },
  })),
  { name: 'sources of an unknown flow', path: '/api/v1/vector/sources/none', status: 404 },
  {
    name: 'sources of a flow that holds nothing',
    path: `/api/v1/vector/sources/${none}`,
    status: 200,
    expect: { data: [], total: 0 },
  },
  {
    name: 'DELETE requires the name of a source',
    method: 'DELETE',
    path: upsert,
    status: 400,
    expect: { code: 'source_or_filter_missing' },
  },
  {
    name: 'DELETE requires the name of a source, with an empty body too',
    method: 'DELETE',
    path: upsert,
    body: {},
    status: 400,
    expect: { code: 'source_or_filter_missing' },
  },
  ...[
    '{"$and": []}',
    '{"$or": []}',
    '{"$not": {}}',
    '{"$and": [{}]}',
    '{"$not": {"$or": []}}',
    '{"batch": {"$nin": []}}',
    '{"$not": {"batch": {"$in": []}}}',
    '{"__proto__": {"batch": 1}}',
    '{"batch": {"$ne": 7}, "__proto__": {"batch": 1}}',
  ].map((filter) => ({
    name: `DELETE refuses the filter ${filter} and takes nothing away [sources:filter:all]`,
    method: 'DELETE',
    path: upsert,
    headers: { 'content-type': 'application/json' },
    body: `{"filter": ${filter}}`,
    status: 400,
    expect: { code: 'filter_invalid' },
  })),
  {
    name: 'DELETE with an empty filter would take everything',
    method: 'DELETE',
    path: upsert,
    body: { filter: {} },
    status: 400,
    expect: { code: 'source_or_filter_missing' },
  },
  {
    name: 'DELETE refuses an unknown operator',
    method: 'DELETE',
    path: upsert,
    body: { filter: { batch: { $about: 1 } } },
    status: 400,
    expect: { code: 'filter_invalid' },
  },
  ...['filtr', 'Filter', 'where'].flatMap((name) => [
    {
      name: `DELETE refuses ${name} in the body beside a source, and takes nothing away [query:filter:misspelt]`,
      method: 'DELETE',
      path: upsert,
      body: { source: 'a.txt', [name]: { batch: 2 } },
      status: 400,
      expect: { code: 'filter_invalid' },
      contains: ['did you mean filter?'],
    },
    {
      name: `DELETE refuses ${name} in the query string, and takes nothing away [query:filter:misspelt]`,
      method: 'DELETE',
      path: `${upsert}?source=a.txt&${name}=${encodeURIComponent('{"batch": 2}')}`,
      status: 400,
      expect: { code: 'filter_invalid' },
    },
  ]),
  {
    name: 'DELETE refuses a filter in the query string that is not JSON [query:filter:query-string]',
    method: 'DELETE',
    path: `${upsert}?source=a.txt&filter=batch`,
    status: 400,
    expect: { code: 'filter_invalid' },
  },
  {
    name: 'DELETE refuses two filters',
    method: 'DELETE',
    path: `${upsert}?filter=${encodeURIComponent('{"batch": 2}')}`,
    body: { filter: { batch: 1 } },
    status: 400,
    expect: { code: 'filter_invalid' },
  },
  {
    name: 'after all refusals each source is still there',
    path,
    status: 200,
    expect: { total: 6 },
  },
  {
    name: 'DELETE of what is not there deletes nothing',
    method: 'DELETE',
    path: `${upsert}?source=nothing.txt`,
    status: 200,
    expect: { numDeleted: 0 },
  },
  {
    name: 'DELETE in a flow that holds nothing',
    method: 'DELETE',
    path: `/api/v1/vector/upsert/${none}?source=a.txt`,
    status: 200,
    expect: { numDeleted: 0 },
  },
])

for (const { how, query = '', body, left } of [
  {
    how: 'source in the query',
    query: '?source=dir%2Fd.txt',
    left: ['a.txt', 'b.txt', 'c.txt', 'z.txt', 'ü.txt'],
  },
  {
    how: 'source in the body',
    body: { source: 'ü.txt' },
    left: ['a.txt', 'b.txt', 'c.txt', 'dir/d.txt', 'z.txt'],
  },
  { how: 'filter', body: { filter: { batch: 1 } }, left: ['z.txt'] },
  {
    how: 'source and filter in the query string [query:filter:query-string]',
    query: `?source=a.txt&filter=${encodeURIComponent('{"batch": 2}')}`,
    left: ['a.txt', 'b.txt', 'c.txt', 'dir/d.txt', 'z.txt', 'ü.txt'],
  },
  {
    how: 'source and filter, both of which hold',
    body: { source: 'a.txt', filter: { batch: 1 } },
    left: ['b.txt', 'c.txt', 'dir/d.txt', 'z.txt', 'ü.txt'],
  },
  {
    how: 'source and filter, one of which does not hold',
    query: '?source=a.txt',
    body: { filter: { batch: 2 } },
    left: ['a.txt', 'b.txt', 'c.txt', 'dir/d.txt', 'z.txt', 'ü.txt'],
  },
])
  test(`DELETE by ${how}`, async () => {
    const emptied = await filled(how)
    const answer = await platform.manage('DELETE', `/api/v1/vector/upsert/${emptied}${query}`, body)
    assert.partialDeepStrictEqual(answer.body, { numDeleted: 6 - left.length })
    assert.deepEqual(await namesOf(emptied), left)
  })

for (const what of [{ source: 'a.txt' }, { filter: { batch: 1 } }])
  test(`the same file is indexed again after DELETE by ${Object.keys(what)}, and found`, async () => {
    const again = await filled('Again')
    await platform.manage('DELETE', `/api/v1/vector/upsert/${again}`, what)
    const { body: without } = await platform.query(again, { query: 'Words of a.txt.', topK: 10 })
    assert.ok(without.docs.every(({ metadata }) => metadata.source !== 'a.txt'))
    const { body } = await platform.upload(
      again,
      { 'a.txt': 'Words of a.txt.' },
      { addMetadata: '{"batch": 1}' },
    )
    assert.partialDeepStrictEqual(body, { numAdded: 1, numSkipped: 0, files: [{ status: 'indexed' }] })
    const { body: found } = await platform.query(again, { query: 'Words of a.txt.', topK: 1 })
    assert.equal(found.docs[0]!.metadata.source, 'a.txt')
  })

test('a flow of two stores lists and removes what the store of stopNodeId holds, in the query or the body', async () => {
  const drawing = drawFlow({ recordManager: { cleanup: 'incremental' } })
  const { nodes } = drawing.flowData as unknown as { nodes: { id: string; data: JsonObject }[] }
  const store = nodes.find(({ id }) => id === 'builtInVectorStore_0')!
  const inputs = { ...(store.data.inputs as JsonObject), namespace: 'the second store' }
  nodes.push({ ...store, id: 'second', data: { ...store.data, id: 'second', inputs } })
  const { body } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing)
  await platform.upload(body.id, { 'first.txt': 'One.' }, { stopNodeId: 'builtInVectorStore_0' })
  for (const name of ['a.txt', 'b.txt', 'c.txt'])
    await platform.upload(body.id, { [name]: `Words of ${name}.` }, { stopNodeId: 'second' })

  const sources = `/api/v1/vector/sources/${body.id}`
  const refused = await platform.call('GET', sources)
  assert.partialDeepStrictEqual(refused, { status: 400, body: { code: 'stop_node_needed' } })
  assert.deepEqual(await namesOf(body.id, '?stopNodeId=second'), ['a.txt', 'b.txt', 'c.txt'])
  assert.deepEqual(await namesOf(body.id, '?stopNodeId=builtInVectorStore_0'), ['first.txt'])

  const upsert = `/api/v1/vector/upsert/${body.id}`
  assert.equal((await platform.call('DELETE', `${upsert}?source=a.txt`)).status, 400)
  const byQuery = await platform.call('DELETE', `${upsert}?source=a.txt&stopNodeId=second`)
  const byBody = await platform.call('DELETE', upsert, { body: { source: 'b.txt', stopNodeId: 'second' } })
  for (const { body } of [byQuery, byBody]) assert.partialDeepStrictEqual(body, { numDeleted: 1 })
  assert.deepEqual(await namesOf(body.id, '?stopNodeId=second'), ['c.txt'])
  assert.deepEqual(await namesOf(body.id, '?stopNodeId=builtInVectorStore_0'), ['first.txt'])
})

type Listed = { data: { id: string; source: string; pageContent: string; metadata: object }[]; total: number }
const chunksOf = async (flow: string, query = '') =>
  (await platform.manage<Listed>('GET', `/api/v1/vector/chunks/${flow}${query}`)).body

test('GET /vector/chunks gives the chunks of a source in order, page by page, with the ids of a query [source:chunks]', async () => {
  const long = await platform.flow({ name: 'Long', splitter: { chunkSize: 60, chunkOverlap: 0 } })
  const lines = Array.from({ length: 9 }, (_, at) => `Sentence ${at} has so many words that no other fits.`)
  await platform.upload(long, { 'a.txt': 'Before it.', 'b.txt': lines.join('\n'), 'c.txt': 'After it.' })
  const all = await chunksOf(long, '?source=b.txt')
  assert.deepEqual([all.total, all.data.map(({ pageContent }) => pageContent)], [9, lines])
  const second = await chunksOf(long, '?source=b.txt&limit=4&page=2')
  assert.deepEqual([second.total, second.data], [9, all.data.slice(4, 8)])
  const whole = await chunksOf(long, '?limit=1000')
  assert.deepEqual(
    [whole.total, whole.data.map(({ source }) => source)],
    [11, ['a.txt', ...lines.map(() => 'b.txt'), 'c.txt']],
  )
  const found = (await platform.query(long, { query: 'Sentence 5', topK: 1, mode: 'keyword' })).body.docs[0]!
  const same = all.data.find(({ id }) => id === found.id)
  assert.deepEqual([same?.pageContent, same?.metadata], [found.pageContent, found.metadata])
  assert.deepEqual(await chunksOf(long, '?source=none.txt'), { data: [], total: 0, offset: 0 })
  assert.deepEqual(await chunksOf(none), { data: [], total: 0, offset: 0 })
})

test('GET /vector/chunks follows the key of the flow, with the scope query or upsert', async () => {
  const { id, apiKey } = await platform.key({ scopes: ['query'] })
  const closed = await platform.flow({ name: 'Chunks are closed', apikeyid: id })
  const predict = await platform.key({ scopes: ['predict'], flows: [closed] })
  const status = async (key?: string) =>
    (await platform.call('GET', `/api/v1/vector/chunks/${closed}`, key === undefined ? {} : { key })).status
  assert.deepEqual([await status(), await status(apiKey), await status(predict.apiKey)], [401, 200, 403])
})

test('DELETE by several sources takes all of them, and the files that stay are still known by their bytes', async () => {
  const emptied = await platform.flow({ name: 'Several', recordManager: { cleanup: 'incremental' } })
  const files = Object.fromEntries(NAMES.map((file) => [file, `Words of ${file}.`]))
  await platform.upload(emptied, files)
  const remove = (body: object) => platform.manage('DELETE', `/api/v1/vector/upsert/${emptied}`, body)
  assert.partialDeepStrictEqual((await remove({ sources: ['a.txt', 'ü.txt', 'none.txt'] })).body, {
    numDeleted: 2,
  })
  assert.deepEqual(await namesOf(emptied), ['b.txt', 'c.txt', 'dir/d.txt'])
  const again = await platform.upload(emptied, files)
  assert.deepEqual(
    again.body.files.map(({ name, status }) => `${name} ${status}`),
    ['a.txt indexed', 'b.txt unchanged', 'c.txt unchanged', 'dir/d.txt unchanged', 'ü.txt indexed'],
  )
  assert.partialDeepStrictEqual((await remove({ sources: [] })).body, { numDeleted: 0 })
  assert.equal((await remove({ source: 'a.txt', sources: ['b.txt'] })).status, 400)
})
