import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Connection } from '../../src/db/sqlite/connection.ts'
import type { Json, JsonObject } from '../../src/kit/json.ts'
import { node, start, step, steps } from '../support/agent-drawing.ts'
import { documentFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { reference } from '../support/flow-drawing.ts'
import { form, makePlatform } from '../support/platform.ts'

/** Keys with pins: on every way to the documents of a flow, each finds and changes its own alone. */

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())

const enabled = (name: string) => ({ name, label: name, type: 'string', enabled: true })
const apiConfig: JsonObject = {
  overrideConfig: {
    status: true,
    nodes: {
      '*': ['files', 'addMetadata', 'omitMetadataKeys', 'filter'].map(enabled),
      // Guarded inputs are enabled for a node.
      store: [enabled('namespace')],
    },
  },
}
let flows = 0

async function makeFlow(row: JsonObject = { flowData: documentFlow(model.url) }): Promise<string> {
  const name = `Flow ${++flows}`
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name, apiConfig, ...row })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}

type Made = { id: string; apiKey: string; pins: JsonObject }

const makeKey = (body: JsonObject) =>
  platform.manage<Made>('POST', '/api/v1/apikey', { keyName: 'a key', ...body })

async function keyOf(flow: string, pins: JsonObject, more: JsonObject = {}): Promise<string> {
  const { status, text, body } = await makeKey({ flows: [flow], pins, ...more })
  assert.equal(status, 200, text)
  return body.apiKey
}

type Loaded = {
  numAdded: number
  numSkipped: number
  numDeleted: number
  totalKeys: number
  files: { status: string }[]
}

async function load(
  flow: string,
  key: string | undefined,
  files: Record<string, string>,
  fields: Record<string, string> = {},
): Promise<Loaded> {
  const url = `/api/v1/vector/upsert/${flow}`
  const answer = await platform.call<Loaded>('POST', url, {
    body: form(files, fields),
    ...(key === undefined ? {} : { key }),
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const OWNERS = ['all', 'Acme', 'Beta']
const ownersOf = (found: { pageContent: string }[] = []) =>
  OWNERS.filter((name) => found.some(({ pageContent }) => pageContent.includes(` ${name}`)))

type Found = { docs: { pageContent: string; metadata: JsonObject }[]; warnings?: Json[]; readings?: Json[] }

async function find(flow: string, key: string | undefined, body: JsonObject = {}): Promise<Found> {
  const answer = await platform.call<Found>('POST', `/api/v1/vector/query/${flow}`, {
    body: { query: 'rent', topK: 20, ...body },
    ...(key === undefined ? {} : { key }),
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const owners = async (flow: string, key: string | undefined, body: JsonObject = {}) =>
  ownersOf((await find(flow, key, body)).docs)

type Tenants = { flow: string; owner: string; acme: string; beta: string }

/** A closed flow with a file of no tenant, and one of the same name of each of two tenants. */
async function tenants(row?: JsonObject): Promise<Tenants> {
  const flow = await makeFlow(row)
  const bound = await makeKey({ keyName: 'owner', bind: [flow] })
  assert.equal(bound.status, 200, bound.text)
  const owner = bound.body.apiKey
  const [acme, beta] = await Promise.all([keyOf(flow, { tenant: 'acme' }), keyOf(flow, { tenant: 'beta' })])
  await load(flow, owner, { 'rent.txt': 'The rent of all others is 500.' })
  await load(flow, acme, { 'rent.txt': 'The rent of Acme is 700.' })
  await load(flow, beta, { 'rent.txt': 'The rent of Beta is 900.' })
  return { flow, owner, acme, beta }
}

let one: Tenants
before(async () => {
  model.otherwise = { text: 'What is the rent?' }
  one = await tenants()
})

test('POST apikey stores the pins of a key, and every list shows them [keys:pins]', async () => {
  const pins = { tenant: 'acme', region: 'é "x" %_*' }
  const made = await makeKey({ pins })
  assert.deepEqual(made.body.pins, pins)
  const { body } = await platform.manage<Made[]>('GET', '/api/v1/apikey')
  assert.deepEqual(body.find(({ id }) => id === made.body.id)?.pins, pins)
  const url = `/api/v1/apikey/${made.body.id}`
  const turned = await platform.manage<Made>('POST', `${url}/rotate`)
  assert.deepEqual(turned.body.pins, pins)
  assert.equal((await platform.manage('PUT', url, { keyName: 'renamed', pins })).status, 200)
})

test('POST apikey refuses pins that cannot work, and PUT apikey refuses to change them [keys:pins]', async () => {
  const wrong: [pins: JsonObject, reason: RegExp][] = [
    [{ 'a.b': 'x' }, /no name/],
    [{ '': 'x' }, /no name/],
    [{ $or: 'x' }, /no name/],
    [{ ['n'.repeat(65)]: 'x' }, /no name/],
    [{ source: 'x' }, /sets the metadata key source/],
    [{ flowise_chatId: 'x' }, /sets the metadata key flowise_chatId/],
    [JSON.parse('{"__proto__":"x"}') as JsonObject, /sets the metadata key __proto__/],
    [{ tenant: 7 }, /no text/],
    [{ tenant: { $ne: 'acme' } }, /no text/],
    [{ constructor: 'x' }, /sets the metadata key constructor/],
    [{ tenant: '' }, /empty/],
    [{ tenant: ' acme' }, /spaces/],
    [{ tenant: 'x'.repeat(201) }, /more than 200/],
    [{ tenant: 'a\nb' }, /control characters/],
    [{ tenant: 'a\u001fb' }, /control characters/],
    [{ tenant: '\ud800' }, /half a character/],
    [Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`p${at}`, 'x'])), /at most 8/],
  ]
  for (const [pins, reason] of wrong) {
    const { status, text } = await makeKey({ pins })
    assert.equal(status, 400, JSON.stringify(pins))
    assert.match(text, reason)
  }
  const manages = await makeKey({ pins: { tenant: 'acme' }, scopes: ['manage'] })
  assert.equal(manages.status, 400)
  assert.match(manages.text, /manage/)
  const { id } = (await makeKey({ pins: { tenant: 'acme' } })).body
  for (const body of [{ pins: { tenant: 'beta' } }, { pins: {} }, { scopes: ['manage'] }])
    assert.equal((await platform.manage('PUT', `/api/v1/apikey/${id}`, body)).status, 400)
})

test('POST and GET query find the documents of the pins alone, in every mode [keys:pins:query]', async () => {
  const { flow, owner, acme, beta } = one
  for (const mode of ['hybrid', 'vector', 'keyword']) {
    assert.deepEqual(await owners(flow, owner, { mode }), ['all', 'Acme', 'Beta'])
    assert.deepEqual(await owners(flow, acme, { mode }), ['Acme'])
    assert.deepEqual(await owners(flow, beta, { mode, includeVectors: true, explain: true }), ['Beta'])
    const both = await platform.call<{ results: Found[] }>('POST', `/api/v1/vector/query/${flow}`, {
      body: { queries: ['rent', 'others'], mode, topK: 20 },
      key: acme,
    })
    assert.deepEqual(
      both.body.results.map(({ docs }) => docs.filter(({ pageContent }) => !pageContent.includes('Acme'))),
      [[], []],
    )
  }
  const { body } = await platform.call<Found>('GET', `/api/v1/vector/query/${flow}?q=rent`, { key: beta })
  assert.deepEqual(ownersOf(body.docs), ['Beta'])
})

test('as many chunks of the pins are found as are asked for, however many better ones others have [keys:pins:query]', async () => {
  const { flow, owner, acme } = await tenants()
  const many = Array.from({ length: 60 }, (_, at) => [`${at}.txt`, `Rent, rent, rent of all: rent ${at}.`])
  await load(flow, owner, Object.fromEntries(many) as Record<string, string>)
  await load(flow, acme, { 'house.txt': 'The house of Acme has a garden.' })
  for (const mode of ['hybrid', 'vector']) {
    const { docs } = await find(flow, acme, { mode, topK: 2 })
    assert.equal(docs.length, 2, mode)
    assert.deepEqual(ownersOf(docs), ['Acme'])
  }
})

test('no filter, namespace or other override of a request leads out of the pins [keys:pins:query]', async () => {
  const { flow, acme } = one
  for (const filter of [
    { tenant: 'beta' },
    { tenant: { $ne: 'acme' } },
    { $or: [{ tenant: 'beta' }, { tenant: { $exists: false } }] },
    { $not: { tenant: 'acme' } },
    { source: 'rent.txt' },
  ] as JsonObject[])
    for (const body of [{ filter }, { overrideConfig: { filter } }]) {
      const found = await owners(flow, acme, body)
      assert.ok(!found.includes('Beta') && !found.includes('all'), JSON.stringify(body))
    }
  const other = await tenants()
  await load(other.flow, other.acme, { 'other.txt': 'Another flow.' })
  const elsewhere = await find(flow, acme, { overrideConfig: { namespace: other.flow } })
  assert.equal(elsewhere.docs.length, 2)
  assert.deepEqual(ownersOf(elsewhere.docs), ['Acme'], 'another namespace is within the pins too')
})

test('chunks get the pins of the key, which no metadata of the request replace or remove [keys:pins:upsert]', async () => {
  const { flow, acme, beta, owner } = await tenants()
  const attempts: Record<string, string>[] = [
    { addMetadata: JSON.stringify({ tenant: 'beta' }) },
    { addMetadata: JSON.stringify({ tenant: null, 'tenant.': 'beta' }) },
    { omitMetadataKeys: 'tenant' },
    { omitMetadataKeys: '*' },
  ]
  for (const [at, fields] of attempts.entries())
    await load(flow, acme, { [`${at}.txt`]: `The rent of Acme is new, ${at}.` }, fields)
  const { docs } = await find(flow, owner, { filter: { tenant: 'acme' } })
  assert.equal(docs.length, attempts.length + 1)
  assert.deepEqual(await owners(flow, beta), ['Beta'])
  await load(flow, acme, { 'far.txt': 'The rent of Acme is far.' }, { namespace: 'elsewhere' })
  const far = await find(flow, owner, { overrideConfig: { namespace: 'elsewhere' } })
  assert.deepEqual(
    far.docs.map(({ metadata }) => metadata.tenant),
    ['acme'],
  )
})

test('the same file of two tenants is two documents: neither replaces or skips the other [keys:pins:identity]', async () => {
  const { flow, owner, acme, beta } = await tenants()
  const text = 'The rent of Acme is 700.'
  assert.equal((await load(flow, acme, { 'rent.txt': text })).files[0]?.status, 'unchanged')
  const same = await load(flow, beta, { 'rent.txt': text, 'second.txt': text })
  assert.equal(same.files[0]?.status, 'indexed', 'the file of the other tenant does not count as known')
  assert.deepEqual(await owners(flow, beta), ['Acme', 'Beta'])
  await load(flow, beta, { 'rent.txt': 'The rent of Beta is 950.' })
  assert.deepEqual(await owners(flow, acme), ['Acme'])
  await load(flow, owner, { 'rent.txt': 'The rent of all is new.' })
  assert.deepEqual(await owners(flow, acme), ['Acme'])
  assert.deepEqual(await owners(flow, owner), ['all', 'Acme', 'Beta'])
})

test('a second key with the same pins works on the same documents; more pins are another fence [keys:pins:identity]', async () => {
  const { flow, acme } = await tenants()
  const second = await keyOf(flow, { tenant: 'acme' })
  const narrow = await keyOf(flow, { region: 'eu', tenant: 'acme' })
  assert.equal(
    (await load(flow, second, { 'rent.txt': 'The rent of Acme is 700.' })).files[0]?.status,
    'unchanged',
  )
  assert.deepEqual(await owners(flow, narrow), [])
  await load(flow, narrow, { 'rent.txt': 'The rent of Acme is European.' })
  assert.equal((await find(flow, narrow)).docs.length, 1)
  assert.equal((await find(flow, acme)).docs.length, 2, 'a chunk with more pins has these too')
})

test('documents that others have loaded with the metadata of the pins are found, and not listed or removed [keys:pins:query]', async () => {
  const { flow, owner, beta } = await tenants()
  const addMetadata = JSON.stringify({ tenant: 'beta' })
  await load(flow, owner, { 'given.txt': 'The rent of Beta is given.' }, { addMetadata })
  assert.equal((await find(flow, beta)).docs.length, 2)
  assert.deepEqual(await sources(flow, beta), ['rent.txt'])
  assert.equal(await removed(flow, beta, { source: 'given.txt' }), 0)
  assert.equal(await removed(flow, beta, { filter: { tenant: 'beta' } }), 1)
  assert.equal((await find(flow, beta)).docs.length, 1)
})

async function sources(flow: string, key: string, more = ''): Promise<string[]> {
  const { body } = await platform.call<{ data: { source: string }[]; total: number }>(
    'GET',
    `/api/v1/vector/sources/${flow}?limit=10${more}`,
    { key },
  )
  assert.equal(body.total, body.data.length)
  return body.data.map(({ source }) => source)
}

async function removed(flow: string, key: string, body: JsonObject): Promise<number> {
  const answer = await platform.call<{ numDeleted: number }>('DELETE', `/api/v1/vector/upsert/${flow}`, {
    key,
    body,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.numDeleted
}

test('sources, chunks, texts, files and fields are those of the pins [keys:pins:documents]', async () => {
  const { flow, owner, acme, beta } = await tenants()
  const kept = await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, {
    set: { originals: 'on' },
  })
  assert.equal(kept.status, 200, kept.text)
  await load(flow, owner, { 'all.txt': 'Of all.' }, { addMetadata: JSON.stringify({ secretField: 'x' }) })
  await load(flow, acme, { 'acme.txt': 'The file of Acme.' })
  assert.deepEqual(await sources(flow, owner), ['all.txt', 'rent.txt'])
  assert.deepEqual(await sources(flow, acme), ['acme.txt', 'rent.txt'])
  assert.deepEqual(await sources(flow, beta), ['rent.txt'])
  assert.deepEqual(await sources(flow, beta, '&search=acme'), [])
  const get = (path: string, key: string) =>
    platform.call<{ data: { pageContent: string }[]; text: string; total: number }>(
      'GET',
      `/api/v1/vector/${path}`,
      { key },
    )
  const chunks = await get(`chunks/${flow}`, beta)
  assert.deepEqual(ownersOf(chunks.body.data), ['Beta'])
  assert.equal(chunks.body.total, 1)
  const one = await get(`chunks/${flow}?source=rent.txt`, acme)
  assert.deepEqual(ownersOf(one.body.data), ['Acme'])
  assert.equal(
    (await get(`sources/${flow}/text?source=rent.txt`, beta)).body.text,
    'The rent of Beta is 900.',
  )
  assert.equal((await get(`sources/${flow}/text?source=acme.txt`, beta)).body.total, 0)
  assert.equal((await get(`sources/${flow}/original?source=acme.txt`, acme)).text, 'The file of Acme.')
  for (const key of [beta, owner])
    assert.equal((await get(`sources/${flow}/original?source=acme.txt`, key)).status, 404)
  assert.doesNotMatch((await get(`fields/${flow}`, beta)).text, /secretField/)
  const odd = await find(flow, beta, { filter: { secretField: 'x' } })
  assert.equal(odd.warnings, undefined, 'whether others have a field is not told')
  for (const key of [beta, owner]) {
    const stored = encodeURIComponent('\u001f\u001e')
    assert.deepEqual((await get(`chunks/${flow}?source=${stored}rent.txt`, key)).body.data, [])
  }
})

test('a removal and a restoration change the documents of the pins alone [keys:pins:documents]', async () => {
  const { flow, owner, acme, beta } = await tenants()
  assert.equal(await removed(flow, acme, { source: 'rent.txt' }), 1)
  assert.deepEqual(await owners(flow, owner), ['all', 'Beta'])
  assert.deepEqual(await sources(flow, acme, '&removed=true'), ['rent.txt'])
  assert.deepEqual(await sources(flow, beta, '&removed=true'), [])
  const restore = (key: string) =>
    platform.call<JsonObject>('POST', `/api/v1/vector/sources/${flow}/restore`, {
      key,
      body: { sources: ['rent.txt'] },
    })
  for (const key of [beta, owner])
    assert.deepEqual((await restore(key)).body, { sources: [], numRestored: 0 })
  assert.deepEqual((await restore(acme)).body, { sources: ['rent.txt'], numRestored: 1 })
  assert.deepEqual(await owners(flow, owner), ['all', 'Acme', 'Beta'])
  assert.equal(await removed(flow, beta, { filter: { source: { $exists: true } } }), 1)
  assert.deepEqual(await owners(flow, owner), ['all', 'Acme'])
  assert.equal(await removed(flow, owner, { source: 'rent.txt' }), 1)
  assert.deepEqual(await owners(flow, owner), ['Acme'])
  const again = await load(flow, acme, { 'rent.txt': 'The rent of Acme is 700.' })
  assert.partialDeepStrictEqual(again, { numAdded: 0, numSkipped: 1 })
})

test('a caller without pins lists, reads, removes and restores the documents of the pins that it names [keys:pins:documents]', async () => {
  const { flow, owner, acme, beta } = await tenants()
  const pin = '&pin=tenant%3Dacme'
  assert.deepEqual(await sources(flow, owner, pin), ['rent.txt'])
  const get = (path: string, key: string) =>
    platform.call<{ data: { pageContent: string }[]; text: string; sources: string[]; numDeleted: number }>(
      'GET',
      `/api/v1/vector/${path}`,
      { key },
    )
  assert.deepEqual(ownersOf((await get(`chunks/${flow}?limit=5${pin}`, owner)).body.data), ['Acme'])
  const text = await get(`sources/${flow}/text?source=rent.txt${pin}`, owner)
  assert.equal(text.body.text, 'The rent of Acme is 700.')
  const change = (method: string, path: string, body?: JsonObject) =>
    platform.call<JsonObject>(method, `/api/v1/vector/${path}?${pin.slice(1)}`, {
      key: owner,
      ...(body ? { body } : {}),
    })
  assert.equal((await change('DELETE', `upsert/${flow}`, { source: 'rent.txt' })).body.numDeleted, 1)
  assert.deepEqual(await owners(flow, owner), ['all', 'Beta'])
  const back = await change('POST', `sources/${flow}/restore`, { sources: ['rent.txt'] })
  assert.deepEqual(back.body, { sources: ['rent.txt'], numRestored: 1 })
  assert.deepEqual(await sources(flow, acme, pin), ['rent.txt'], 'its own pins may be named')
  const refused = await get(`sources/${flow}?limit=5${pin}`, beta)
  assert.deepEqual([refused.status, JSON.parse(refused.text).code], [403, 'pinned_key_refused'])
  for (const wrong of ['tenant', '=acme', 'tenant=', 'a.b=c'])
    assert.equal((await get(`sources/${flow}?pin=${encodeURIComponent(wrong)}`, owner)).status, 400)
})

/** A document flow whose record manager cleans up. */
function cleaning(cleanup: string, more: JsonObject = {}): JsonObject {
  const drawing = documentFlow(model.url)
  const nodes = (drawing.nodes as { id: string; data: { inputs: JsonObject } }[]).map((one) =>
    one.id === 'store'
      ? { ...one, data: { ...one.data, inputs: { ...one.data.inputs, recordManager: reference('records') } } }
      : one,
  )
  const records = node('SQLiteRecordManager_0', { cleanup, ...more })
  return {
    flowData: {
      nodes: [...nodes, { id: 'records', data: { ...records.data, id: 'records' } }],
      edges: [],
    } as never,
  }
}

test('a full cleanup removes the documents of the pins alone, and one without pins none of them [keys:pins:identity]', async () => {
  const { flow, owner, acme, beta } = await tenants(cleaning('full'))
  assert.deepEqual(await owners(flow, owner), ['all', 'Acme', 'Beta'])
  const cleaned = await load(flow, acme, { 'new.txt': 'The rent of Acme is new.' })
  assert.partialDeepStrictEqual(cleaned, { numAdded: 1, numDeleted: 1 })
  assert.deepEqual(await sources(flow, acme), ['new.txt'])
  assert.deepEqual(await owners(flow, beta), ['Beta'])
  assert.partialDeepStrictEqual(await load(flow, owner, { 'new.txt': 'The rent of all is new.' }), {
    numDeleted: 1,
  })
  assert.deepEqual(await owners(flow, owner), ['all', 'Acme', 'Beta'])
})

test('an incremental cleanup removes the chunks of the own document alone [keys:pins:identity]', async () => {
  const { flow, acme, beta } = await tenants(cleaning('incremental'))
  const cleaned = await load(flow, acme, { 'rent.txt': 'The rent of Acme has changed.' })
  assert.partialDeepStrictEqual(cleaned, { numAdded: 1, numDeleted: 1 })
  assert.equal((await find(flow, acme)).docs.length, 1)
  assert.deepEqual(await owners(flow, beta), ['Beta'])
})

test('counts of an upsert and a dry run do not tell what others have [keys:pins:upsert]', async () => {
  const { flow, beta, owner } = await tenants()
  const loaded = await load(flow, beta, { 'second.txt': 'One more.' })
  assert.equal(loaded.totalKeys, 2)
  assert.equal((await load(flow, owner, { 'second.txt': 'Two more.' })).totalKeys, 5)
  type Estimate = { estimate: { texts: number } }
  const trial = await platform.call<Estimate>('POST', `/api/v1/vector/dry-run/${flow}?async=false`, {
    key: beta,
    body: form({ 'guess.txt': 'The rent of Acme is 700.' }),
  })
  assert.equal(trial.body.estimate.texts, 1, 'whether another tenant has the text is not told')
})

test('no spelling is suggested from the words of others [keys:pins:query]', async () => {
  const { flow, owner, acme, beta } = await tenants()
  await load(flow, acme, { 'code.txt': 'The port of Bergen is old.' })
  const wrong = { query: 'Bergne', mode: 'keyword' }
  assert.equal((await find(flow, owner, wrong)).readings?.length, 1)
  const found = await find(flow, beta, { ...wrong, spelling: true })
  assert.deepEqual([found.readings, found.docs], [undefined, []])
})

test('the files of a conversation are within the pins too, are of the key that sent the first, and end with it [keys:pins:identity]', async () => {
  const { flow, owner, acme, beta } = await tenants()
  const [chat, other] = [{ chatId: 'the chat of Acme' }, { chatId: 'the chat of Beta' }]
  await load(flow, acme, { 'chat.txt': 'The rent of Acme in the chat.' }, chat)
  await load(flow, beta, { 'chat.txt': 'The rent of Beta in the chat.' }, other)
  const refused = await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
    body: form({ 'chat.txt': 'The rent of Beta in a foreign chat.' }, chat),
    key: beta,
  })
  assert.partialDeepStrictEqual(refused, { status: 403, body: { code: 'session_taken' } })
  const texts = async (key: string, body: JsonObject) =>
    (await find(flow, key, body)).docs.map(({ pageContent }) => pageContent).toSorted()
  assert.deepEqual(await texts(acme, chat), ['The rent of Acme in the chat.', 'The rent of Acme is 700.'])
  assert.deepEqual(await texts(acme, {}), ['The rent of Acme is 700.'])
  assert.deepEqual(await sources(flow, beta, `&chatId=${other.chatId}`), ['chat.txt'])
  assert.equal(await removed(flow, beta, { source: 'chat.txt', ...other }), 1)
  assert.equal((await texts(acme, chat)).length, 2)
  await platform.manage('DELETE', `/api/v1/chatmessage/${flow}?chatId=${chat.chatId}`)
  assert.equal((await texts(acme, chat)).length, 1)
  assert.deepEqual(await owners(flow, owner), ['all', 'Acme', 'Beta'])
})

type Prediction = { text: string; chatId: string; sourceDocuments?: { pageContent: string }[] }

const ask = (flow: string, key: string | undefined, body: JsonObject = {}) =>
  platform.call<Prediction>('POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'What is the rent?', ...body },
    ...(key === undefined ? {} : { key }),
  })

async function answered(flow: string, key: string, body: JsonObject = {}): Promise<Prediction> {
  const answer = await ask(flow, key, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a chain answers from the documents of the pins, and loads those of a question within them [keys:pins:predict]', async () => {
  const { flow, acme, beta } = await tenants()
  assert.deepEqual(ownersOf((await answered(flow, acme)).sourceDocuments), ['Acme'])
  const upload = {
    type: 'file:rag',
    name: 'mine.txt',
    mime: 'text/plain',
    data: `data:text/plain;base64,${Buffer.from('The rent of Acme is a secret.').toString('base64')}`,
  }
  const { chatId } = await answered(flow, acme, { uploads: [upload] })
  assert.equal((await answered(flow, acme, { chatId })).sourceDocuments?.length, 2)
  const foreign = await platform.call('POST', `/api/v1/vector/query/${flow}`, {
    key: beta,
    body: { query: 'rent', chatId },
  })
  assert.partialDeepStrictEqual(foreign, { status: 403, body: { code: 'session_taken' } })
  assert.deepEqual(await owners(flow, beta), ['Beta'])
  assert.deepEqual(
    ownersOf(
      (await answered(flow, beta, { overrideConfig: { filter: { tenant: 'acme' } } })).sourceDocuments,
    ),
    [],
  )
})

test('a retriever tool finds the documents of the pins [keys:pins:predict]', async () => {
  const nodes = [
    node('chatOpenAICustom_0', { modelName: 'scripted', basepath: `${model.url}/v1` }),
    node('fileLoader_0'),
    node('builtInEmbeddings_0'),
    node('builtInVectorStore_0', {
      document: [reference('fileLoader_0')],
      embeddings: reference('builtInEmbeddings_0'),
    }),
    node('retrieverTool_0', {
      name: 'search',
      description: 'Finds rents',
      retriever: reference('builtInVectorStore_0'),
      returnSourceDocuments: true,
    }),
    node('toolAgent_0', { model: reference('chatOpenAICustom_0'), tools: [reference('retrieverTool_0')] }),
  ]
  const { flow, beta } = await tenants({ flowData: { nodes, edges: [] } as never })
  model.script({ calls: [{ name: 'search', input: { input: 'rent' } }] }, { text: 'It is known.' })
  const { sourceDocuments } = await answered(flow, beta)
  assert.deepEqual(ownersOf(sourceDocuments), ['Beta'])
})

test('steps of an agent flow find the documents of the pins, also in stores of other flows and through flows they call [keys:pins:predict]', async () => {
  const { flow } = one
  const retriever = step('retrieverAgentflow_0', {
    retrieverKnowledgeDocumentStores: [{ documentStore: flow }],
    retrieverQuery: '{{question}}',
    outputFormat: 'text',
  })
  const looking = await makeFlow({
    type: 'AGENTFLOW',
    flowData: {
      nodes: [start(), retriever],
      edges: steps('startAgentflow_0 > retrieverAgentflow_0'),
    } as never,
  })
  const calling = await makeFlow({
    type: 'AGENTFLOW',
    flowData: {
      nodes: [
        start(),
        step('executeFlowAgentflow_0', {
          executeFlowSelectedFlow: looking,
          executeFlowInput: '{{question}}',
        }),
      ],
      edges: steps('startAgentflow_0 > executeFlowAgentflow_0'),
    } as never,
  })
  const knowing = await makeFlow({
    type: 'AGENTFLOW',
    flowData: {
      nodes: [
        start(),
        step('agentAgentflow_0', {
          agentModel: 'chatOpenAICustom',
          agentModelConfig: { modelName: 'scripted', basepath: `${model.url}/v1` },
          agentKnowledgeDocumentStores: [
            { documentStore: flow, docStoreDescription: 'rents', returnSourceDocuments: true },
          ],
        }),
      ],
      edges: steps('startAgentflow_0 > agentAgentflow_0'),
    } as never,
  })
  for (const [tenant, name] of [
    ['acme', 'Acme'],
    ['beta', 'Beta'],
  ] as const)
    for (const own of [looking, calling]) {
      const { text } = await answered(own, await keyOf(own, { tenant }))
      assert.deepEqual(ownersOf([{ pageContent: text }]), [name])
    }
  const asked = model.calls.length
  model.script({ calls: [{ name: flow, input: { input: 'rent' } }] }, { text: 'It is known.' })
  await ask(knowing, await keyOf(knowing, { tenant: 'beta' }))
  const tools = (model.calls[asked]?.body as { tools?: { function: { name: string } }[] }).tools ?? []
  model.script({ calls: [{ name: tools[0]!.function.name, input: { input: 'rent' } }] }, { text: 'Known.' })
  await answered(knowing, await keyOf(knowing, { tenant: 'beta' }))
  assert.deepEqual(ownersOf([{ pageContent: JSON.stringify(model.calls.at(-1)!.body) }]), ['Beta'])
})

test('the Model Context Protocol and the protocol of OpenAI stay within the pins [keys:pins:predict]', async () => {
  const { flow, acme } = one
  const client = new Client({ name: 'tests', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${acme}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`/api/v1/mcp/${flow}`, platform.url), { requestInit }),
  )
  const found = await client.callTool({ name: 'search', arguments: { query: 'rent', topK: 10 } })
  const said = await client.callTool({ name: 'ask', arguments: { question: 'What is the rent?' } })
  await client.close()
  assert.deepEqual(ownersOf([{ pageContent: JSON.stringify(found) }]), ['Acme'])
  assert.equal(said.isError, undefined)
  assert.deepEqual(ownersOf([{ pageContent: JSON.stringify(model.calls.at(-1)!.body) }]), ['Acme'])
  const answer = await platform.call('POST', '/v1/chat/completions', {
    key: acme,
    body: { model: flow, messages: [{ role: 'user', content: 'What is the rent?' }] },
  })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(ownersOf([{ pageContent: JSON.stringify(model.calls.at(-1)!.body) }]), ['Acme'])
})

test('a session of a key with pins has an owner, also in an open flow [keys:pins:predict]', async () => {
  const open = await makeFlow()
  const acme = await keyOf(open, { tenant: 'acme' })
  const beta = await keyOf(open, { tenant: 'beta' })
  await load(open, acme, { 'rent.txt': 'The rent of Acme is 700.' })
  const { chatId } = await answered(open, acme)
  assert.equal((await ask(open, acme, { chatId })).status, 200)
  for (const key of [undefined, beta]) {
    const { status, text } = await ask(open, key, { chatId })
    assert.deepEqual([status, JSON.parse(text).code], [403, 'session_taken'])
  }
  assert.equal((await ask(open, undefined, { chatId: 'of-all' })).status, 200)
  assert.equal((await ask(open, acme, { chatId: 'of-all' })).status, 403, 'others would read its answers')
})

test('an expired key with pins is refused by an open flow, which would answer it as a caller without a key [keys:pins]', async () => {
  const open = await makeFlow()
  const { id, apiKey } = (await makeKey({ pins: { tenant: 'acme' }, flows: [open] })).body
  assert.deepEqual(await owners(open, apiKey), [])
  if (process.env.SLUICE_TEST_DATABASE === 'postgres') return
  const database = new Connection(path.join(platform.dataDirectory, 'sluice.db'))
  database.run('UPDATE api_keys SET expires_at = ? WHERE id = ?', Date.now() - 1, id)
  database.close()
  const answer = await platform.call('POST', `/api/v1/vector/query/${open}`, {
    key: apiKey,
    body: { query: 'rent' },
  })
  assert.deepEqual([answer.status, JSON.parse(answer.text).code], [401, 'key_expired'])
})

test('a job is found by keys with the same pins alone, and a retry keeps them [keys:pins:jobs]', async () => {
  const { flow, owner, acme, beta } = await tenants()
  const submit = async (key: string, files: Record<string, string>) =>
    (
      await platform.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${flow}?async=true`, {
        key,
        body: form(files, { strict: 'true' }),
      })
    ).body.jobId
  const id = await submit(acme, { 'late.txt': 'The rent of Acme is late.' })
  const dry = await platform.call<{ jobId: string }>('POST', `/api/v1/vector/dry-run/${flow}`, {
    key: acme,
    body: form({ 'dry.txt': 'The rent of Acme is dry.' }),
  })
  const stream = (key: string) =>
    platform.call('GET', '/api/v1/jobs/events?until=idle', { key, headers: { 'last-event-id': '0' } })
  await stream(owner)
  const ofAcme = [id, dry.body.jobId]
  for (const job of ofAcme)
    for (const what of ['', '/events', '/files', '/sources', '/chunks', '/cancel', '/retry']) {
      const method = what === '/cancel' || what === '/retry' ? 'POST' : 'GET'
      const call = (key: string) => platform.call(method, `/api/v1/jobs/${job}${what}`, { key })
      const refused = await call(beta)
      assert.deepEqual([refused.status, JSON.parse(refused.text).code], [404, 'job_not_found'], what)
      assert.doesNotMatch((await call(owner)).text, /job_not_found/, what)
    }
  for (const job of ofAcme)
    assert.equal((await platform.call('GET', `/api/v1/jobs/${job}`, { key: acme })).status, 200)
  const seen = async (key: string) => {
    const { text } = await stream(key)
    return ofAcme.filter((job) => text.includes(job))
  }
  assert.deepEqual([await seen(acme), await seen(owner), await seen(beta)], [ofAcme, ofAcme, []])
})

test('a retried job keeps the pins of its request [keys:pins:jobs]', async () => {
  const { flow, owner, acme } = await tenants()
  const change = async (row: JsonObject) => {
    const { status, text } = await platform.manage('PUT', `/api/v1/chatflows/${flow}`, {
      flowData: JSON.stringify(row.flowData),
    })
    assert.equal(status, 200, text)
  }
  // No chunk has the metadata that name its source.
  await change(cleaning('none', { sourceIdKey: 'missing' }))
  const url = `/api/v1/vector/upsert/${flow}?async=true`
  const body = form({ 'late.txt': 'The rent of Acme is late.' }, { strict: 'true' })
  const { jobId } = (await platform.call<{ jobId: string }>('POST', url, { key: acme, body })).body
  const job = `/api/v1/jobs/${jobId}`
  await platform.call('GET', `${job}/events`, { key: acme })
  const failed = await platform.call<{ state: string }>('GET', job, { key: acme })
  assert.equal(failed.body.state, 'failed')
  await change({ flowData: documentFlow(model.url) as never })
  assert.equal((await platform.call('POST', `${job}/retry`, { key: acme })).status, 200)
  await platform.call('GET', `${job}/events`, { key: acme })
  assert.deepEqual(await sources(flow, acme), ['late.txt', 'rent.txt'])
  assert.deepEqual(await sources(flow, owner), ['rent.txt'])
})
