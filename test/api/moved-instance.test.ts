import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DocumentStoreAnswer, StoreLoaderAnswer } from '../../src/api/document-store.ts'
import type { InstanceExport } from '../../src/api/export-import.ts'
import type { ImportAnswer } from '../../src/api/flow-import.ts'
import { node, start, step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { reference } from '../support/flow-drawing.ts'
import { makePlatform, type TestPlatform } from '../support/platform.ts'

/** A whole server in one file, and in another server: flows, variables, custom tools, document stores. */

const model = await startChatServer()
const [from, to, dialect] = await Promise.all([makePlatform(), makePlatform(), makePlatform()])
after(() => {
  assert.deepEqual(model.violations, [])
  model.close()
})

const SECRET = 'sk-typed-into-a-node-0123'
const STORES = '/api/v1/document-store'

async function made<Body extends object = { id: string }>(path: string, body: object): Promise<Body> {
  const answer = await from.manage<Body>('POST', path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const exportOf = async (platform: TestPlatform, choice: object = {}) => {
  const { status, body, text } = await platform.manage<InstanceExport>(
    'POST',
    '/api/v1/export-import/export',
    choice,
  )
  assert.equal(status, 200, text)
  return { body, text }
}
async function importInto(platform: TestPlatform, file: object): Promise<ImportAnswer> {
  const { status, body, text } = await platform.manage<ImportAnswer>(
    'POST',
    '/api/v1/export-import/import',
    file,
  )
  assert.equal(status, 200, text)
  return body
}

const credential = await made('/api/v1/credentials', {
  name: 'a key',
  credentialName: 'openAIApi',
  plainDataObj: { openAIApiKey: SECRET },
})
const tool = await made('/api/v1/tools', {
  name: 'weather',
  description: 'Tells the weather',
  color: 'red',
  iconSrc: `https://ada:${SECRET}@example.com/icon.svg`,
  schema: '[{"id":0,"property":"city","type":"string","description":"A city","required":true}]',
  func: "return 'It rains in ' + $city",
})
await made('/api/v1/variables', { name: 'city', value: 'Bern', type: 'static' })
const store = await made<DocumentStoreAnswer>(`${STORES}/store`, {
  name: 'Otters',
  description: 'About otters',
})
const loader = await made<StoreLoaderAnswer>(`${STORES}/loader/save`, {
  storeId: store.id,
  loaderId: 'plainText',
  loaderName: 'A text',
  loaderConfig: { text: 'Otters hold hands.', metadata: { animal: 'otter' } },
  splitterId: 'recursiveCharacterTextSplitter',
  splitterConfig: { chunkSize: 500, chunkOverlap: 0 },
})
const withFile = await made<StoreLoaderAnswer>(`${STORES}/loader/save`, {
  storeId: store.id,
  loaderId: 'textFile',
  loaderName: 'A file',
  loaderConfig: { txtFile: `data:text/plain;base64,${btoa('Otters swim.')},filename:swim.txt` },
})
const other = await made<DocumentStoreAnswer>(`${STORES}/store`, { name: 'Herons' })
await made(`${STORES}/vectorstore/save`, {
  storeId: other.id,
  embeddingName: 'openAIEmbeddings',
  embeddingConfig: { modelName: 'text-embedding-3-small', credential: credential.id },
})
const chatModel = () =>
  node('chatOpenAICustom_0', {
    modelName: 'm',
    basepath: `${model.url}/v1`,
    openAIApiKey: SECRET,
  })
const asks = await made('/api/v1/chatflows', {
  name: 'Asks the store',
  flowData: {
    nodes: [
      chatModel(),
      node('documentStoreVS_0', { selectedStore: store.id }),
      node('conversationalRetrievalQAChain_0', {
        model: reference('chatOpenAICustom_0'),
        vectorStoreRetriever: reference('documentStoreVS_0'),
      }),
    ],
    edges: [],
  },
  chatbotConfig: { title: 'Hello' },
})
const agent = await made('/api/v1/chatflows', {
  name: 'Calls the tool',
  flowData: {
    nodes: [
      start(),
      step('agentAgentflow_0', {
        agentModel: 'chatOpenAICustom',
        agentModelConfig: { modelName: 'm', basepath: `${model.url}/v1` },
        agentTools: [{ agentSelectedTool: 'customTool', agentSelectedToolConfig: { selectedTool: tool.id } }],
        agentMessages: '',
      }),
    ],
    edges: steps('startAgentflow_0 > agentAgentflow_0'),
  },
})
await made(`${STORES}/refresh/${store.id}`, { items: [{ docId: loader.id }] })

/** The rows of an export without what a moved one has anew: times, ids of variables, and what was left out the first time. */
const lasting = (file: InstanceExport): unknown[] => {
  const rows = Object.values(file).flatMap((list): object[] => (Array.isArray(list) ? list : []))
  return rows
    .map((row) => {
      const { createdDate: _, updatedDate: __, ...rest } = row as Record<string, unknown>
      const { sluice, type } = rest as { sluice?: object; type?: string }
      return {
        ...rest,
        ...(type === 'static' ? { id: '' } : {}),
        ...(sluice ? { sluice: { ...sluice, leftOut: [] } } : {}),
      }
    })
    .map((row) => JSON.stringify(row))
    .sort()
    .map((text) => JSON.parse(text) as unknown)
}

/** Without the names of files, which an imported store does not have. */
const withoutFiles = (file: InstanceExport): InstanceExport => ({
  ...file,
  DocumentStore: file.DocumentStore.map((row) => ({
    ...row,
    loaders: row.loaders.replaceAll(/"txtFile":"FILE-STORAGE::\[\\"swim\.txt\\"\]"/g, ''),
  })),
})

test('POST /export-import/export has document stores and custom tools in the shapes of Flowise, without secrets and chunks [export:stores, export:tools]', async () => {
  const { body, text } = await exportOf(from)
  assert.ok(!text.includes(SECRET) && !text.includes(credential.id), text)
  const row = body.DocumentStore.find(({ id }) => id === store.id)!
  const loaders = JSON.parse(row.loaders) as Record<string, unknown>[]
  assert.deepEqual(
    [row.name, row.description, row.status, JSON.parse(row.whereUsed)],
    ['Otters', 'About otters', 'STALE', [asks.id]],
  )
  assert.deepEqual(loaders, [
    {
      id: loader.id,
      loaderId: 'plainText',
      loaderName: 'A text',
      loaderConfig: { text: 'Otters hold hands.', metadata: { animal: 'otter' } },
      splitterId: 'recursiveCharacterTextSplitter',
      splitterName: 'Recursive Character Text Splitter',
      splitterConfig: { chunkSize: 500, chunkOverlap: 0 },
      totalChunks: 0,
      totalChars: 0,
      status: 'NEW',
    },
    {
      id: withFile.id,
      loaderId: 'textFile',
      loaderName: 'A file',
      loaderConfig: { txtFile: 'FILE-STORAGE::["swim.txt"]' },
      splitterId: '',
      splitterName: '',
      splitterConfig: {},
      totalChunks: 0,
      totalChars: 0,
      status: 'NEW',
    },
  ])
  assert.equal(JSON.parse(row.vectorStoreConfig!).name, 'builtInVectorStore')
  assert.equal(JSON.parse(row.recordManagerConfig!).name, 'SQLiteRecordManager')
  const herons = body.DocumentStore.find(({ id }) => id === other.id)!
  assert.partialDeepStrictEqual(JSON.parse(herons.embeddingConfig!), {
    name: 'openAIEmbeddings',
    config: { modelName: 'text-embedding-3-small' },
  })
  assert.equal(herons.status, 'EMPTY')
  assert.ok(body.ChatFlow.every(({ id }) => id !== store.id && id !== other.id))
  const [written] = body.Tool.map(({ createdDate: _, updatedDate: __, ...rest }) => rest)
  assert.deepEqual(written, {
    id: tool.id,
    name: 'weather',
    description: 'Tells the weather',
    color: 'red',
    iconSrc: 'https://ada@example.com/icon.svg',
    schema: '[{"id":0,"property":"city","type":"string","description":"A city","required":true}]',
    func: "return 'It rains in ' + $city",
  })
})

test('POST /export-import/export has only the lists that are chosen [export:stores, export:tools]', async () => {
  const counts = async (choice: object) => {
    const { body } = await exportOf(from, choice)
    return Object.entries(body).flatMap(([list, rows]) =>
      rows.length > 0 && list !== 'FileDefaultName' ? [list] : [],
    )
  }
  assert.deepEqual(await counts({ tool: true, chatflow: false }), ['Tool'])
  assert.deepEqual(await counts({ document_store: true }), ['DocumentStore'])
  assert.deepEqual(await counts({ agentflowv2: true, variable: true }), ['AgentFlowV2', 'Variable'])
  assert.deepEqual(await counts({ assistantCustom: true }), [])
})

test('an export of a server, imported into an empty one, is exported there as the same [export:round]', async () => {
  assert.equal((await to.manage('DELETE', '/api/v1/chatflows/quickstart')).status, 200)
  const { body: file } = await exportOf(from)
  const { imported, others } = await importInto(to, file)
  const { body: again } = await exportOf(to)
  // The example, two flows, two stores, a tool and a variable.
  assert.equal(lasting(file).length, 7)
  assert.deepEqual(lasting(withoutFiles(again)), lasting(withoutFiles(file)))
  assert.deepEqual(
    new Set(imported.map(({ flow }) => flow.id)),
    new Set([...file.ChatFlow, ...file.AgentFlowV2, ...file.DocumentStore].map(({ id }) => id)),
  )
  assert.ok(again.AgentFlowV2.some(({ id }) => id === agent.id))
  assert.ok(others.some(({ what }) => what === 'The custom tool weather comes with the flows'))
  const { report } = imported.find(({ flow }) => flow.id === store.id)!
  const lines = report.rows.map(({ what }) => what)
  assert.ok(
    lines.includes('The document store Otters comes with 2 loaders, without its chunks and its files'),
    lines.join('\n'),
  )
  assert.ok(lines.includes('The loader A file comes without its files: swim.txt'), lines.join('\n'))
  const ofHerons = imported.find(({ flow }) => flow.id === other.id)!.report
  assert.ok(
    ofHerons.leftOut.some(({ input }) => input === 'credential'),
    JSON.stringify(ofHerons.leftOut),
  )
})

test('a moved document store has nothing loaded, loads again, and is found by the flow that names it [export:round]', async () => {
  const before = await to.manage<DocumentStoreAnswer>('GET', `${STORES}/store/${store.id}`)
  assert.deepEqual([before.body.status, before.body.totalChunks], ['STALE', 0])
  const refreshed = await to.manage('POST', `${STORES}/refresh/${store.id}`, {
    items: [{ docId: loader.id }],
  })
  assert.equal(refreshed.status, 200, refreshed.text)
  const { body, text } = await to.query(asks.id, { query: 'otters' })
  assert.deepEqual(
    body.docs?.map(({ pageContent, metadata }) => [pageContent, metadata.animal]),
    [['Otters hold hands.', 'otter']],
    text,
  )
})

test('the columns of Flowise alone make the same document stores [export:round]', async () => {
  const { body: file } = await exportOf(from)
  // As Flowise would keep the rows: it knows no other columns.
  const rows = file.DocumentStore.map(({ flowData: _, sluice: __, apikeyid: ___, ...columns }) => columns)
  const { imported } = await importInto(dialect, { DocumentStore: rows })
  assert.deepEqual(
    imported.map(({ flow }) => flow.apikeyid),
    ['closed', 'closed'],
  )
  const { body: again } = await exportOf(dialect)
  const parts = ({ DocumentStore }: InstanceExport) =>
    DocumentStore.map(({ id, name, description, status, loaders, ...row }) => ({
      ...{ id, name, description, status },
      loaders: JSON.parse(loaders) as unknown,
      embedding: JSON.parse(row.embeddingConfig!) as unknown,
      vectorStore: JSON.parse(row.vectorStoreConfig!) as unknown,
      recordManager: JSON.parse(row.recordManagerConfig!) as unknown,
    })).sort((a, b) => a.id.localeCompare(b.id))
  assert.deepEqual(parts(withoutFiles(again)), parts(withoutFiles(file)))
})

test('a document store of an export that was open or closed stays so, and one of a file that does not say is closed [export:stores]', async () => {
  const { body: file } = await exportOf(from, { document_store: true })
  const [row] = file.DocumentStore
  const access = async (change: object) => {
    const { imported } = await importInto(to, { DocumentStore: [{ ...row!, ...change }] })
    return imported[0]!.flow.apikeyid
  }
  assert.equal(await access({}), null)
  assert.equal(await access({ apikeyid: 'a-key' }), 'closed')
  const { access: _, ...unsaid } = row!.sluice
  assert.equal(await access({ sluice: unsaid }), 'closed')
})
