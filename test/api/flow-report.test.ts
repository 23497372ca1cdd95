import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  agentWith,
  chain,
  chatNode,
  flowOf,
  plugged,
  reporting,
  withoutKeys,
} from '../support/flow-reports.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform({ OPENAI_API_KEY: 'sk-of-the-test' })
const { check, take } = reporting(platform)

test('a cycle names each of its nodes, and only the upserts of a bad loader are refused [flow:report]', async () => {
  const rounds = [0, 1].map((n) =>
    chatNode(`cohereRerankRetriever_${n}`, { baseRetriever: plugged(`cohereRerankRetriever_${1 - n}`) }),
  )
  const { runs, rows } = await check({ nodes: [...rounds, ...agentWith().nodes], edges: [] })
  assert.equal(runs, 'yes', 'the agent does without them')
  assert.deepEqual(
    rows.filter(({ severity }) => severity === 'dropped').map(({ nodeId }) => nodeId),
    ['cohereRerankRetriever_0', 'cohereRerankRetriever_1'],
  )
  const loads = await check({
    nodes: [
      chatNode('elsewhere_0', {}, { category: 'Document Loaders' }),
      chatNode('builtInEmbeddings_0'),
      chatNode('builtInVectorStore_0', {
        document: [plugged('elsewhere_0')],
        embeddings: plugged('builtInEmbeddings_0'),
      }),
      ...chain({}).nodes.slice(0, 1),
      chatNode('conversationalRetrievalQAChain_0', {
        model: plugged('chatOpenAI_0'),
        vectorStoreRetriever: plugged('builtInVectorStore_0'),
      }),
    ],
    edges: [],
  })
  assert.equal(loads.runs, 'no')
  assert.match(loads.rows[0]!.what, /uses the node elsewhere, .* \(upserts are refused\)/)
})

test('variables that nobody has are named, and those of the export come with it [flow:report]', async () => {
  const prompt = {
    systemMessagePrompt: 'You are {{$vars.persona}} of {{nobody}}. {{question}} {{$flow.sessionId}}',
  }
  const drawing = {
    nodes: [
      chatNode('chatOpenAI_0'),
      chatNode('conversationChain_0', { model: plugged('chatOpenAI_0'), ...prompt }),
    ],
    edges: [],
  }
  const alone = await check(drawing)
  assert.equal(alone.runs, 'yes')
  assert.deepEqual(
    withoutKeys(alone.rows).map(({ nodeId, input, severity, what }) => [nodeId, input, severity, what]),
    [
      ['conversationChain_0', null, 'note', 'there is no variable persona: the text stays as it is written'],
      [
        'conversationChain_0',
        'systemMessagePrompt',
        'note',
        'there is no {{nobody}}: the text stays as it is written',
      ],
    ],
  )
  const whole = {
    ChatFlow: [{ name: 'Persona', flowData: JSON.stringify(drawing) }],
    Variable: [
      { name: 'persona', type: 'static', value: 'a very secret otter' },
      { name: 'place', type: 'runtime', value: '' },
    ],
  }
  const { report, others } = await take(whole)
  assert.equal(report.rows.filter(({ what }) => what.includes('persona')).length, 0)
  assert.deepEqual(
    others.map(({ node: name, severity }) => [name, severity]),
    [
      ['persona', 'note'],
      ['place', 'note'],
    ],
  )
  assert.doesNotMatch(JSON.stringify([report, others]), /very secret/)
  const listed = await platform.manage<{ name: string; value: string }[]>('GET', '/api/v1/variables')
  assert.deepEqual(listed.body.map(({ name, value }) => [name, value]).toSorted(), [
    ['persona', 'a very secret otter'],
    ['place', ''],
  ])
  const again = await take({ ...whole, Variable: [{ name: 'persona', type: 'static', value: 'another' }] })
  assert.partialDeepStrictEqual(again.others, [{ node: 'persona', severity: 'changed' }])
  const kept = await platform.manage<{ name: string; value: string }[]>('GET', '/api/v1/variables')
  assert.equal(kept.body.find(({ name }) => name === 'persona')!.value, 'a very secret otter')
})

test('an export of a whole instance: each thing that is not imported has a line, and one bad flow loses no other [flow:report]', async () => {
  const good = agentWith()
  const large = { nodes: Array.from({ length: 5000 }, (_, n) => chatNode(`plainText_${n}`)), edges: [] }
  const twice = { nodes: [chatNode('plainText_0'), chatNode('plainText_0')], edges: [] }
  const { imported, others } = await take({
    ChatFlow: [
      { name: 'Large', flowData: JSON.stringify(large) },
      { name: 'Good', flowData: JSON.stringify(good) },
      { name: 'Twice', flowData: twice },
    ],
    Tool: [{ name: 'weather', func: 'return "sk-secret-of-a-tool"', schema: '[]' }],
    DocumentStore: [{ name: 'papers', loaders: '[]' }],
    Assistant: [{ id: 'a-1', details: '{"name": "Helper", "instructions": "sk-secret-of-an-assistant"}' }],
    ChatMessage: [{ content: 'Hello' }, { content: 'Hi' }],
  })
  assert.deepEqual(
    imported.map(({ flow, report }) => [flow.name, report.runs]),
    [
      ['Good', 'yes'],
      ['papers', 'yes'],
    ],
  )
  assert.deepEqual(
    others.map(({ node: name, severity, what }) => [name, severity, what]),
    [
      ['weather', 'note', 'The custom tool weather comes with the flows'],
      [
        'Large',
        'unsupported',
        'The flow Large is not imported: The flow is not valid: it has 5,000 nodes, the most are 1,000',
      ],
      [
        'Twice',
        'unsupported',
        'The flow Twice is not imported: The flow is not valid: two nodes have the id plainText_0',
      ],
      ['Helper', 'dropped', 'The assistant Helper is not imported: this server has none'],
      [null, 'dropped', '2 chat messages are not imported'],
    ],
  )
  assert.ok(others.find(({ node: name }) => name === 'Helper')!.instead !== null)
  assert.doesNotMatch(JSON.stringify(others), /sk-secret/)
})

test('settings of Flowise that this server does not have are named, without their values [flow:report]', async () => {
  const row = {
    name: 'Talking',
    flowData: agentWith(),
    analytic: JSON.stringify({ langFuse: { credentialId: 'sk-secret', status: true } }),
    speechToText: JSON.stringify({ openAIWhisper: { credentialId: 'sk-secret', status: true } }),
    followUpPrompts: JSON.stringify({ status: true, selectedProvider: 'chatOpenAI' }),
    textToSpeech: JSON.stringify({ openai: { status: false } }),
    chatbotConfig: JSON.stringify({
      postProcessing: { enabled: true, customFunction: 'return "sk-secret"' },
    }),
    stopNodeId: 'faiss_0',
  }
  const { report } = await take(row)
  assert.equal(report.runs, 'yes')
  assert.deepEqual(
    report.rows.filter(({ severity }) => severity === 'dropped').map(({ input }) => input),
    ['analytic', 'speechToText', 'followUpPrompts', 'postProcessing', 'stopNodeId'],
  )
  assert.ok(report.rows.every(({ instead }) => instead !== null))
  assert.doesNotMatch(JSON.stringify(report), /sk-secret/)
  const off = await check({
    ...row,
    analytic: '{"langFuse":{"status":false}}',
    speechToText: null,
    stopNodeId: '',
  })
  assert.deepEqual(
    withoutKeys(off.rows).map(({ input }) => input),
    ['followUpPrompts', 'postProcessing'],
  )
})

test('a failing build names one input, not all of the node [flow:report]', async () => {
  const { rows } = await check(
    flowOf('agentAgentflow', {
      agentModel: 'chatOpenAI',
      agentModelConfig: { modelName: 'gpt-5' },
      agentToolsBuiltInOpenAI: '["web_search_preview"]',
      agentEnableMemory: true,
    }),
  )
  assert.partialDeepStrictEqual(rows, [
    {
      input: 'agentToolsBuiltInOpenAI',
      severity: 'unsupported',
      what: 'The input OpenAI Built-in Tools of the node agentAgentflow_0 is not valid: tools that run at the provider are not supported',
    },
  ])
})

test('every refusal of a node is listed at once: its credential and its address [flow:report]', async () => {
  const { rows } = await check(chain({ basepath: 'http://10.1.1.1/v1' }))
  assert.deepEqual(
    rows.filter(({ severity }) => severity === 'needed').map(({ input }) => input),
    ['basepath', 'credential'],
  )
})

test('POST /flows/validate refuses what is no export, and stores nothing of one [flow:report]', async () => {
  const count = async () => (await platform.manage<unknown[]>('GET', '/api/v1/chatflows')).body.length
  const before = await count()
  const { flows } = await check({
    ChatFlow: [
      { name: 'A', flowData: agentWith() },
      { name: 'B', flowData: chain({}) },
    ],
  })
  assert.deepEqual(
    flows.map(({ name, nodes, runs }) => [name, nodes, runs]),
    [
      ['A', 2, 'yes'],
      ['B', 2, 'yes'],
    ],
  )
  assert.equal(await count(), before)
  for (const exported of [{}, { nodes: 'x' }]) {
    const answer = await platform.manage('POST', '/api/v1/flows/validate', { exported })
    assert.deepEqual([answer.status, (answer.body as { code: string }).code], [400, 'flow_invalid'])
  }
})
