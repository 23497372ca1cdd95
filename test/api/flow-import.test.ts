import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

const node = (name: string, inputs: object = {}) => ({
  id: `${name}_0`,
  type: 'customNode',
  data: { id: `${name}_0`, name, label: name, inputs },
})
const instance = (name: string) => `{{${name}_0.data.instance}}`
/** A chat flow as Flowise exports it: over a store that is only in memory there. */
const EXPORT = {
  nodes: [
    node('plainText', { text: 'Otters hold hands while they sleep.' }),
    node('builtInEmbeddings'),
    node('memoryVectorStore', {
      document: [instance('plainText')],
      embeddings: instance('builtInEmbeddings'),
    }),
  ],
  edges: [],
}

type Imported = { flow: { id: string; slug: string; name: string }; report: Record<string, unknown> }
const take = (body: object, query = '') =>
  platform.manage<Imported>('POST', `/api/v1/chatflows/import${query}`, body)

test('POST /chatflows/import makes a flow that runs, and lists what it replaced [flow:import]', async () => {
  const { status, body } = await take(EXPORT, '?name=Otters')
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body.flow, { name: 'Otters', slug: 'otters', type: 'CHATFLOW' })
  assert.partialDeepStrictEqual(body.report, {
    supported: true,
    nodes: 3,
    unsupported: [],
    replaced: [{ nodeId: 'memoryVectorStore_0', by: 'builtInVectorStore' }],
  })
  const upsert = await platform.call<{ numAdded: number }>('POST', '/api/v1/vector/upsert/otters', {
    body: {},
  })
  assert.equal(upsert.body.numAdded, 1)
  const { body: found } = await platform.query('otters', { query: 'sleeping otters' })
  assert.match(found.docs[0]!.pageContent, /hold hands/)
})

test('POST /chatflows/import gives names and slugs of their own to flows without one', async () => {
  const [first, second] = [await take(EXPORT), await take(EXPORT)]
  assert.deepEqual([first.body.flow.slug, second.body.flow.slug], ['imported-flow', 'imported-flow-2'])
})

test('POST /chatflows/import stores a flow with unknown nodes, and names them', async () => {
  const { body } = await take({ nodes: [node('vectara')], edges: [] }, '?name=Foreign')
  assert.partialDeepStrictEqual(body.report, { supported: false, unsupported: [{ name: 'vectara' }] })
  const asked = await platform.query(body.flow.slug, { query: 'x' })
  assert.equal(asked.status, 422)
})

test('POST /chatflows/import refuses what holds no flow', async () => {
  for (const body of [{}, { nodes: 'x' }, { ChatFlow: [] }]) {
    const { status, body: refusal } = await take(body)
    assert.equal(status, 400)
    assert.partialDeepStrictEqual(refusal, { code: 'flow_invalid' })
  }
})

test('POST /chatflows/import is for those who manage the server', async () => {
  const { status } = await platform.call('POST', '/api/v1/chatflows/import', { body: EXPORT })
  assert.equal(status, 401)
})

test('POST /chatflows/import makes every flow of an instance, which find each other [flow:import]', async () => {
  const id = '7f3c1d7e-5a34-4c1b-9a51-0d7d1d2a7b11'
  const asks = (flow: string) => ({
    nodes: [node('executeFlowAgentflow', { executeFlowSelectedFlow: flow })],
    edges: [],
  })
  const whole = {
    ChatFlow: [{ id, name: 'Store', flowData: JSON.stringify(EXPORT) }],
    AgentFlowV2: [{ name: 'Asker', flowData: JSON.stringify(asks(id)) }],
    AgentFlow: [{ name: 'Old', type: 'MULTIAGENT', flowData: JSON.stringify({ nodes: [], edges: [] }) }],
  }
  const { status, body } = await platform.manage<Imported & { imported: Imported[] }>(
    'POST',
    '/api/v1/chatflows/import',
    whole,
  )
  assert.equal(status, 200)
  assert.deepEqual(
    body.imported.map(({ flow, report }) => [flow.name, (flow as { type?: string }).type, report.supported]),
    [
      ['Store', 'CHATFLOW', true],
      ['Asker', 'AGENTFLOW', true],
      ['Old', 'MULTIAGENT', true],
    ],
  )
  assert.equal(body.flow.id, id)
  const alone = await take(asks('nowhere'))
  assert.partialDeepStrictEqual(alone.body.report, { supported: false, missing: [{ named: 'nowhere' }] })
  const named = await platform.manage('POST', '/api/v1/chatflows/import?name=All', whole)
  assert.equal(named.status, 400)
})
