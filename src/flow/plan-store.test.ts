import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawn, plug, smallCatalog, smallDrawing } from '../../test/support/small-catalog.ts'
import { defineNode } from '../cards/define-node.ts'
import type { NodeServices } from '../contract/card.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { Loader } from '../contract/loader.ts'
import { SluiceError } from '../kit/errors.ts'
import { assemble } from './assemble.ts'
import { makeCatalog } from './catalog.ts'
import { readGraph } from './graph.ts'
import { namespacesOf } from './namespaces.ts'
import { findStoreNode, participants } from './participants.ts'
import { planRetrieval, planUpsert } from './plan-store.ts'

/** Planning opens stores and touches nothing in them; of the rest the small catalog borrows nothing. */
const nodeServices = {
  openStore: (namespace) => ({ namespace }) as ChunkStore,
} as Partial<NodeServices> as NodeServices

const context = { catalog: smallCatalog, nodeServices }

type Drawing = { nodes: unknown[]; edges: unknown[] }

const flowOf = (drawing: Drawing, open: string[] = ['files', 'chunkSize', 'chunkOverlap']) => ({
  id: 'flow-1',
  flowData: JSON.stringify(drawing),
  apiConfig: {
    overrideConfig: { status: true, nodes: { '*': open.map((name) => ({ name, enabled: true })) } },
  },
})

const plan = (drawing: Drawing, asked: Partial<Parameters<typeof planUpsert>[2]> = {}, open?: string[]) =>
  planUpsert(context, flowOf(drawing, open), { overrides: {}, uploads: true, ...asked })

const refuses = (work: () => unknown, code: string, words: RegExp = /./) =>
  assert.throws(work, (error: unknown) => {
    assert.ok(error instanceof SluiceError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, words)
    return true
  })

test('planUpsert() turns a drawing into parts', () => {
  const { part, warnings } = plan(smallDrawing({ splitter_0: { chunkSize: '800', chunkOverlap: '' } }))
  assert.equal(part.store.namespace, 'flow-1')
  assert.equal(part.embedder.id, 'small')
  assert.deepEqual(
    part.loaders.map(({ splitter }) => splitter!.id),
    ['800/200'],
  )
  assert.deepEqual(part.recordManager, { cleanup: 'none', sourceIdKey: 'source' })
  assert.deepEqual(warnings, [])
})

test('planUpsert() applies the overrides and warns of those without effect', () => {
  const { part, options, warnings } = plan(smallDrawing(), {
    overrides: { chunkSize: 500, model: 'x', strict: true },
  })
  assert.equal(part.loaders[0]!.splitter!.id, '500/200')
  assert.equal(part.embedder.id, 'small')
  assert.equal(options.strict, true)
  assert.deepEqual(
    warnings.map(({ key }) => key),
    ['model'],
  )
})

test('planUpsert() builds a node that several plug in once', () => {
  const drawing = smallDrawing({ store_0: { document: [plug('loader_0'), plug('loader_1')] } })
  drawing.nodes.push(drawn('loader_1', { textSplitter: plug('splitter_0') }))
  const { loaders } = plan(drawing).part
  assert.equal(loaders.length, 2)
  assert.equal(loaders[0]!.splitter, loaders[1]!.splitter)
})

for (const overrides of [{ chunkSize: 100 }, { chunkOverlap: 1000 }, { chunkSize: 10, chunkOverlap: 10 }])
  test(`planUpsert() refuses ${JSON.stringify(overrides)}: an overlap that is not smaller than the size`, () => {
    const last = Object.keys(overrides).at(-1)!
    refuses(() => plan(smallDrawing(), { overrides }), 'override_invalid', new RegExp(`${last}.*overlap`))
    assert.throws(
      () => plan(smallDrawing(), { overrides }),
      ({ cause }: Error) => cause instanceof RangeError,
    )
  })

test('planUpsert() blames the flow for sizes that no override has touched', () => {
  const drawing = smallDrawing({ splitter_0: { chunkSize: '10', chunkOverlap: '20' } })
  refuses(() => plan(drawing), 'input_invalid', /splitter_0.*overlap/)
  refuses(
    () => plan(smallDrawing({ splitter_0: { chunkSize: 'x' } })),
    'input_invalid',
    /Chunk Size.*splitter_0/,
  )
})

test('planUpsert() takes uploads only where the gate opens files', () => {
  refuses(() => plan(smallDrawing(), {}, ['chunkSize']), 'override_not_enabled')
  refuses(() => plan(smallDrawing(), {}, ['txtFile']), 'override_not_enabled')
  // Without uploads the gate does not matter.
  refuses(() => plan(smallDrawing(), { uploads: false }, []), 'form_expected')
})

test('planUpsert() wants a form where its loaders take uploads, and JSON where they find their items', () => {
  refuses(() => plan(smallDrawing(), { uploads: false }), 'form_expected')
  const finding = defineNode({
    ...smallCatalog.get('loader')!,
    kind: 'loader',
    name: 'finding',
    fields: {},
    anchors: {},
    lists: {},
    build: (): Loader => ({ id: 'finding', shapeMetadata: (own) => own, async *items() {} }),
  })
  const catalog = makeCatalog([...smallCatalog.values(), finding])
  const drawing = smallDrawing({ store_0: { document: [plug('finding_0')] } })
  drawing.nodes.push(drawn('finding_0', {}))
  const planned = (uploads: boolean, given = drawing) =>
    planUpsert({ catalog, nodeServices }, flowOf(given), { overrides: {}, uploads })
  assert.deepEqual(
    planned(false).part.loaders.map(({ id }) => id),
    ['finding'],
  )
  refuses(() => planned(true), 'json_expected')
  const both = smallDrawing({ store_0: { document: [plug('loader_0'), plug('finding_0')] } })
  both.nodes.push(drawn('finding_0', {}))
  for (const uploads of [true, false]) assert.equal(planned(uploads, both).part.loaders.length, 2)
})

// What is wrong with a drawing, and the error that names it.
for (const [name, drawing, code, words] of [
  ['no vector store', { nodes: [drawn('loader_0')], edges: [] }, 'flow_cannot_upsert', /No vector node/],
  ['no loader', smallDrawing({ store_0: { document: '' } }), 'flow_cannot_upsert', /no document loader/],
  ['no embedder', smallDrawing({ store_0: { embeddings: '' } }), 'flow_invalid', /Embeddings of store_0/],
  [
    'a node of the wrong kind',
    smallDrawing({ store_0: { embeddings: plug('splitter_0') } }),
    'flow_invalid',
    /splitter_0/,
  ],
  [
    'a reference to a node that does not exist',
    smallDrawing({ store_0: { embeddings: plug('gone_0') } }),
    'flow_invalid',
    /gone_0/,
  ],
  [
    'a node that this server does not have',
    {
      nodes: [...smallDrawing({ store_0: { embeddings: plug('huge_0') } }).nodes, drawn('huge_0')],
      edges: [],
    },
    'node_unknown',
    /huge/,
  ],
  [
    'a foreign vector store',
    { nodes: [{ id: 'q_0', data: { name: 'milvus', category: 'Vector Stores' } }], edges: [] },
    'node_unknown',
    /milvus/,
  ],
  [
    'two vector stores',
    { nodes: [...smallDrawing().nodes, drawn('store_1')], edges: [] },
    'stop_node_needed',
    /2/,
  ],
] as [string, Drawing, string, RegExp][])
  test(`planUpsert() refuses a flow with ${name}`, () => refuses(() => plan(drawing), code, words))

test('planUpsert() takes the store that stopNodeId names, and no other node', () => {
  const drawing = smallDrawing()
  drawing.nodes.push(
    drawn('store_1', { document: [plug('loader_0')], embeddings: plug('embedder_0'), namespace: 'b' }),
  )
  assert.equal(plan(drawing, { stopNodeId: 'store_1' }).part.store.namespace, 'b')
  for (const stopNodeId of ['loader_0', 'none'])
    refuses(() => plan(drawing, { stopNodeId }), 'flow_cannot_upsert')
})

test('planUpsert() passes over nodes that take no part, whatever is wrong with them', () => {
  const drawing = smallDrawing()
  drawing.nodes.push(drawn('toolAgent_0', { model: plug('gone_0') }), drawn('splitter_9', { chunkSize: 'x' }))
  assert.equal(plan(drawing).part.loaders.length, 1)
})

test('planRetrieval() builds no loader, so that a flow with a broken one still answers', () => {
  const drawing = smallDrawing({
    splitter_0: { chunkSize: 'x' },
    store_0: { document: [plug('huge_0')], topK: '7' },
  })
  const { part } = planRetrieval(context, flowOf(drawing), { overrides: {} })
  assert.deepEqual([part.loaders, part.retrieval.topK], [[], 7])
})

test('assemble() refuses a node that is plugged into itself', () => {
  const ring = {
    kind: 'loader',
    name: 'ring',
    label: 'Ring',
    version: 1,
    category: '',
    type: '',
    baseClasses: [],
    description: '',
    fields: {},
    anchors: { next: { kind: 'loader', label: 'Next', type: '', list: false } },
    build: () => assert.fail('a ring has no first'),
  } as const
  const { nodes } = readGraph({
    nodes: [drawn('ring_0', { next: plug('ring_1') }), drawn('ring_1', { next: plug('ring_0') })],
  })
  const catalog = makeCatalog([ring])
  refuses(
    () => assemble('loader', 'ring_0', nodes, catalog, { ...nodeServices, flowId: 'f' }),
    'flow_invalid',
    /into itself/,
  )
})

test('participants() gives what plugs into a node, each once, also around a ring', () => {
  const drawing = smallDrawing({
    store_0: { document: [plug('loader_0'), plug('loader_0'), plug('gone_0')] },
  })
  drawing.nodes.push(drawn('loader_9'))
  const graph = readGraph(drawing)
  const found = participants(graph, smallCatalog, findStoreNode(graph, smallCatalog, 'flow_cannot_upsert'))
  assert.deepEqual(found.map(({ id }) => id).sort(), [
    'embedder_0',
    'loader_0',
    'records_0',
    'splitter_0',
    'store_0',
  ])
})

test('namespacesOf() names what the stores of a flow use, also of stores that cannot be built', () => {
  const drawing = smallDrawing({ splitter_0: { chunkSize: 'x' } })
  drawing.nodes.push(
    drawn('store_1', { embeddings: plug('embedder_0'), namespace: 'shared' }),
    drawn('store_2', { embeddings: plug('gone_0'), namespace: 'broken' }),
    drawn('store_3', { recordManager: plug('records_1') }),
    drawn('records_1', { namespace: 'of the records' }),
    drawn('loader_9', { part: 'store', partConfig: { namespace: 'within' } }),
  )
  assert.deepEqual(namespacesOf(context, flowOf(drawing)), [
    'flow-1',
    'shared',
    'broken',
    'of the records',
    'within',
  ])
  const without = smallDrawing()
  without.nodes = without.nodes.filter(({ id }) => id !== 'embedder_0')
  assert.deepEqual(namespacesOf(context, flowOf(without)), ['flow-1'])
})

test('makeCatalog() refuses two nodes of one name', () => {
  const card = smallCatalog.get('loader')!
  assert.throws(() => makeCatalog([card, card]), /two nodes are called loader/)
})
