import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { NodeCard, NodeServices } from '../contract/card.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { Field, Fields } from '../contract/field.ts'
import { isEmptyInput } from '../cards/field.ts'
import { readOverrideGate } from '../flow/api-config.ts'
import { formParams } from '../flow/draw-card.ts'
import { credentialKindsOf } from '../flow/credentials.ts'
import { readGraph } from '../flow/graph.ts'
import { planRetrieval, planUpsert } from '../flow/plan-store.ts'
import { quickstartFlow } from '../flow/quickstart.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject, type JsonObject } from '../kit/json.ts'
import { parseFilter } from '../vector/filter.ts'
import { catalog } from './catalog.ts'
import { CREDENTIAL_KINDS } from './credential-kinds.ts'

/** Planning opens stores and touches nothing in them. */
const nodeServices = {
  openStore: (namespace) => ({ namespace }) as ChunkStore,
} as Partial<NodeServices> as NodeServices

const context = { catalog, nodeServices }

const { name, slug, flowData, apiConfig } = quickstartFlow(catalog)
const quickstart = { id: 'flow-1', flowData, apiConfig }

const plan = (overrides: JsonObject = {}) => planUpsert(context, quickstart, { overrides, uploads: true })

for (const card of catalog.values())
  test(`the node ${card.name} reads every default that it writes into a flow`, () => {
    for (const [input, { fallback, read, options }] of Object.entries(card.fields)) {
      if (!isEmptyInput(fallback)) assert.deepEqual(read(fallback), fallback, input)
      for (const option of options ?? []) assert.equal(read(option), option, input)
    }
    assert.ok(card.label !== '' && card.description !== '' && card.baseClasses.length > 0)
  })

/** The inputs of a node and the columns of its lists, at any depth, by their path. */
function* everyField(fields: Fields, path: string): Iterable<[string, Field<unknown>, Fields]> {
  for (const [name, field] of Object.entries(fields)) {
    yield [`${path}.${name}`, field, fields]
    if (field.columns) yield* everyField(field.columns, `${path}.${name}`)
  }
}

test('every input declares what a form needs [studio:forms]', () => {
  for (const card of catalog.values())
    for (const [path, field, beside] of everyField(card.fields, card.name)) {
      if (field.type === 'array')
        assert.ok(Object.keys(field.columns ?? {}).length > 0, `${path} has no columns`)
      if (field.type === 'number') assert.ok(field.range, `${path} has no range`)
      if (field.type === 'code') assert.ok(field.language, `${path} has no language`)
      if (field.loadMethod) assert.ok(card.lists?.[field.loadMethod], `${path}: no list ${field.loadMethod}`)
      const selected = path.split('.').at(-1)!
      if (field.selects) assert.equal(beside[`${selected}Config`]?.type, 'json', `${path} has no parameters`)
      for (const [name, values] of Object.entries(field.showWhen ?? {})) {
        const other = beside[name]
        assert.ok(other, `${path} depends on ${name}, which is not there`)
        for (const value of values)
          assert.equal(other.read(value), value, `${path} depends on ${name}: ${value}`)
      }
      for (const name of Object.keys(field.optionLabels ?? {})) assert.ok(field.options!.includes(name), path)
    }
  const lists = [...catalog.values()].flatMap((card) =>
    Object.keys(card.lists ?? {}).map((list) => [card, list] as const),
  )
  for (const [card, list] of lists)
    assert.ok(
      Object.values(card.fields).some(({ loadMethod }) => loadMethod === list),
      `${card.name}: no input uses the list ${list}`,
    )
})

test('formParams() has the range, columns, conditions and labels of inputs [studio:forms]', () => {
  const paramsOf = (name: string) =>
    Object.fromEntries(formParams(catalog.get(name)!).map((param) => [param.name as string, param]))
  const agent = paramsOf('agentAgentflow')
  assert.partialDeepStrictEqual(agent.agentMaxIterations!, { min: 1, max: 1000, whole: true })
  assert.partialDeepStrictEqual(agent.agentModel!, { selects: 'chatModel', config: 'agentModelConfig' })
  assert.deepEqual(agent.agentMemoryWindowSize!.show, {
    agentEnableMemory: [true],
    agentMemoryType: ['windowSize'],
  })
  assert.deepEqual(
    (agent.agentReturnResponseAs!.options as JsonObject[]).map(({ label }) => label),
    ['User message', 'Assistant message'],
  )
  const columns = agent.agentStructuredOutput!.array as JsonObject[]
  assert.deepEqual(
    columns.map(({ name, show }) => [name, show]),
    [
      ['key', undefined],
      ['type', undefined],
      ['enumValues', { type: ['enum'] }],
      ['jsonSchema', { type: ['jsonArray'] }],
      ['description', undefined],
    ],
  )
  const toolkit = paramsOf('openAPIToolkit')
  assert.deepEqual([toolkit.openApiFile!.optional, toolkit.openApiLink!.optional], [false, true])
  assert.equal(toolkit.yamlFile!.hidden, true)
  assert.equal(paramsOf('requestsGet').url!.hidden, true)
})

test('quickstartFlow() gives a flow with the documented plan', () => {
  const { part, warnings } = plan()
  assert.deepEqual([name, slug], ['Quickstart', 'quickstart'])
  assert.equal(part.store.namespace, 'flow-1')
  assert.match(part.loaders[0]!.splitter!.id, /^sluice .*1000.*200/)
  assert.equal(part.recordManager!.cleanup, 'incremental')
  const { topK, searchType, mode } = part.retrieval
  assert.deepEqual([topK, searchType, mode], [4, 'similarity', 'hybrid'])
  assert.equal(part.embedder.dimensions, 256)
  assert.deepEqual(warnings, [])
  assert.equal(planRetrieval(context, quickstart, { overrides: { topK: 9 } }).part.retrieval.topK, 9)
})

test('quickstartFlow() writes every connection twice, as inputs and as edges', () => {
  const drawing = JSON.parse(flowData) as { nodes: { data: { inputs: JsonObject } }[]; edges: object[] }
  const inputsOf = (data: unknown) =>
    [...readGraph(data).nodes.values()].map(({ id, inputs }) => [id, inputs])
  const expected = inputsOf(drawing)
  assert.equal(drawing.edges.length, 4)
  for (const { data } of drawing.nodes)
    for (const [input, value] of Object.entries(data.inputs))
      if (JSON.stringify(value).includes('.data.instance')) data.inputs[input] = ''
  const listed = ([id, inputs]: unknown[]) => [
    id,
    Object.entries(inputs as JsonObject).map(([input, value]) => [input, [value].flat()]),
  ]
  assert.deepEqual(inputsOf(drawing).map(listed), expected.map(listed))
})

test('quickstartFlow() allows the documented overrides and no others', () => {
  const gate = readOverrideGate(apiConfig)
  const open = [...readGraph(flowData).nodes.values()].flatMap((node) => {
    const inputs = [
      ...Object.keys(catalog.get(node.name)!.fields),
      'files',
      'returnSourceDocuments',
      'addMetadata',
    ]
    return inputs.filter((input) => gate.allows(node, input, false))
  })
  const promised = ['chunkOverlap', 'chunkSize', 'files', 'metadata', 'returnSourceDocuments', 'topK']
  assert.deepEqual(open.sort(), promised)
  const { part, options, warnings } = plan({
    chunkSize: '500',
    chunkOverlap: 0,
    metadata: { team: 'ops' },
    returnSourceDocuments: true,
    topK: 7,
    addMetadata: { a: 1 },
    cleanup: 'full',
    omitMetadataKeys: '*',
  })
  assert.match(part.loaders[0]!.splitter!.id, /500.*0/)
  assert.deepEqual(part.loaders[0]!.shapeMetadata({ page: 1 }, {}), { page: 1, team: 'ops' })
  assert.deepEqual([options.returnSourceDocuments, part.retrieval.topK], [true, 7])
  assert.deepEqual(warnings.map(({ key }) => key).sort(), ['addMetadata', 'cleanup', 'omitMetadataKeys'])
})

test('quickstartFlow() refuses an overlap that is not smaller than the size, by name', () => {
  assert.throws(
    () => plan({ chunkSize: 100 }),
    (error: unknown) =>
      error instanceof SluiceError && error.code === 'override_invalid' && error.facts.key === 'chunkSize',
  )
})

const draw = (inputs: JsonObject, records?: JsonObject) => {
  const node = (id: string, own: JsonObject) => ({ id, data: { name: id.replace(/_0$/, ''), inputs: own } })
  const plugs = {
    document: ['{{plainText_0.data.instance}}'],
    embeddings: '{{builtInEmbeddings_0.data.instance}}',
    ...(records ? { recordManager: '{{SQLiteRecordManager_0.data.instance}}' } : {}),
  }
  const nodes = [
    node('plainText_0', { text: 'words' }),
    node('builtInEmbeddings_0', {}),
    node('builtInVectorStore_0', { ...plugs, ...inputs }),
    ...(records ? [node('SQLiteRecordManager_0', records)] : []),
  ]
  const flow = { id: 'flow-1', flowData: JSON.stringify({ nodes }), apiConfig: undefined }
  return planUpsert(context, flow, { overrides: {}, uploads: false }).part
}

test('builtInVectorStore takes its own namespace, else that of its record manager, else the flow’s', () => {
  assert.equal(draw({ namespace: 'mine' }, { namespace: 'records' }).store.namespace, 'mine')
  assert.equal(draw({ namespace: '' }, { namespace: 'records' }).store.namespace, 'records')
  assert.equal(draw({}, {}).store.namespace, 'flow-1')
  assert.throws(() => draw({}, { namespace: 'no spaces' }), /128/)
})

test('builtInVectorStore reads its mandatory filter, also as text, and refuses an invalid one', () => {
  const filter = { path: ['team'], op: 'eq', value: 'ops' }
  for (const written of [{ team: 'ops' }, '{"team":"ops"}'])
    assert.deepEqual(draw({ filter: written }).retrieval.filter, filter)
  assert.throws(
    () => draw({ filter: { team: { $regex: 'x' } } }),
    (error: unknown) => error instanceof SluiceError && error.code === 'filter_invalid',
  )
})

test('SQLiteRecordManager has Flowise’s defaults', () => {
  const { recordManager } = draw({}, { cleanup: '', sourceIdKey: '', tableName: 'upsertion_records' })
  assert.deepEqual(recordManager, { cleanup: 'none', sourceIdKey: 'source' })
  assert.throws(() => draw({}, { cleanup: 'sometimes' }), /none, incremental, full/)
})

test('plainText is one item with its node as the source, so that changed text replaces the old', async () => {
  const [loader] = draw({}).loaders
  const signal = new AbortController().signal
  const items = []
  for await (const item of loader!.items!(signal)) {
    for await (const { parts } of item.read(signal))
      items.push([item.source, parts.map(({ pageContent, metadata }) => [pageContent, metadata])])
  }
  assert.deepEqual(items, [['plainText_0', [['words', { source: 'plainText_0' }]]]])
})

test('builtInVectorStore reads its retrieval inputs, and leaves empty ones to the engine', () => {
  const drawn = {
    searchType: 'mmr',
    fetchK: '40',
    lambda: 0.3,
    mode: 'vector',
    weight: '',
    metric: 'dot',
    minScore: '0.2',
    spelling: false,
    rescore: false,
  }
  assert.deepEqual(draw(drawn).retrieval, {
    topK: 4,
    searchType: 'mmr',
    fetchK: 40,
    lambda: 0.3,
    mode: 'vector',
    metric: 'dot',
    fusion: 'convex',
    spelling: false,
    rescore: false,
    minScore: 0.2,
  })
  assert.throws(() => draw({ weight: 2 }), /Weight/)
})

const drawn = (id: string, name: string, inputs: JsonObject) => ({
  id,
  data: { id, name, label: id, inputs },
})

test('cohereRerankRetriever and JinaRerankRetriever wrap a store, rerankerCustom plugs into it', () => {
  const planned = (...more: object[]) => {
    const nodes = [drawn('embeddings_0', 'builtInEmbeddings', {}), ...more]
    const flow = { id: 'flow-1', flowData: JSON.stringify({ nodes }), apiConfig: undefined }
    return planRetrieval(context, flow, { overrides: {} }).part
  }
  const embeddings = '{{embeddings_0.data.instance}}'
  const store = drawn('store_0', 'builtInVectorStore', { embeddings, topK: 9 })
  const baseRetriever = '{{store_0.data.instance}}'
  const cohere = planned(store, drawn('cohere_0', 'cohereRerankRetriever', { baseRetriever }))
  assert.deepEqual([cohere.store.namespace, cohere.retrieval.topK], ['flow-1', 9])
  assert.equal(cohere.retrieval.reranker!.id, 'rerank/rerank-v3.5 at https://api.cohere.com/v2')
  const jina = planned(store, drawn('jina_0', 'JinaRerankRetriever', { baseRetriever, topN: '3' }))
  assert.deepEqual([jina.retrieval.topK, jina.embedder.dimensions], [3, 256])
  const own = { basePath: 'http://localhost:8080/v1', modelName: 'm' }
  const plugged = planned(
    drawn('store_0', 'builtInVectorStore', { embeddings, reranker: '{{own_0.data.instance}}' }),
    drawn('own_0', 'rerankerCustom', own),
  )
  assert.equal(plugged.retrieval.reranker!.id, 'rerank/m at http://localhost:8080/v1')
})

test('builtInVectorStore replaces variables of the workspace and of allowed overrides in its filter, but not in its namespace', () => {
  const drawing = {
    team: '{{ $vars.team }}',
    flow: '{{$flow.chatflowId}}',
    other: '{{$vars.unknown}} {{question}}',
  }
  const part = (overrides: JsonObject, enabled: boolean, filter: JsonObject | string = drawing) => {
    const embeddings = '{{embeddings_0.data.instance}}'
    const nodes = [
      drawn('embeddings_0', 'builtInEmbeddings', {}),
      drawn('store_0', 'builtInVectorStore', { embeddings, namespace: '{{$vars.team}}', filter }),
    ]
    const overrideConfig = { status: true, nodes: {}, variables: [{ name: 'team', enabled }] }
    const flow = { id: 'flow-1', flowData: JSON.stringify({ nodes }), apiConfig: { overrideConfig } }
    return planRetrieval(context, flow, { overrides, variables: { team: 'a "red" one' } })
  }
  const filter = (team: string) =>
    parseFilter({ team, flow: 'flow-1', other: '{{$vars.unknown}} {{question}}' })
  const fenced = part({ vars: { team: 'blue' } }, false)
  assert.deepEqual(fenced.part.retrieval.filter, filter('a "red" one'))
  assert.deepEqual(
    fenced.warnings.map(({ key }) => key),
    ['vars.team'],
  )
  assert.equal(fenced.part.store.namespace, '{{$vars.team}}')
  assert.deepEqual(part({ vars: { team: 'blue' } }, true).part.retrieval.filter, filter('blue'))
  const asText = part({}, false, JSON.stringify(drawing))
  assert.deepEqual(asText.part.retrieval.filter, filter('a "red" one'))
})

test('every card takes kinds of credential that there are, and a card takes each of them', () => {
  const known = new Set(CREDENTIAL_KINDS.map(({ name }) => name))
  const taken = new Set([...catalog.values()].flatMap((card) => credentialKindsOf(card)))
  for (const card of catalog.values())
    for (const kind of credentialKindsOf(card))
      assert.ok(
        known.has(kind),
        `${card.name} takes ${kind}, which src/nodes/credential-kinds.ts does not have`,
      )
  for (const kind of known) assert.ok(taken.has(kind), `no card takes a credential of the kind ${kind}`)
})

test('every card of a folder of src/nodes is in the catalog', async () => {
  for (const file of globSync('*/*.ts', { cwd: import.meta.dirname })) {
    if (file.endsWith('.test.ts')) continue
    const exported = Object.values((await import(`./${file}`)) as Record<string, unknown>)
    for (const { name } of exported.filter(isCard))
      assert.ok(catalog.has(name), `src/nodes/catalog.ts does not list the card ${name} of src/nodes/${file}`)
  }
})

const isCard = (value: unknown): value is NodeCard =>
  isObject(value) &&
  typeof value.name === 'string' &&
  Array.isArray(value.baseClasses) &&
  isObject(value.fields)

test('docs/guide.md names the provider of each chat model', () => {
  const guide = readFileSync(path.join(import.meta.dirname, '../../docs/guide.md'), 'utf8')
  const [line = ''] = /^- \*\*Models\*\*:.*$/m.exec(guide) ?? []
  const kinds = new Map(CREDENTIAL_KINDS.map(({ name, label }) => [name, label.split(' ')[0]!]))
  for (const card of catalog.values())
    for (const kind of card.kind === 'chatModel' ? credentialKindsOf(card) : []) {
      const provider = kinds.get(kind)!
      assert.ok(line.includes(provider), `name ${provider} in the line Models of docs/guide.md: ${card.name}`)
    }
})
