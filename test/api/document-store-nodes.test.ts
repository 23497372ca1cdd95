import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DocumentStoreAnswer } from '../../src/api/document-store.ts'
import type { StoreChunkPage } from '../../src/api/document-store-chunk.ts'
import { node, start, step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { reference } from '../support/flow-drawing.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'

/** Nodes of other flows that name a document store. */

const [platform, chat] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
})

const STORES = '/api/v1/document-store'
const FILES = {
  'ferry.txt': 'The ferry to Bergen leaves at noon.',
  'train.txt': 'The train to Bergen leaves at nine.',
  'bus.txt': 'The bus to Bergen leaves at ten.',
}

async function makeStore(name: string, files: Record<string, string> = FILES) {
  const { status, body, text } = await platform.manage<DocumentStoreAnswer>('POST', `${STORES}/store`, {
    name,
  })
  assert.equal(status, 200, text)
  const loaded = await platform.call('POST', `${STORES}/upsert/${body.id}`, {
    body: form(files),
    key: ADMIN_KEY,
  })
  assert.equal(loaded.status, 200, loaded.text)
  return body
}

async function makeFlow(row: object): Promise<string> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Departures',
    ...row,
  })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}

const model = () => node('chatOpenAICustom_0', { modelName: 'scripted', basepath: `${chat.url}/v1` })
const named = (selectedStore: string) => node('documentStoreVS_0', { selectedStore })
/** As public files have it: the node as the retriever of a chain. */
const chainOver = (...nodes: object[]) => ({
  nodes: [
    model(),
    ...nodes,
    node('conversationalRetrievalQAChain_0', {
      model: reference('chatOpenAICustom_0'),
      vectorStoreRetriever: reference('documentStoreVS_0'),
      returnSourceDocuments: true,
    }),
  ],
  edges: [
    {
      source: 'documentStoreVS_0',
      sourceHandle: 'documentStoreVS_0-output-retriever-BaseRetriever',
      target: 'conversationalRetrievalQAChain_0',
      targetHandle: 'conversationalRetrievalQAChain_0-input-vectorStoreRetriever-BaseRetriever',
      type: 'buttonedge',
    },
  ],
})

type Prediction = { text: string; sourceDocuments?: { metadata: { source: string } }[] }
const ask = (flow: string, key?: string) =>
  platform.call<Prediction>('POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'When does the ferry leave?' },
    ...(key === undefined ? {} : { key }),
  })
const sourcesOf = ({ sourceDocuments = [] }: Prediction) =>
  sourceDocuments.map(({ metadata }) => metadata.source).sort()

test('a chain answers from a document store by its id, with its name or by its slug, with the settings of the store [docstores:nodes]', async () => {
  const store = await makeStore('Timetable')
  const saved = await platform.manage('POST', `${STORES}/vectorstore/save`, {
    storeId: store.id,
    vectorStoreName: 'builtInVectorStore',
    vectorStoreConfig: { topK: 1 },
  })
  assert.equal(saved.status, 200, saved.text)
  for (const name of [store.id, `${store.id}:Timetable`, store.slug]) {
    chat.script({ text: 'At noon.' })
    const { status, body, text } = await ask(await makeFlow({ flowData: chainOver(named(name)) }))
    assert.equal(status, 200, text)
    assert.deepEqual([body.text, sourcesOf(body)], ['At noon.', ['ferry.txt']])
  }
})

test('a tool of an agent searches a document store [docstores:nodes]', async () => {
  const store = await makeStore('Lines')
  const flow = await makeFlow({
    flowData: {
      nodes: [
        model(),
        named(store.id),
        node('retrieverTool_0', {
          name: 'lines',
          description: 'Finds departures',
          retriever: reference('documentStoreVS_0'),
          returnSourceDocuments: true,
        }),
        node('toolAgent_0', {
          model: reference('chatOpenAICustom_0'),
          tools: [reference('retrieverTool_0')],
        }),
      ],
      edges: [],
    },
  })
  chat.script({ calls: [{ name: 'lines', input: { input: 'ferry' } }] }, { text: 'At noon.' })
  const { body, text } = await ask(flow)
  assert.equal(body.text, 'At noon.', text)
  assert.ok(sourcesOf(body).includes('ferry.txt'))
})

test('a flow over a document store is queried, and its documents are loaded, listed and kept in the store alone [docstores:nodes]', async () => {
  const store = await makeStore('Quays')
  const flow = await makeFlow({ flowData: chainOver(named(store.id)) })
  const { body, text } = await platform.query(flow, { query: 'ferry', topK: 1 })
  assert.deepEqual(
    body.docs?.map(({ metadata }) => metadata.source),
    ['ferry.txt'],
    text,
  )

  const upsert = await platform.upload(flow, { 'tram.txt': 'The tram leaves at six.' })
  assert.equal(upsert.status, 422, upsert.text)
  const listed = await platform.manage('GET', `/api/v1/vector/sources/${flow}`)
  assert.equal(listed.status, 422, listed.text)
  assert.match(listed.text, new RegExp(`name ${store.id} in place of this flow`))
  const refresh = await platform.manage<{ next: string | null }>('GET', `/api/v1/vector/refresh/${flow}`)
  assert.deepEqual([refresh.status, refresh.body.next], [200, null], refresh.text)
  assert.equal((await platform.manage('DELETE', `/api/v1/chatflows/${flow}`)).status, 200)
  const left = await platform.manage<StoreChunkPage>('GET', `${STORES}/chunks/${store.id}/all/1`)
  assert.equal(left.body.count, 3)
})

test('a flow loads the chunks of a document store, as they were edited there [docstores:nodes:loader]', async () => {
  const store = await makeStore('Harbour')
  const { body } = await platform.manage<StoreChunkPage>('GET', `${STORES}/chunks/${store.id}/all/1`)
  const { id, docId } = body.chunks.find(({ source }) => source === 'ferry.txt')!
  const edited = await platform.manage('PUT', `${STORES}/chunks/${store.id}/${docId}/${id}`, {
    pageContent: 'The ferry to Bergen leaves at midnight.',
  })
  assert.equal(edited.status, 200, edited.text)
  const flow = await makeFlow({
    flowData: {
      nodes: [
        node('documentStore_0', { selectedStore: `${store.id}:Harbour`, metadata: { kind: 'timetable' } }),
        node('builtInEmbeddings_0'),
        node('builtInVectorStore_0', {
          document: [reference('documentStore_0')],
          embeddings: reference('builtInEmbeddings_0'),
        }),
      ],
      edges: [],
    },
  })
  const loaded = await platform.call<{ numAdded: number }>('POST', `/api/v1/vector/upsert/${flow}`, {
    body: {},
    key: ADMIN_KEY,
  })
  assert.equal(loaded.body.numAdded, 3, loaded.text)
  const { docs } = (await platform.query(flow, { query: 'When does the ferry leave?', topK: 1 })).body
  assert.equal(docs[0]!.pageContent, 'The ferry to Bergen leaves at midnight.')
  assert.deepEqual([docs[0]!.metadata.kind, docs[0]!.metadata.source], ['timetable', 'ferry.txt'])
})

test('a key with pins finds only its own documents of a store that its flow names [docstores:nodes]', async () => {
  const { id: store } = await platform
    .manage<DocumentStoreAnswer>('POST', `${STORES}/store`, { name: 'Rents' })
    .then(({ body }) => body)
  const flow = await makeFlow({ flowData: chainOver(named(store)) })
  const keyOf = async (tenant: string) => {
    const made = await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
      keyName: tenant,
      flows: [store, flow],
      pins: { tenant },
    })
    assert.equal(made.status, 200, made.text)
    return made.body.apiKey
  }
  const [acme, beta] = [await keyOf('acme'), await keyOf('beta')]
  for (const [key, name] of [
    [acme, 'acme'],
    [beta, 'beta'],
  ] as const) {
    const loaded = await platform.call('POST', `${STORES}/upsert/${store}`, {
      body: form({ [`${name}.txt`]: `The rent of ${name} is due.` }),
      key,
    })
    assert.equal(loaded.status, 200, loaded.text)
  }
  chat.script({ text: 'Soon.' })
  const { body, text } = await ask(flow, beta)
  assert.deepEqual(sourcesOf(body), ['beta.txt'], text)
})

test('agent and retriever steps name a document store as in Flowise, by id and name [docstores:nodes:steps]', async () => {
  const store = await makeStore('Ferries')
  const documentStore = `${store.id}:Ferries`
  const looking = await makeFlow({
    type: 'AGENTFLOW',
    flowData: {
      nodes: [
        start(),
        step('retrieverAgentflow_0', {
          retrieverKnowledgeDocumentStores: [{ documentStore }],
          retrieverQuery: '{{question}}',
        }),
      ],
      edges: steps('startAgentflow_0 > retrieverAgentflow_0'),
    },
  })
  const found = await ask(looking)
  assert.match(found.body.text, /The ferry to Bergen leaves at noon/, found.text)
  const knowing = await makeFlow({
    type: 'AGENTFLOW',
    flowData: {
      nodes: [
        start(),
        step('agentAgentflow_0', {
          agentModel: 'chatOpenAICustom',
          agentModelConfig: { modelName: 'scripted', basepath: `${chat.url}/v1` },
          agentKnowledgeDocumentStores: [
            { documentStore, docStoreDescription: 'departures', returnSourceDocuments: true },
          ],
        }),
      ],
      edges: steps('startAgentflow_0 > agentAgentflow_0'),
    },
  })
  chat.script({ calls: [{ name: 'ferries', input: { input: 'ferry' } }] }, { text: 'At noon.' })
  const { body, text } = await ask(knowing)
  assert.ok(sourcesOf(body).includes('ferry.txt'), text)
})

test('a store that is not here is named before the first question, with what to do [docstores:nodes:missing]', async () => {
  const missing = '11111111-2222-4333-8444-555555555555'
  type Check = { runs: string; rows: { severity: string; what: string; instead: string | null }[] }
  const check = (flowData: object) => platform.manage<Check>('POST', '/api/v1/flows/validate', { flowData })
  for (const drawing of [
    chainOver(named(missing)),
    {
      nodes: [
        start(),
        step('retrieverAgentflow_0', {
          retrieverKnowledgeDocumentStores: [{ documentStore: `${missing}:Old` }],
        }),
      ],
      edges: steps('startAgentflow_0 > retrieverAgentflow_0'),
    },
  ]) {
    const { body, text } = await check(drawing)
    const row = body.rows.find(({ what }) => what.includes(missing))
    assert.deepEqual([body.runs, row?.severity], ['after', 'needed'], text)
    assert.match(row!.what, /no document store/)
    assert.match(row!.instead!, /Choose a document store of this server/)
  }
  const { status, text } = await ask(await makeFlow({ flowData: chainOver(named(missing)) }))
  assert.equal(status, 422, text)
  assert.match(text, /which does not exist/)
  const here = await check(chainOver(named((await makeStore('Here')).id)))
  assert.deepEqual(
    here.body.rows.filter(({ severity }) => severity !== 'note'),
    [],
    here.text,
  )
  const { body } = await check(chainOver(named('')))
  assert.ok(body.rows.some(({ what }) => /Select Store/.test(what)))
})

test('a flow that names itself or a flow without a store of its own is refused [docstores:nodes]', async () => {
  const store = await makeStore('Far')
  const over = await makeFlow({ flowData: chainOver(named(store.id)) })
  const twice = await ask(await makeFlow({ flowData: chainOver(named(over)) }))
  assert.equal(twice.status, 422, twice.text)
  assert.match(twice.text, /none of its own/)
  const saved = await platform.manage('PUT', `/api/v1/chatflows/${over}`, {
    flowData: JSON.stringify(chainOver(named(over))),
  })
  assert.match(saved.text, /it is the flow itself/)
})

test('the choices of Select Store are the document stores [docstores:nodes]', async () => {
  const store = await makeStore('Chosen')
  for (const name of ['documentStore', 'documentStoreVS']) {
    const { body, text } = await platform.manage<{ name: string; label: string }[]>(
      'POST',
      `/api/v1/node-load-method/${name}`,
      { loadMethod: 'listStores' },
    )
    assert.ok(Array.isArray(body), text)
    assert.ok(body.some((one) => one.name === store.id && one.label === 'Chosen'))
    assert.ok(body.every(({ label }) => label !== 'Departures'))
  }
})
