import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFileSync } from 'node:fs'
import { ALIASES, NEEDLESS } from '../flow/import/aliases.ts'
import { type Imported, importExport } from '../flow/import/import.ts'
import type { JsonObject } from '../kit/json.ts'
import { catalog } from './catalog.ts'

type Node = { id: string; data: JsonObject & { inputs: JsonObject } }

const node = (name: string, inputs: JsonObject = {}, more: JsonObject = {}): Node => ({
  id: `${name}_0`,
  data: { id: `${name}_0`, name, label: `The ${name}`, inputs, ...more },
})
const plugged = (name: string) => `{{${name}_0.data.instance}}`
const edge = (source: string, target: string, input: string) => ({
  id: `${source}-${target}`,
  source: `${source}_0`,
  sourceHandle: `${source}_0-output-${source}-A|B`,
  target: `${target}_0`,
  targetHandle: `${target}_0-input-${input}-A`,
})
const take = (nodes: object[], edges: object[] = []): Imported =>
  importExport({ nodes, edges }, { catalog, credentials: new Set(), flows: new Set() }).flows[0]!
const nodesOf = ({ flowData }: Imported) => flowData.nodes as Node[]
const dataOf = (imported: Imported, name: string) =>
  nodesOf(imported).find(({ id }) => id === `${name}_0`)!.data
const rowsOf = ({ rows }: Imported, name: string) =>
  rows
    .filter(({ nodeId }) => nodeId === `${name}_0`)
    .map(({ severity, input, what }) => ({ severity, input, what }))

for (const name of Object.keys(ALIASES))
  test(`${name} comes in as a node of this server, with a line [flow:aliases]`, () => {
    const imported = take([node(name)])
    const { by } = imported.report.replaced[0]!
    assert.ok(catalog.has(by), by)
    assert.equal(catalog.has(name), false)
    assert.equal(imported.report.supported, true)
    assert.partialDeepStrictEqual(dataOf(imported, name), { name: by, label: `The ${name}` })
    const [line] = rowsOf(imported, name)
    assert.equal(line!.severity, 'changed')
    assert.match(line!.what, new RegExp(`^${name} became ${by}\\. [A-Z]`))
    for (const [before, renamed] of Object.entries(ALIASES[name]!.renames ?? {})) {
      // Which node it becomes may depend on the input.
      const card = catalog.get(take([node(name, { [before]: '3' })]).report.replaced[0]!.by)!
      assert.ok(
        Object.hasOwn({ ...card.fields, ...card.anchors }, renamed),
        `ALIASES.${name} renames ${before} to ${renamed}, which ${card.name} does not have`,
      )
    }
  })

test('what an alias adapts is tried here', () => {
  const tests = readFileSync(import.meta.filename, 'utf8')
  const byAdapt = Map.groupBy(Object.entries(ALIASES), ([, { adapt }]) => adapt)
  for (const [adapt, rows] of byAdapt) {
    const names = rows.map(([name]) => name)
    assert.ok(
      adapt === undefined || names.some((name) => tests.includes(`node('${name}', {`)),
      `write a test of what adapt does with the inputs of ${names.join(' or ')} into src/nodes/aliases.test.ts`,
    )
  }
})

test('an agent of an older kind keeps its parts, its system message and its limit [flow:aliases]', () => {
  const inputs = {
    tools: [plugged('calculator')],
    model: plugged('chatOpenAI'),
    memory: plugged('bufferMemory'),
    inputModeration: '',
    systemMessage: 'You are an otter.',
    maxIterations: 7,
  }
  const imported = take([
    node('conversationalAgent', inputs),
    node('calculator'),
    node('chatOpenAI'),
    node('bufferMemory'),
  ])
  assert.deepEqual(dataOf(imported, 'conversationalAgent').inputs, inputs)
  assert.equal(rowsOf(imported, 'conversationalAgent').length, 1)
})

test('a system message that describes calls as texts is not kept, and the report says so [flow:aliases]', () => {
  for (const systemMessage of ['Use <tool>search</tool>', 'You have {tools}', '{agent_scratchpad}']) {
    const imported = take([node('xmlAgent', { systemMessage, maxIterations: 3 })])
    assert.deepEqual(dataOf(imported, 'xmlAgent').inputs, { maxIterations: 3 })
    assert.match(rowsOf(imported, 'xmlAgent')[0]!.what, /Its system message describes calls .* not kept$/)
  }
  assert.equal(
    dataOf(take([node('xmlAgent', { systemMessage: 'Be kind.' })]), 'xmlAgent').inputs.systemMessage,
    'Be kind.',
  )
})

test('inputs that the node here does not have are dropped with a line each, and so are their edges [flow:aliases]', () => {
  const imported = take(
    [
      node('chatOpenAI'),
      node('conversationSummaryBufferMemory', {
        model: plugged('chatOpenAI'),
        maxTokenLimit: 2000,
        sessionId: 's',
      }),
      node('conversationChain', {
        memory: plugged('conversationSummaryBufferMemory'),
        model: plugged('chatOpenAI'),
      }),
    ],
    [
      edge('chatOpenAI', 'conversationSummaryBufferMemory', 'model'),
      edge('conversationSummaryBufferMemory', 'conversationChain', 'memory'),
    ],
  )
  const { inputs } = dataOf(imported, 'conversationSummaryBufferMemory')
  assert.deepEqual(inputs, { sessionId: 's' })
  const rows = rowsOf(imported, 'conversationSummaryBufferMemory')
  assert.equal(
    rows[0]!.what,
    'conversationSummaryBufferMemory became bufferMemory. The model gets the whole conversation in place of a summary',
  )
  assert.deepEqual(
    rows.slice(1).map(({ severity, input }) => [severity, input]),
    [
      ['dropped', 'model'],
      ['dropped', 'maxTokenLimit'],
    ],
  )
  assert.deepEqual(
    (imported.flowData.edges as { id: string }[]).map(({ id }) => id),
    ['conversationSummaryBufferMemory-conversationChain'],
  )
})

test('a memory of another server with a window keeps it, in exchanges [flow:aliases]', () => {
  const redis = (windowSize: unknown) =>
    dataOf(
      take([node('RedisBackedChatMemory', { windowSize, memoryKey: 'chat_history' } as JsonObject)]),
      'RedisBackedChatMemory',
    )
  assert.partialDeepStrictEqual(redis('5'), {
    name: 'bufferWindowMemory',
    inputs: { k: 3, memoryKey: 'chat_history' },
  })
  assert.partialDeepStrictEqual(redis(''), { name: 'bufferMemory', inputs: { memoryKey: 'chat_history' } })
  const zep = dataOf(take([node('ZepMemory', { k: '10', baseURL: 'http://zep' })]), 'ZepMemory')
  assert.deepEqual([zep.name, zep.inputs], ['bufferWindowMemory', { k: 5 }])
})

test('openAI becomes chatOpenAI; a model that takes no messages is not kept [flow:aliases]', () => {
  const old = take([node('openAI', { modelName: 'gpt-3.5-turbo-instruct', temperature: 0.7, bestOf: 2 })])
  assert.deepEqual(dataOf(old, 'openAI').inputs, { temperature: 0.7 })
  const [line, ...others] = rowsOf(old, 'openAI')
  assert.match(
    line!.what,
    /The model gpt-3\.5-turbo-instruct takes no messages: the default of chatOpenAI is used$/,
  )
  assert.deepEqual(
    others.filter(({ severity }) => severity === 'dropped').map(({ input }) => input),
    ['bestOf'],
  )
  assert.equal(dataOf(take([node('openAI', { modelName: 'gpt-4o' })]), 'openAI').inputs.modelName, 'gpt-4o')
})

test('an input with another name here moves there, with its edge [flow:aliases]', () => {
  const name = 'conversationalRetrievalToolAgent'
  const imported = take(
    [node(name, { systemMessage: 'From {context}', vectorStoreRetriever: '' }), node('builtInVectorStore')],
    [edge('builtInVectorStore', name, 'vectorStoreRetriever')],
  )
  assert.deepEqual(dataOf(imported, name).inputs, {
    responsePrompt: 'From {context}',
    vectorStoreRetriever: '',
  })
  assert.equal((imported.flowData.edges as object[]).length, 1)
})

test('a part within a node of an agent flow has its alias too [flow:aliases]', () => {
  const config = { agentModel: 'openAI', modelName: 'text-davinci-003', temperature: 0.2 }
  const imported = take([node('agentAgentflow', { agentModel: 'openAI', agentModelConfig: config })])
  assert.deepEqual(dataOf(imported, 'agentAgentflow').inputs, {
    agentModel: 'chatOpenAI',
    agentModelConfig: { agentModel: 'chatOpenAI', temperature: 0.2 },
  })
  const [line] = rowsOf(imported, 'agentAgentflow')
  assert.deepEqual([line!.input, line!.severity], ['agentModel', 'changed'])
  assert.match(line!.what, /^openAI became chatOpenAI\. .*text-davinci-003 takes no messages/)
})

for (const name of Object.keys(NEEDLESS))
  test(`${name} is left out with its connections, with a line [flow:aliases]`, () => {
    const wraps = NEEDLESS[name]!.passes !== undefined
    const [user, input] = wraps ? ['builtInVectorStore', 'embeddings'] : ['chatOpenAI', 'cache']
    const nodes = [
      node('builtInEmbeddings'),
      node(name, wraps ? { embeddings: plugged('builtInEmbeddings') } : {}),
      node(user!, { [input!]: plugged(name) }),
    ]
    const edges = [
      ...(wraps ? [edge('builtInEmbeddings', name, 'embeddings')] : []),
      edge(name, user!, input!),
    ]
    const imported = take(nodes, edges)
    assert.deepEqual(
      nodesOf(imported).map(({ id }) => id),
      ['builtInEmbeddings_0', `${user}_0`],
    )
    assert.equal(dataOf(imported, user!).inputs[input!], wraps ? plugged('builtInEmbeddings') : '')
    assert.deepEqual(
      (imported.flowData.edges as { source: string; sourceHandle: string }[]).map(
        ({ source, sourceHandle }) => [source, sourceHandle],
      ),
      wraps ? [['builtInEmbeddings_0', 'builtInEmbeddings_0-output-builtInEmbeddings-A|B']] : [],
    )
    assert.partialDeepStrictEqual(imported.report, {
      supported: true,
      needless: [{ name, nodeId: `${name}_0` }],
    })
    assert.partialDeepStrictEqual(rowsOf(imported, name), [{ severity: 'dropped' }])
  })

test('an agent that works by itself keeps its name, its role and its limit [flow:aliases]', () => {
  const imported = take([
    node('autoGPT', {
      tools: [],
      aiName: 'Tom',
      aiRole: 'a researcher',
      maxLoop: 5,
      vectorStoreRetriever: '',
    }),
  ])
  const { inputs } = dataOf(imported, 'autoGPT')
  assert.deepEqual(Object.keys(inputs).sort(), ['maxIterations', 'systemMessage', 'tools'])
  assert.equal(inputs.maxIterations, 5)
  assert.match(String(inputs.systemMessage), /^You are Tom, a researcher\. /)
  assert.match(rowsOf(imported, 'autoGPT')[0]!.what, /Its name and its role stand in the system message$/)
})

test('a store in another server becomes the built-in one, and the report says to load its documents again [flow:aliases]', () => {
  const imported = take([
    node('builtInEmbeddings'),
    node('supabase', {
      embeddings: plugged('builtInEmbeddings'),
      tableName: 'documents',
      topK: '7',
      supabaseProjUrl: 'https://x.supabase.co',
    }),
  ])
  assert.partialDeepStrictEqual(dataOf(imported, 'supabase'), {
    name: 'builtInVectorStore',
    inputs: { embeddings: plugged('builtInEmbeddings'), topK: '7' },
  })
  const [line, ...dropped] = rowsOf(imported, 'supabase')
  assert.match(line!.what, /what the other one holds is not read: load the documents again$/)
  assert.deepEqual(
    dropped.map(({ severity, input }) => [severity, input]),
    [
      ['dropped', 'tableName'],
      ['dropped', 'supabaseProjUrl'],
    ],
  )
})
