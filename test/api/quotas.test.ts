import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../src/kit/json.ts'
import { node } from '../support/agent-drawing.ts'
import { documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { reference } from '../support/flow-drawing.ts'
import { type Answer, form, makePlatform } from '../support/platform.ts'
import { untilEqual } from '../support/until.ts'

/** What a key may use: questions and bytes in a day, and chunks at the same time. */

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'What is the rent?' }

const apiConfig = overridable('files')
let flows = 0

async function makeFlow(flowData: JsonObject = documentFlow(model.url)): Promise<string> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: `Flow ${++flows}`,
    apiConfig,
    flowData,
  })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}

type Key = { id: string; apiKey: string; quotas: JsonObject; used: JsonObject }

const make = (body: JsonObject) =>
  platform.manage<Key>('POST', '/api/v1/apikey', { keyName: 'a key', ...body })

async function limited(flow: string, quotas: JsonObject, more: JsonObject = {}): Promise<Key> {
  const { status, text, body } = await make({ flows: [flow], quotas, ...more })
  assert.equal(status, 200, text)
  return body
}

async function usedOf({ id }: Key): Promise<JsonObject> {
  const { body } = await platform.manage<Key[]>('GET', '/api/v1/apikey')
  return body.find((key) => key.id === id)!.used
}

const query = (flow: string, { apiKey }: Key, body: JsonObject = { query: 'rent' }) =>
  platform.call('POST', `/api/v1/vector/query/${flow}`, { key: apiKey, body })

type Loaded = { numAdded: number; totalKeys: number }

const load = (flow: string, { apiKey }: Key, files: Record<string, string>) =>
  platform.call<Loaded>('POST', `/api/v1/vector/upsert/${flow}`, { key: apiKey, body: form(files) })

const codeOf = ({ text }: Answer) => (JSON.parse(text) as { code: string }).code

test('POST apikey stores quotas, PUT apikey replaces them, and both refuse those that cannot work [keys:quotas]', async () => {
  const key = (await make({ quotas: { bytes: 10, questions: 5 } })).body
  assert.deepEqual(key.quotas, { bytes: 10, questions: 5 })
  const url = `/api/v1/apikey/${key.id}`
  const changed = await platform.manage<Key>('PUT', url, { quotas: { questions: 7, bytes: null } })
  assert.deepEqual([changed.body.quotas, changed.body.used], [{ questions: 7 }, { questions: 0 }])
  assert.deepEqual((await platform.manage<Key>('PUT', url, { keyName: 'b' })).body.quotas, { questions: 7 })
  for (const quotas of [
    { words: 5 },
    { bytes: 0 },
    { bytes: 1.5 },
    { bytes: '5' },
    { questions: -1 },
    { chunks: 5 },
  ])
    for (const answer of [await make({ quotas }), await platform.manage('PUT', url, { quotas })])
      assert.deepEqual([answer.status, codeOf(answer)], [400, 'quotas_invalid'], JSON.stringify(quotas))
})

test('a key asks as many questions a day as its quota, by every way to ask [keys:quotas]', async () => {
  const flow = await makeFlow()
  const key = await limited(flow, { questions: 8 })
  const first = await query(flow, key)
  const { headers } = first
  assert.equal(first.status, 200, first.text)
  assert.deepEqual([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')], ['8', '7'])
  const seconds = Number(headers.get('ratelimit-reset'))
  assert.ok(seconds > 0 && seconds <= 86_400)
  await query(flow, key, { queries: ['rent', 'house'] })
  await platform.call('GET', `/api/v1/vector/query/${flow}?q=rent`, { key: key.apiKey })
  const question = { question: 'What is the rent?' }
  await platform.call('POST', `/api/v1/prediction/${flow}`, { key: key.apiKey, body: question })
  const messages = [{ role: 'user', content: 'What is the rent?' }]
  const openAI = () =>
    platform.call('POST', '/v1/chat/completions', { key: key.apiKey, body: { model: flow, messages } })
  assert.equal((await openAI()).status, 200)
  const client = new Client({ name: 'tests', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${key.apiKey}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`/api/v1/mcp/${flow}`, platform.url), { requestInit }),
  )
  assert.equal((await client.callTool({ name: 'search', arguments: { query: 'rent' } })).isError, undefined)
  assert.deepEqual(await usedOf(key), { questions: 7 })

  const both = await query(flow, key, { queries: ['rent', 'house'] })
  assert.deepEqual([both.status, codeOf(both)], [429, 'quota_exceeded'])
  assert.match(both.text, /8 questions a day, has used 7 and asks for 2: the count begins again on 20\d\d-/)
  assert.ok(Number(both.headers.get('retry-after')) > 0)
  assert.equal(both.headers.get('ratelimit-remaining'), '1')
  assert.equal((await query(flow, key)).status, 200, 'a refused request uses nothing')
  for (const answer of [
    await query(flow, key),
    await platform.call('GET', `/api/v1/vector/query/${flow}?q=rent`, { key: key.apiKey }),
    await platform.call('POST', `/api/v1/prediction/${flow}`, { key: key.apiKey, body: question }),
    await openAI(),
  ])
    assert.equal(answer.status, 429, answer.text)
  const refused = await client.callTool({ name: 'search', arguments: { query: 'rent' } })
  await client.close()
  assert.match(JSON.stringify(refused), /questions a day/)
  assert.deepEqual(await usedOf(key), { questions: 8 })
  const other = await limited(flow, { questions: 1 })
  assert.equal((await query(flow, other)).status, 200, 'each key has its own')
})

test('texts to embed and searches in chunks are questions of the quota [keys:quotas]', async () => {
  const flow = await makeFlow()
  const key = await limited(flow, { questions: 5 })
  assert.equal((await load(flow, key, { 'a.txt': 'The rent is due on Monday.' })).status, 200)
  const embed = (input: string | string[]) =>
    platform.call('POST', '/v1/embeddings', { key: key.apiKey, body: { model: 'builtin', input } })
  const chunks = (more: string) =>
    platform.call('GET', `/api/v1/vector/chunks/${flow}?source=a.txt${more}`, { key: key.apiKey })
  assert.equal((await embed(['rent', 'house'])).status, 200)
  assert.equal((await embed('rent')).status, 200)
  assert.deepEqual(await usedOf(key), { questions: 3 })
  assert.equal((await chunks('&search=rent')).status, 200)
  assert.equal((await chunks('')).status, 200)
  assert.deepEqual(await usedOf(key), { questions: 4 }, 'a page without a search is no question')
  assert.equal((await embed(['rent', 'house'])).status, 429)
  assert.equal((await chunks('&search=due')).status, 200)
  for (const refused of [await chunks('&search=rent'), await embed('rent')])
    assert.equal(refused.status, 429, refused.text)
  assert.equal((await chunks('')).status, 200)
  assert.deepEqual(await usedOf(key), { questions: 5 })
})

test('of questions at the same time no more are answered than the quota allows [keys:quotas]', async () => {
  const flow = await makeFlow()
  const key = await limited(flow, { questions: 5 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => query(flow, key)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
})

test('a key uploads as many bytes a day as its quota: the upload that passes it is refused and removed [keys:quotas]', async () => {
  const flow = await makeFlow()
  const key = await limited(flow, { bytes: 100 })
  assert.equal((await load(flow, key, { 'a.txt': 'a'.repeat(30), 'b.txt': 'b'.repeat(30) })).status, 200)
  const refused = await load(flow, key, { 'c.txt': 'c'.repeat(41) })
  assert.deepEqual([refused.status, codeOf(refused)], [429, 'quota_exceeded'])
  // Another server may have done the job of the upload before, whose copies it drops behind the answer.
  await untilEqual(() => platform.uploads(), [])
  assert.deepEqual(await usedOf(key), { bytes: 60 })
  const dry = await platform.call('POST', `/api/v1/vector/dry-run/${flow}?async=false`, {
    key: key.apiKey,
    body: form({ 'd.txt': 'd'.repeat(30) }),
  })
  assert.equal(dry.status, 200, dry.text)
  const upload = {
    type: 'file:rag',
    name: 'mine.txt',
    mime: 'text/plain',
    data: `data:text/plain;base64,${Buffer.from('x'.repeat(11)).toString('base64')}`,
  }
  const asked = await platform.call('POST', `/api/v1/prediction/${flow}`, {
    key: key.apiKey,
    body: { question: 'What?', uploads: [upload] },
  })
  assert.deepEqual([asked.status, codeOf(asked)], [429, 'quota_exceeded'])
  assert.deepEqual(await usedOf(key), { bytes: 90 })
})

test('a repeated upload with the same Idempotency-Key uses its bytes once [keys:quotas]', async () => {
  const flow = await makeFlow()
  const key = await limited(flow, { bytes: 10 })
  for (let time = 0; time < 2; time++) {
    const answer = await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
      key: key.apiKey,
      headers: { 'idempotency-key': 'monday' },
      body: form({ 'a.txt': '0123456789' }),
    })
    assert.equal(answer.status, 200, answer.text)
  }
  assert.deepEqual(await usedOf(key), { bytes: 10 })
})

test('the text of a JSON body counts as uploaded bytes [keys:quotas]', async () => {
  const nodes = [
    node('plainText_0', { text: 'The rent.' }),
    node('builtInEmbeddings_0'),
    node('builtInVectorStore_0', {
      document: [reference('plainText_0')],
      embeddings: reference('builtInEmbeddings_0'),
    }),
  ]
  const flow = await makeFlow({ nodes, edges: [] } as never)
  const key = await limited(flow, { bytes: 60 })
  const send = (text: string) =>
    platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
      key: key.apiKey,
      body: { overrideConfig: { text } },
    })
  assert.equal((await send('x')).status, 200)
  assert.equal((await send('x'.repeat(60))).status, 429)
})

const pins = { tenant: 'acme' }

test('the documents of a key have as many chunks as its quota, in all namespaces together; removing makes room [keys:quotas]', async () => {
  const [flow, second] = [await makeFlow(), await makeFlow()]
  const key = await limited(flow, { chunks: 3 }, { pins: { tenant: 'chunks' }, flows: [flow, second] })
  const other = await limited(flow, {}, { pins: { tenant: 'other' } })
  assert.equal((await load(flow, key, { 'a.txt': 'Of a.', 'b.txt': 'Of b.' })).status, 200)
  await load(flow, other, { 'a.txt': 'Of others.', 'b.txt': 'More of others.', 'c.txt': 'Most of others.' })
  assert.equal((await load(second, key, { 'c.txt': 'Of c.' })).status, 200)
  assert.deepEqual(await usedOf(key), { chunks: 3 })
  const refused = await load(second, key, { 'd.txt': 'Of d.' })
  assert.deepEqual([refused.status, codeOf(refused)], [413, 'quota_chunks_exceeded'])
  assert.match(refused.text, /would have 4 chunks, and it may have 3: remove documents first/)
  assert.deepEqual(await usedOf(key), { chunks: 3 })
  assert.equal((await load(flow, key, { 'a.txt': 'Of a.' })).status, 200, 'what is there stays as it is')
  const remove = (source: string) =>
    platform.call('DELETE', `/api/v1/vector/upsert/${flow}`, { key: key.apiKey, body: { source } })
  await remove('b.txt')
  assert.equal((await load(second, key, { 'd.txt': 'Of d.' })).status, 200)
  const restored = await platform.call('POST', `/api/v1/vector/sources/${flow}/restore`, {
    key: key.apiKey,
    body: { sources: ['b.txt'] },
  })
  assert.deepEqual([restored.status, codeOf(restored)], [413, 'quota_chunks_exceeded'])
  const chat = await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
    key: key.apiKey,
    body: form({ 'chat.txt': 'Of a chat.' }, { chatId: 'chat' }),
  })
  assert.equal(chat.status, 413, 'files of conversations count')
  assert.deepEqual(await usedOf(key), { chunks: 3 })
})

test('a document at the quota can be replaced, and one that is too large changes nothing [keys:quotas]', async () => {
  const drawing = documentFlow(model.url)
  const nodes = (drawing.nodes as { id: string; data: { inputs: JsonObject } }[]).map((one) =>
    one.id === 'store'
      ? { ...one, data: { ...one.data, inputs: { ...one.data.inputs, recordManager: reference('records') } } }
      : one,
  )
  const records = node('SQLiteRecordManager_0', { cleanup: 'incremental' })
  const cleaning = [...nodes, { id: 'records', data: { ...records.data, id: 'records' } }]
  const flow = await makeFlow({ nodes: cleaning, edges: [] } as never)
  const key = await limited(flow, { chunks: 1 }, { pins: { tenant: 'replaced' } })
  assert.equal((await load(flow, key, { 'a.txt': 'First.' })).status, 200)
  assert.equal((await load(flow, key, { 'a.txt': 'Second.' })).status, 200)
  assert.equal((await load(flow, key, { 'a.txt': 'Third.', 'b.txt': 'Fourth.' })).status, 413)
  const { body } = await platform.call<{ docs: { pageContent: string }[] }>(
    'GET',
    `/api/v1/vector/query/${flow}?q=Third`,
    { key: key.apiKey },
  )
  assert.deepEqual(
    body.docs.map(({ pageContent }) => pageContent),
    ['Second.'],
  )
})

test('of upserts at the same time no more chunks are stored than the quota allows [keys:quotas]', async () => {
  const flow = await makeFlow()
  const key = await limited(flow, { chunks: 4 }, { pins })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => load(flow, key, { [`${at}.txt`]: `The text ${at}.` })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 4)
  assert.deepEqual(await usedOf(key), { chunks: 4 })
})
