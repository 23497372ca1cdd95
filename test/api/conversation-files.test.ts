import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../src/kit/json.ts'
import { node, start, step, steps } from '../support/agent-drawing.ts'
import { documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { reference } from '../support/flow-drawing.ts'
import { heldFlow } from '../support/held-flow.ts'
import { form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'

/** Files that people bring to a conversation: on every way to the chunks of a flow, that conversation alone finds them. */

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())

const ANNA = '0b8c2f1e-anna'
const BEN = '7d31a9c4-ben'
const apiConfig = overridable('files', 'addMetadata', 'filter')
let flows = 0

async function makeFlow(row: JsonObject): Promise<string> {
  const name = `Flow ${++flows}`
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name, apiConfig, ...row })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}

/** Every flow of the tests has a file for all, and one of the same name in each of two conversations. */
async function filled(row: JsonObject = { flowData: documentFlow(model.url) }): Promise<string> {
  const flow = await makeFlow(row)
  const files: [chatId: string | undefined, name: string, text: string][] = [
    [undefined, 'shared.txt', 'The rent of the office is paid by all.'],
    [ANNA, 'rent.txt', 'The rent of Anna is 700.'],
    [BEN, 'rent.txt', 'The rent of Ben is 900.'],
  ]
  for (const [chatId, name, text] of files) {
    const { status, text: answer } = await platform.upload(flow, { [name]: text }, chatId ? { chatId } : {})
    assert.equal(status, 200, answer)
  }
  return flow
}

type Found = { docs: { pageContent: string; metadata: JsonObject }[] }
const ownersOf = (found: { pageContent: string }[] = []) =>
  ['all', 'Anna', 'Ben'].filter((name) => found.some(({ pageContent }) => pageContent.includes(` ${name}`)))

async function query(flow: string, body: JsonObject): Promise<string[]> {
  const path = `/api/v1/vector/query/${flow}`
  const {
    status,
    text,
    body: answer,
  } = await platform.call<Found>('POST', path, { body: { query: 'rent', ...body } })
  assert.equal(status, 200, text)
  return ownersOf(answer.docs)
}

let flow: string
before(async () => {
  flow = await filled()
})

test('POST query finds the files of the conversation that it names, and without one those for all [chat:files]', async () => {
  for (const mode of ['hybrid', 'vector', 'keyword']) {
    assert.deepEqual(await query(flow, { mode }), ['all'])
    assert.deepEqual(await query(flow, { mode, chatId: ANNA }), ['all', 'Anna'])
    assert.deepEqual(await query(flow, { mode, chatId: BEN }), ['all', 'Ben'])
    assert.deepEqual(await query(flow, { mode, chatId: 'another' }), ['all'])
    assert.deepEqual(await query(flow, { mode, chatId: '' }), ['all'])
  }
})

test('GET query does the same [chat:files]', async () => {
  const path = `/api/v1/vector/query/${flow}?q=rent`
  assert.deepEqual(ownersOf((await platform.call<Found>('GET', path)).body.docs), ['all'])
  const { body } = await platform.call<Found>('GET', `${path}&chatId=${ANNA}`)
  assert.deepEqual(ownersOf(body.docs), ['all', 'Anna'])
})

test('no filter finds the files of a conversation that the request does not name [chat:files]', async () => {
  for (const filter of [
    { flowise_chatId: ANNA },
    { flowise_chatId: { $exists: true } },
    { $or: [{ flowise_chatId: ANNA }, { source: 'shared.txt' }] },
    { $not: { flowise_chatId: { $exists: false } } },
    { source: 'rent.txt' },
  ] as JsonObject[]) {
    const shared = '$or' in filter ? ['all'] : []
    assert.deepEqual(await query(flow, { filter }), shared)
    assert.deepEqual(await query(flow, { overrideConfig: { filter } }), shared)
    const ben = JSON.stringify(filter).includes(ANNA) ? shared : ['Ben']
    assert.deepEqual(await query(flow, { filter, chatId: BEN }), ben)
  }
  assert.deepEqual(await query(flow, { filter: { flowise_chatId: ANNA }, chatId: ANNA }), ['Anna'])
})

test('a file of a conversation replaces its own earlier version, and nothing of others [chat:files:identity]', async () => {
  const own = await filled()
  const changed = await platform.upload(own, { 'rent.txt': 'The rent of Anna is 750.' }, { chatId: ANNA })
  assert.partialDeepStrictEqual(changed.body, { numAdded: 1, numUpdated: 0 })
  assert.deepEqual(await query(own, { chatId: BEN }), ['all', 'Ben'])
  const plain = await platform.upload(own, { 'rent.txt': 'The rent of all others is 1,000.' })
  assert.partialDeepStrictEqual(plain.body, { numAdded: 1, numDeleted: 0 })
  assert.deepEqual(await query(own, { chatId: ANNA }), ['all', 'Anna'])
  const again = await platform.upload(own, { 'rent.txt': 'The rent of Ben is 900.' }, { chatId: BEN })
  assert.partialDeepStrictEqual(again.body, { files: [{ name: 'rent.txt', status: 'unchanged' }] })
})

test('a full cleanup leaves the files of conversations, and one in a conversation leaves all others [chat:files:identity]', async () => {
  const drawing = documentFlow(model.url)
  const nodes = (drawing.nodes as { id: string; data: { inputs: JsonObject } }[]).map((one) =>
    one.id === 'store'
      ? { ...one, data: { ...one.data, inputs: { ...one.data.inputs, recordManager: reference('records') } } }
      : one,
  )
  const records = node('SQLiteRecordManager_0', { cleanup: 'full' })
  const own = await filled({
    flowData: {
      nodes: [...nodes, { id: 'records', data: { ...records.data, id: 'records' } }],
      edges: [],
    } as never,
  })
  assert.deepEqual(await query(own, { chatId: ANNA }), ['all', 'Anna'])
  const { body } = await platform.upload(own, { 'new.txt': 'The rent of all is new.' })
  assert.partialDeepStrictEqual(body, { numAdded: 1, numDeleted: 1 })
  assert.deepEqual(await query(own, { chatId: ANNA }), ['all', 'Anna'])
  assert.deepEqual(await query(own, { chatId: BEN }), ['all', 'Ben'])
})

test('metadata that name a conversation keep a chunk to it, as in Flowise; the chatId of the request wins [chat:files]', async () => {
  const own = await makeFlow({ flowData: documentFlow(model.url) })
  const load = (text: string, chat: string, fields = {}) =>
    platform.upload(
      own,
      { 'rent.txt': text },
      { addMetadata: JSON.stringify({ flowise_chatId: chat }), ...fields },
    )
  await load('The rent of Anna is 700.', ANNA)
  await load('The rent of Ben is 900.', ANNA, { chatId: BEN })
  assert.deepEqual(await query(own, {}), [])
  assert.deepEqual(await query(own, { chatId: ANNA }), ['Anna'])
  assert.deepEqual(await query(own, { chatId: BEN }), ['Ben'])
})

test('sources are listed and removed without those of conversations, unless the conversation is named [chat:files]', async () => {
  const own = await filled()
  const list = async (more = '') => {
    const path = `/api/v1/vector/sources/${own}?limit=10${more}`
    const { body } = await platform.manage<{ data: { source: string }[]; total: number }>('GET', path)
    return [body.total, ...body.data.map(({ source }) => source)]
  }
  const remove = async (body: JsonObject) =>
    (await platform.manage<{ numDeleted: number }>('DELETE', `/api/v1/vector/upsert/${own}`, body)).body
      .numDeleted
  assert.deepEqual(await list(), [1, 'shared.txt'])
  assert.deepEqual(await list(`&chatId=${ANNA}`), [1, 'rent.txt'])
  assert.equal(await remove({ source: 'rent.txt' }), 0)
  assert.equal(await remove({ filter: { flowise_chatId: { $exists: true } } }), 0)
  assert.equal(await remove({ source: 'rent.txt', chatId: BEN }), 1)
  assert.deepEqual(
    [await query(own, { chatId: ANNA }), await query(own, { chatId: BEN })],
    [['all', 'Anna'], ['all']],
  )
  const { body } = await platform.upload(own, { 'shared.txt': 'The rent of the office is paid by all.' })
  assert.partialDeepStrictEqual(body, { files: [{ status: 'unchanged' }] }, 'files for all are still known')
})

test('GET /vector/chunks gives the chunks of a conversation only with its chatId [chat:files]', async () => {
  const list = async (query: Record<string, string>) => {
    const path = `/api/v1/vector/chunks/${flow}?${new URLSearchParams(query)}`
    const { status, text, body } = await platform.call<{ data: { pageContent: string }[] }>('GET', path)
    assert.equal(status, 200, text)
    return ownersOf(body.data)
  }
  assert.deepEqual(await list({}), ['all'])
  assert.deepEqual(await list({ chatId: '' }), ['all'])
  assert.deepEqual(await list({ chatId: ANNA }), ['Anna'])
  assert.deepEqual(await list({ chatId: ANNA, source: 'rent.txt' }), ['Anna'])
  // The name under which the store keeps the file of a conversation opens nothing.
  const stored = `\u001f${flow}\u001f${JSON.stringify(BEN)}\u001frent.txt`
  for (const query of [
    { source: 'rent.txt' },
    { source: stored },
    { source: stored, chatId: ANNA },
    { chatId: 'another' },
    { chatId: `${ANNA}"\u001f` },
  ])
    assert.deepEqual(await list(query), [], JSON.stringify(query))
})

const rag = (name: string, text: string) => ({
  type: 'file:rag',
  name,
  mime: 'text/plain',
  data: `data:text/plain;base64,${Buffer.from(text).toString('base64')}`,
})

type Prediction = { text: string; chatId: string; sourceDocuments?: { pageContent: string }[] }

async function predict(of: string, body: JsonObject): Promise<Prediction> {
  const answer = await platform.call<Prediction>('POST', `/api/v1/prediction/${of}`, {
    body: { question: 'What is the rent?', ...body },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a prediction answers from the files of its conversation, those that came with a question included [chat:files]', async () => {
  model.otherwise = { text: 'What is the rent?' }
  const own = await filled()
  assert.deepEqual(ownersOf((await predict(own, {})).sourceDocuments), ['all'])
  assert.deepEqual(ownersOf((await predict(own, { chatId: ANNA })).sourceDocuments), ['all', 'Anna'])
  const first = await predict(own, { uploads: [rag('mine.txt', 'The rent of Ben is his secret.')] })
  assert.deepEqual(ownersOf(first.sourceDocuments), ['all', 'Ben'])
  const second = await predict(own, { chatId: first.chatId })
  assert.deepEqual(ownersOf(second.sourceDocuments), ['all', 'Ben'])
  assert.deepEqual(ownersOf((await predict(own, { chatId: ANNA })).sourceDocuments), ['all', 'Anna'])
  assert.deepEqual(await query(own, {}), ['all'])
})

test('a retriever tool searches the files of the conversation [chat:files]', async () => {
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
  const own = await filled({ flowData: { nodes, edges: [] } as never })
  for (const [chatId, found] of [
    [ANNA, ['all', 'Anna']],
    ['another', ['all']],
  ] as const) {
    model.script({ calls: [{ name: 'search', input: { input: 'rent' } }] }, { text: 'It is known.' })
    assert.deepEqual(ownersOf((await predict(own, { chatId })).sourceDocuments), found)
  }
})

test('an agent flow that looks into the store of a flow finds the files of the conversation [chat:files]', async () => {
  const retriever = step('retrieverAgentflow_0', {
    retrieverKnowledgeDocumentStores: [{ documentStore: flow }],
    retrieverQuery: '{{question}}',
    outputFormat: 'text',
  })
  const own = await makeFlow({
    flowData: {
      nodes: [start(), retriever],
      edges: steps('startAgentflow_0 > retrieverAgentflow_0'),
    } as never,
  })
  const said = async (chatId: string) => ownersOf([{ pageContent: (await predict(own, { chatId })).text }])
  assert.deepEqual(await said(BEN), ['all', 'Ben'])
  assert.deepEqual(await said('another'), ['all'])
})

test('the Model Context Protocol and the protocol of OpenAI find what is for all, and no file of a conversation [chat:files]', async () => {
  const client = new Client({ name: 'tests', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`/api/v1/mcp/${flow}`, platform.url)))
  const found = await client.callTool({ name: 'search', arguments: { query: 'rent', topK: 10 } })
  await client.close()
  assert.deepEqual(ownersOf([{ pageContent: JSON.stringify(found) }]), ['all'])
  model.script({ text: 'It is paid.' })
  const messages = [{ role: 'user', content: 'What is the rent?' }]
  const answer = await platform.call('POST', '/v1/chat/completions', {
    body: { model: flow, messages, user: ANNA },
  })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(ownersOf([{ pageContent: JSON.stringify(model.calls.at(-1)!.body) }]), ['all'])
})

test('the files of a conversation go with its last message, all of them with all messages, and with the flow [chat:files:end]', async () => {
  model.otherwise = { text: 'What is the rent?' }
  const own = await filled()
  const messages = `/api/v1/chatmessage/${own}`
  await predict(own, { chatId: ANNA })
  await platform.manage('DELETE', `${messages}?chatType=INTERNAL`)
  assert.deepEqual(await query(own, { chatId: ANNA }), ['all', 'Anna'], 'none of its messages was deleted')
  await platform.manage('DELETE', `${messages}?chatType=EXTERNAL`)
  assert.deepEqual(await query(own, { chatId: ANNA }), ['all'])
  assert.deepEqual(await query(own, { chatId: BEN }), ['all', 'Ben'], 'it has no message, and was not named')
  await platform.manage('DELETE', `${messages}?chatId=${BEN}`)
  assert.deepEqual(await query(own, { chatId: BEN }), ['all'])
  await platform.upload(own, { 'rent.txt': 'The rent of Ben is 900.' }, { chatId: BEN })
  await platform.manage('DELETE', messages)
  assert.deepEqual(await query(own, { chatId: BEN }), ['all'])
})

test('deleting a flow takes the files of its conversations out of a namespace that it shares [chat:files:end]', async () => {
  const sharing = () => {
    const drawing = documentFlow(model.url)
    const nodes = (drawing.nodes as { id: string; data: { inputs: JsonObject } }[]).map((one) =>
      one.id === 'store'
        ? { ...one, data: { ...one.data, inputs: { ...one.data.inputs, namespace: 'rents of all' } } }
        : one,
    )
    return { flowData: { ...drawing, nodes } as never }
  }
  const [stays, goes] = [await makeFlow(sharing()), await makeFlow(sharing())]
  await platform.upload(stays, { 'rent.txt': 'The rent of Anna is 700.' }, { chatId: ANNA })
  await platform.upload(goes, { 'rent.txt': 'The rent of Ben is 900.' }, { chatId: ANNA })
  assert.deepEqual(await query(stays, { chatId: ANNA }), ['Anna', 'Ben'])
  await platform.manage('DELETE', `/api/v1/chatflows/${goes}`)
  assert.deepEqual(await query(stays, { chatId: ANNA }), ['Anna'])
})

test('POST upsert takes the chatId of a JSON body, and refuses one that is no text of 255 characters [chat:files]', async () => {
  const nodes = [
    node('plainText_0', { text: 'The rent of Anna is typed in.' }),
    node('builtInEmbeddings_0'),
    node('builtInVectorStore_0', {
      document: [reference('plainText_0')],
      embeddings: reference('builtInEmbeddings_0'),
    }),
  ]
  const own = await makeFlow({ flowData: { nodes, edges: [] } as never })
  const load = (body: JsonObject) => platform.call('POST', `/api/v1/vector/upsert/${own}`, { body })
  assert.equal((await load({ chatId: ANNA })).status, 200)
  assert.deepEqual([await query(own, {}), await query(own, { chatId: ANNA })], [[], ['Anna']])
  for (const chatId of [7, 'x'.repeat(256)]) assert.equal((await load({ chatId })).status, 400)
  const long = await platform.upload(flow, { 'a.txt': 'x' }, { chatId: 'x'.repeat(256) })
  assert.equal(long.status, 400)
})

test('a file that comes with a question to the chat of another key is refused before it is loaded [chat:files, predict:session]', async () => {
  const [ada, bob] = [
    await platform.key({ scopes: ['predict', 'upsert', 'query'] }),
    await platform.key({ scopes: ['predict', 'upsert', 'query'] }),
  ]
  const own = await makeFlow({ flowData: documentFlow(model.url), apikeyid: ada.id })
  await platform.manage('PUT', `/api/v1/apikey/${bob.id}`, { keyName: 'bob', flows: [own] })
  model.otherwise = { text: 'It is known.' }
  const predict = (key: string, body: JsonObject) =>
    platform.call('POST', `/api/v1/prediction/${own}`, {
      key,
      body: { question: 'What is the rent?', ...body },
    })
  const begun = await predict(ada.apiKey, {
    chatId: ANNA,
    uploads: [rag('mine.txt', 'The rent of Anna is 700.')],
  })
  assert.equal(begun.status, 200, begun.text)
  const uploads = [rag('planted.txt', 'The rent of Ben is 1.')]
  for (const overrideConfig of [{}, { sessionId: 'of Ben' }]) {
    const planted = await predict(bob.apiKey, { chatId: ANNA, uploads, overrideConfig })
    assert.partialDeepStrictEqual(planted, { status: 403, body: { code: 'session_taken' } })
  }
  const found = await platform.call<Found>('POST', `/api/v1/vector/query/${own}`, {
    key: ada.apiKey,
    body: { query: 'rent', chatId: ANNA },
  })
  assert.deepEqual(ownersOf(found.body.docs), ['Anna'])
  // Her files are found by the chat, also where the session is his own.
  const read = await predict(bob.apiKey, { chatId: ANNA, overrideConfig: { sessionId: 'of Ben' } })
  assert.partialDeepStrictEqual(read, { status: 403, body: { code: 'session_taken' } })
  assert.equal((await predict(ada.apiKey, { chatId: ANNA, uploads })).status, 200)
})

test('the files of a conversation that a key began are for this key and managers, on every route [chat:files:owner]', async () => {
  const scopes = ['predict', 'upsert', 'query']
  const [ada, bob] = [await platform.key({ scopes }), await platform.key({ scopes })]
  const own = await makeFlow({
    flowData: documentFlow(model.url),
    apikeyid: ada.id,
    apiConfig: { ...apiConfig, originals: true },
  })
  await platform.manage('PUT', `/api/v1/apikey/${bob.id}`, { keyName: 'bob again', flows: [own] })
  model.otherwise = { text: 'It is known.' }
  const begun = await platform.call('POST', `/api/v1/prediction/${own}`, {
    key: ada.apiKey,
    body: {
      question: 'What is the rent?',
      chatId: ANNA,
      uploads: [rag('mine.txt', 'The rent of Anna is 700.')],
    },
  })
  assert.equal(begun.status, 200, begun.text)
  const files = (text: string) => ({ body: () => form({ 'mine.txt': text }, { chatId: ANNA }) })
  const calls: [method: string, path: string, body?: { body: () => FormData | JsonObject }][] = [
    ['GET', `vector/sources/${own}?chatId=${ANNA}`],
    ['GET', `vector/chunks/${own}?chatId=${ANNA}`],
    ['GET', `vector/sources/${own}/text?source=mine.txt&chatId=${ANNA}`],
    ['GET', `vector/sources/${own}/original?source=mine.txt&chatId=${ANNA}`],
    ['GET', `vector/query/${own}?q=rent&chatId=${ANNA}`],
    ['POST', `vector/query/${own}`, { body: () => ({ query: 'rent', chatId: ANNA }) }],
    ['POST', `vector/dry-run/${own}`, files('The rent of Anna is 1.')],
    ['POST', `vector/upsert/${own}`, files('The rent of Anna is 700.')],
    ['DELETE', `vector/upsert/${own}?chatId=${ANNA}&source=mine.txt`],
    ['DELETE', `vector/upsert/${own}`, { body: () => ({ source: 'mine.txt', chatId: ANNA }) }],
  ]
  const call = (key: string, [method, path, sent]: (typeof calls)[number]) =>
    platform.call(method, `/api/v1/${path}`, { key, ...(sent ? { body: sent.body() as never } : {}) })
  for (const one of calls) {
    const { status, body } = await call(bob.apiKey, one)
    assert.partialDeepStrictEqual(
      { status, body },
      { status: 403, body: { code: 'session_taken' } },
      one.join(' '),
    )
  }
  for (const one of calls) {
    const { status, text } = await call(ada.apiKey, one)
    // The flow keeps no originals of what comes with a question.
    assert.ok(status < 300 || (status === 404 && one[1].includes('original')), `${one.join(' ')}: ${text}`)
  }
  for (const one of calls.slice(0, 3))
    assert.equal((await platform.manage(one[0] as never, `/api/v1/${one[1]}`)).status, 200)
})

test('an upload that waits for its turn is not loaded once its chat is deleted [chat:files:end]', async () => {
  const provider = await startProviderServer()
  after(() => provider.close())
  const own = await heldFlow(platform.manage, provider, 'Waits')
  const submit = async (name: string, text: string, fields: Record<string, string>) => {
    const answer = await platform.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${own}`, {
      body: form({ [name]: text }, fields),
      headers: { prefer: 'respond-async' },
    })
    assert.equal(answer.status, 202, answer.text)
    return answer.body.jobId
  }
  const ended = async (id: string) => {
    const events = await fetch(`${platform.url}/api/v1/jobs/${id}/events`)
    await events.text()
    return (await platform.call<{ state: string }>('GET', `/api/v1/jobs/${id}`)).body.state
  }
  provider.hold(0)
  const before = await submit('long.txt', 'The rent of the house is paid by all.', {})
  const [anna, ben] = [
    await submit('rent.txt', 'The rent of Anna is 700.', { chatId: ANNA }),
    await submit('rent.txt', 'The rent of Ben is 900.', { chatId: BEN }),
  ]
  const deleted = await platform.manage('DELETE', `/api/v1/chatmessage/${own}?chatId=${ANNA}`)
  assert.equal(deleted.status, 200, deleted.text)
  provider.release()
  assert.deepEqual([await ended(before), await ended(anna), await ended(ben)], ['done', 'cancelled', 'done'])
  const filter = { source: 'rent.txt' }
  assert.deepEqual(await query(own, { chatId: ANNA, filter }), [])
  assert.deepEqual(await query(own, { chatId: BEN, filter }), ['Ben'])
})
