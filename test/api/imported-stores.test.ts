import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentStoreAnswer } from '../../src/api/document-store.ts'
import { node } from '../support/agent-drawing.ts'
import { reference } from '../support/flow-drawing.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

const STORE = 'c27a0e8e-1c1f-4e0a-9e0b-5b1d8f3f0a11'
const TEXT = 'd0000000-0000-4000-8000-000000000001'
const FILE = 'd0000000-0000-4000-8000-000000000002'

/** A row as Flowise exports it: its columns are JSON texts. */
const row = {
  id: STORE,
  name: 'Otters',
  description: 'About otters',
  loaders: JSON.stringify([
    {
      id: TEXT,
      loaderId: 'plainText',
      loaderName: 'A text',
      loaderConfig: { text: 'Otters hold hands.', textSplitter: '', metadata: '{"animal":"otter"}' },
      splitterId: 'recursiveCharacterTextSplitter',
      splitterName: 'Recursive',
      splitterConfig: { chunkSize: 500, chunkOverlap: '' },
      totalChunks: 1,
      totalChars: 18,
      status: 'SYNC',
    },
    {
      id: FILE,
      loaderId: 'textFile',
      loaderName: 'A file',
      loaderConfig: { txtFile: 'FILE-STORAGE::["otters.txt"]' },
      files: [{ id: 'f', name: 'otters.txt', mimePrefix: 'text/plain', size: 9, status: 'NEW' }],
    },
    { id: 'd3', loaderId: 'notionPage', loaderName: 'Notion', loaderConfig: {} },
  ]),
  whereUsed: '[]',
  status: 'UPSERTED',
  vectorStoreConfig: JSON.stringify({ name: 'faiss', config: { basePath: '/tmp/otters', topK: 2 } }),
  embeddingConfig: JSON.stringify({ name: 'bedrockEmbeddings', config: {} }),
  recordManagerConfig: null,
}

const flow = {
  id: 'c27a0e8e-1c1f-4e0a-9e0b-5b1d8f3f0a12',
  name: 'Asks',
  flowData: JSON.stringify({
    nodes: [
      node('documentStoreVS_0', { selectedStore: STORE }),
      node('chatOpenAICustom_0', { modelName: 'm', basepath: 'http://127.0.0.1:9/v1' }),
      node('conversationalRetrievalQAChain_0', {
        model: reference('chatOpenAICustom_0'),
        vectorStoreRetriever: reference('documentStoreVS_0'),
      }),
    ],
    edges: [],
  }),
}

type Row = { severity: string; what: string; instead: string | null }
type Imported = { flow: { id: string; name: string; apikeyid: string | null }; report: { rows: Row[] } }
type Answer = { imported: Imported[]; others: Row[] }

const bring = async (exported: object) => {
  const { status, body, text } = await platform.manage<Answer>(
    'POST',
    '/api/v1/export-import/import',
    exported,
  )
  assert.equal(status, 200, text)
  return body
}

test('a document store of an export keeps its id, its loaders and what is here of its parts, with a line for the rest [docstores:import]', async () => {
  type Check = { flows: { name: string; rows: Row[] }[] }
  const exported = { ChatFlow: [flow], DocumentStore: [row], DocumentStoreFileChunk: [{}, {}] }
  const before = await platform.manage<Check>('POST', '/api/v1/flows/validate', { exported })
  assert.ok(
    before.body.flows[0]!.rows.every(({ what }) => !what.includes(STORE)),
    before.text,
  )

  const { imported, others } = await bring(exported)
  assert.deepEqual(
    imported.map(({ flow: { id, name } }) => [id, name]),
    [
      [flow.id, 'Asks'],
      [STORE, 'Otters'],
    ],
  )
  assert.ok(others.some(({ what }) => what === '2 chunks of document stores are not imported'))
  assert.equal(imported[1]!.flow.apikeyid, 'closed')
  const lines = imported[1]!.report.rows.map(({ what }) => what)
  for (const expected of [
    /^Its embeddings bedrockEmbeddings is not here; builtInEmbeddings is in its place$/,
    /^faiss became builtInVectorStore/,
    /^Its loader Notion: notionPage is not here; it is left out$/,
    /^The loader A file comes without its files: otters\.txt$/,
    /^The document store Otters comes with 3 loaders, without its chunks and its files$/,
  ])
    assert.ok(
      lines.some((line) => expected.test(line)),
      `${expected}\n${lines.join('\n')}`,
    )

  const path = '/api/v1/document-store'
  const { body: store } = await platform.manage<DocumentStoreAnswer>('GET', `${path}/store/${STORE}`)
  assert.equal(store.description, 'About otters')
  assert.deepEqual(
    store.loaders.map(({ id, loaderId, loaderName, splitterId }) => [id, loaderId, loaderName, splitterId]),
    [
      [TEXT, 'plainText', 'A text', 'recursiveCharacterTextSplitter'],
      [FILE, 'textFile', 'A file', null],
    ],
  )
  assert.deepEqual(
    store.whereUsed.map(({ id }) => id),
    [flow.id],
  )
  const refreshed = await platform.manage('POST', `${path}/refresh/${STORE}`, { items: [{ docId: TEXT }] })
  assert.equal(refreshed.status, 200, refreshed.text)
  const { body, text } = await platform.query(flow.id, { query: 'otters' })
  assert.deepEqual(
    body.docs?.map(({ pageContent, metadata }) => [pageContent, metadata.animal, metadata.docId]),
    [['Otters hold hands.', 'otter', TEXT]],
    text,
  )
})

test('a document store whose id is taken gets a new one and a line, also without any flow [docstores:import]', async () => {
  const { imported } = await bring({ DocumentStore: [row] })
  assert.equal(imported.length, 1)
  assert.notEqual(imported[0]!.flow.id, STORE)
  const line = imported[0]!.report.rows.find(({ what }) => what.includes(STORE))
  assert.match(line!.what, /has a new id here/)
  assert.match(line!.instead!, /Choose it in the nodes/)
  const empty = await platform.manage('POST', '/api/v1/export-import/import', {
    DocumentStore: [{ id: 'x' }],
  })
  assert.equal(empty.status, 400, empty.text)
})

test('a document store of an export with very many loaders brings the first hundred, and says so [docstores:import]', async () => {
  const loaders = Array.from({ length: 103 }, (_, at) => ({ id: `text-${at}`, loaderId: 'plainText' }))
  const { imported } = await bring({ DocumentStore: [{ name: 'Many', loaders }, { name: ' ' }, 'no row'] })
  assert.equal(imported.length, 1)
  const lines = imported[0]!.report.rows.map(({ what }) => what)
  assert.ok(lines.includes('3 more loaders are not imported: 100 are the most'), lines.join('\n'))
})
