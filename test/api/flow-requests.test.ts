import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowRequestsAnswer } from '../../src/api/flow-requests.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const requestsOf = async (flow: string) =>
  (await platform.manage<FlowRequestsAnswer>('GET', `/api/v1/chatflows/${flow}/requests`)).body
const configure = (flow: string, body: object) => platform.manage('PUT', `/api/v1/chatflows/${flow}`, body)

/** A loader of a fixed text with a secret, a splitter beside it, and a node that nothing uses. */
const drawing = {
  name: 'Described',
  slug: 'described',
  flowData: {
    nodes: [
      node('plainText_0', 'plainText', { text: 'Otters swim.' }),
      node('openAIEmbeddings_0', 'openAIEmbeddings', { openAIApiKey: 'sk-secret' }, 'Embeddings'),
      node('builtInVectorStore_0', 'builtInVectorStore', {
        document: ['{{plainText_0.data.instance}}'],
        embeddings: '{{openAIEmbeddings_0.data.instance}}',
      }),
      node('recursiveCharacterTextSplitter_0', 'recursiveCharacterTextSplitter', {}),
    ],
    edges: [],
  },
}
function node(id: string, name: string, inputs: object, label = name) {
  return { id, data: { id, name, label, inputs } }
}
await platform.manage('POST', '/api/v1/chatflows', drawing)

const inputOf = ({ nodes }: FlowRequestsAnswer, id: string, name: string) =>
  nodes.find((one) => one.id === id)?.inputs.find((one) => one.name === name)

test('GET /chatflows/:id/requests says what quickstart takes, and why not the rest [overrides:described]', async () => {
  const found = await requestsOf('quickstart')
  assert.deepEqual(found.upsert.files, { possible: true, reason: null })
  assert.equal(found.upsert.json.possible, false)
  assert.match(found.upsert.json.reason!, /form|files/i)
  assert.deepEqual(found.query, { possible: true, reason: null })
  assert.equal(found.prediction.possible, false)
  assert.match(found.prediction.reason!, /no agent and no chain/)
  assert.equal(found.key, null)
  const splitter = found.nodes.find(({ name }) => name === 'sluiceTextSplitter')!
  assert.deepEqual(splitter.requests, ['upsert'])
  assert.deepEqual(
    splitter.inputs.find(({ name }) => name === 'chunkSize'),
    {
      name: 'chunkSize',
      label: 'Chunk Size',
      type: 'number',
      guard: null,
      enabled: true,
      reason: null,
      value: 1000,
    },
  )
  const loader = found.nodes.find(({ name }) => name === 'fileLoader')!
  assert.deepEqual(
    loader.inputs.filter(({ type }) => type === 'file').map(({ name, enabled }) => [name, enabled]),
    [['files', true]],
  )
  assert.partialDeepStrictEqual(found.options, [{ name: 'returnSourceDocuments', enabled: true }])
})

test('GET /chatflows/:id/requests names the reason of each input that cannot be overridden [overrides:described]', async () => {
  const closed = await requestsOf('described')
  assert.equal(closed.overrides, false)
  assert.equal(inputOf(closed, 'plainText_0', 'text')?.reason, 'overrides_off')
  assert.equal(inputOf(closed, 'recursiveCharacterTextSplitter_0', 'chunkSize')?.reason, 'not_used')
  assert.deepEqual(closed.upsert.json, { possible: true, reason: null })
  assert.equal(closed.upsert.files.possible, false)

  const rows = (...names: string[]) => names.map((name) => ({ name, enabled: true }))
  const overrideConfig = { status: true, nodes: { '*': rows('text', 'openAIApiKey', 'basepath') } }
  await configure('described', { apiConfig: { overrideConfig } })
  const starred = await requestsOf('described')
  assert.deepEqual(
    [
      inputOf(starred, 'plainText_0', 'text'),
      inputOf(starred, 'openAIEmbeddings_0', 'openAIApiKey'),
      inputOf(starred, 'openAIEmbeddings_0', 'basepath'),
      inputOf(starred, 'openAIEmbeddings_0', 'batchSize'),
    ].map((input) => [input?.guard, input?.enabled, input?.reason]),
    [
      [null, true, null],
      ['credential', false, 'not_by_star'],
      ['url', false, 'not_by_star'],
      [null, false, 'not_enabled'],
    ],
  )
  // A secret in the drawing is not answered.
  assert.equal(inputOf(starred, 'openAIEmbeddings_0', 'openAIApiKey')?.value, null)
  assert.ok(!JSON.stringify(starred).includes('sk-secret'))
  await configure('described', {
    apiConfig: { overrideConfig: { status: true, nodes: { Embeddings: rows('openAIApiKey') } } },
  })
  assert.equal(inputOf(await requestsOf('described'), 'openAIEmbeddings_0', 'openAIApiKey')?.enabled, true)
})

test('GET /chatflows/:id/requests has the key of the flow with its scopes, also where it was deleted', async () => {
  const key = await platform.key({ scopes: ['query'] })
  await configure('described', { apikeyid: key.id })
  assert.deepEqual((await requestsOf('described')).key, { id: key.id, name: 'a key', scopes: ['query'] })
  await platform.manage('DELETE', `/api/v1/apikey/${key.id}`)
  assert.deepEqual((await requestsOf('described')).key, { id: key.id, name: null, scopes: [] })
})

test('GET /chatflows/:id/requests has the variables of the workspace, and whether a request may set them', async () => {
  for (const name of ['city', 'river'])
    await platform.manage('POST', '/api/v1/variables', { name, value: 'x' })
  const overrideConfig = { status: true, nodes: {}, variables: [{ name: 'city', enabled: true }] }
  await configure('described', { apiConfig: { overrideConfig } })
  assert.deepEqual((await requestsOf('described')).variables, [
    { name: 'city', enabled: true, reason: null },
    { name: 'river', enabled: false, reason: 'not_enabled' },
  ])
})
