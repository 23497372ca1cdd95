import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckedFlowAnswer, ReportRowAnswer } from '../../src/api/flow-report.ts'
import { start, step, steps } from '../support/agent-drawing.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform({ OPENAI_API_KEY: 'sk-of-the-test' })

type Inputs = Record<string, unknown>
type Report = { runs: string; rows: ReportRowAnswer[] }
type Checked = Report & { flows: CheckedFlowAnswer[]; others: ReportRowAnswer[] }
type Imported = {
  flow: { id: string; name: string; problems: unknown[] }
  report: Report & { supported: boolean }
}
type ImportedAll = Imported & { imported: Imported[]; others: ReportRowAnswer[] }

const node = (id: string, inputs: Inputs = {}, more: object = {}) => {
  const name = id.replace(/_\d+$/, '')
  return { id, type: 'customNode', data: { id, name, label: name, inputs, ...more } }
}
const to = (id: string) => `{{${id}.data.instance}}`

/** A chat flow of an agent with these tools. */
const agentWith = (...tools: ReturnType<typeof node>[]) => ({
  nodes: [
    node('chatOpenAI_0'),
    ...tools,
    node('toolAgent_0', { model: to('chatOpenAI_0'), tools: tools.map(({ id }) => to(id)) }),
  ],
  edges: [],
})

/** An agent flow of a Start node and this step. */
const flowOf = (name: string, inputs: Inputs, startInputs: Inputs = {}) => ({
  nodes: [start(startInputs), step(`${name}_0`, inputs)],
  edges: steps(`startAgentflow_0 > ${name}_0`),
})

/** Without the notes on credentials that the key of the server stands in for. */
const withoutKeys = (rows: readonly ReportRowAnswer[]) => rows.filter(({ input }) => input !== 'credential')

async function check(exported: object): Promise<Checked> {
  const answer = await platform.manage<Checked>('POST', '/api/v1/flows/validate', { exported })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Imports, and compares with what a check of the same export says. */
async function take(exported: object): Promise<ImportedAll> {
  const before = await check(exported)
  const answer = await platform.manage<ImportedAll>('POST', '/api/v1/chatflows/import', exported)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(
    answer.body.imported.map(({ report: { runs, rows } }) => ({ runs, rows })),
    before.flows.map(({ runs, rows }) => ({ runs, rows })),
    'the import says what the check says',
  )
  return answer.body
}

const ask = (flow: string) =>
  platform.call<{ code?: string; message: string }>('POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'What is new?' },
  })

const openAIElsewhere = (basepath: string) => ({ openAIApiKey: 'k', basepath })
const chain = (model: Inputs) => ({
  nodes: [node('chatOpenAI_0', model), node('conversationChain_0', { model: to('chatOpenAI_0') })],
  edges: [],
})

/** What only a run finds, or a name server. */
const UNASKED = new Set([
  'code that does not parse',
  'a call without an address',
  'a model on the host of a container',
])

/** What is refused, at which input, with what to do, and whether it can run here at all. */
const REFUSALS: [
  what: string,
  exported: object,
  runs: string,
  place: string,
  says: RegExp,
  instead: RegExp,
][] = [
  [
    'an MCP server whose host is not allowed',
    agentWith(node('customMCP_0', { mcpServerConfig: '{"url": "https://mcp.example.com/mcp"}' })),
    'after',
    'customMCP_0 null',
    /may not call mcp\.example\.com: MCP_ALLOW does not list it/,
    /MCP_ALLOW=mcp\.example\.com/,
  ],
  [
    'a model at a private address',
    chain(openAIElsewhere('http://192.168.1.20:1234/v1')),
    'after',
    'chatOpenAI_0 basepath',
    /may not call 192\.168\.1\.20:1234: EGRESS_ALLOW does not list it/,
    /EGRESS_ALLOW=…,192\.168\.1\.20:1234/,
  ],
  [
    'a model on the host of a container',
    chain(openAIElsewhere('http://host.docker.internal:11434/v1')),
    'after',
    'chatOpenAI_0 basepath',
    /may not call host\.docker\.internal:11434/,
    /EGRESS_ALLOW=…,host\.docker\.internal:11434/,
  ],
  [
    'a private model within a step',
    flowOf('llmAgentflow', {
      llmModel: 'chatOpenAI',
      llmModelConfig: openAIElsewhere('http://10.0.0.9/v1'),
    }),
    'after',
    'llmAgentflow_0 llmModel.basepath',
    /may not call 10\.0\.0\.9:80/,
    /EGRESS_ALLOW=…,10\.0\.0\.9:80/,
  ],
  [
    'a call without an address',
    flowOf('httpAgentflow', { url: '' }),
    'after',
    'httpAgentflow_0 url',
    /The input URL of the node httpAgentflow_0 is not valid: it has no URL/,
    /null/,
  ],
  [
    'a start by webhook',
    flowOf('directReplyAgentflow', { directReplyMessage: 'Hi' }, { startInputType: 'webhookTrigger' }),
    'no',
    'startAgentflow_0 startInputType',
    /a start by webhook or schedule is not supported/,
    /POST \/api\/v1\/prediction\/:flowId/,
  ],
  [
    'an unfinished drawing',
    { nodes: [node('chatOpenAI_0'), node('conversationChain_0')], edges: [] },
    'after',
    'conversationChain_0 model',
    /nothing is plugged into/,
    /Correct the drawing/,
  ],
  [
    'an MCP server that is a command',
    agentWith(node('customMCP_0', { mcpServerConfig: '{"command": "npx", "args": ["-y", "x"]}' })),
    'no',
    'customMCP_0 mcpServerConfig',
    /commands are not supported/,
    /streamable HTTP/,
  ],
  [
    'an unknown node',
    agentWith(node('serpAPI_0', {}, { category: 'Tools' })),
    'no',
    'serpAPI_0 null',
    /uses the node serpAPI, which this server does not have/,
    /Use requestsGet, openAPIToolkit or customMCP/,
  ],
  [
    'code that does not parse',
    flowOf('customFunctionAgentflow', { customFunctionJavascriptFunction: 'return {' }),
    'after',
    'customFunctionAgentflow_0 customFunctionJavascriptFunction',
    /the code does not parse at line 2/,
    /null/,
  ],
  [
    'a module that code cannot have',
    flowOf('customFunctionAgentflow', { customFunctionJavascriptFunction: "const { Pool } = require('pg')" }),
    'no',
    'customFunctionAgentflow_0 customFunctionJavascriptFunction',
    /there is no module pg/,
    /Use fetch/,
  ],
  [
    'a tool whose schema is none',
    agentWith(
      node('requestsGet_0', {
        requestsGetUrl: 'https://a.example',
        requestsGetQueryParamsSchema: '{"name": 5}',
      }),
    ),
    'after',
    'requestsGet_0 requestsGetQueryParamsSchema',
    /expected \{"type": …\} for name/,
    /null/,
  ],
]

for (const [what, exported, runs, place, says, instead] of REFUSALS)
  test(`the report says before the first question that it is refused: ${what} [flow:report]`, async () => {
    const { flow, report } = await take(exported)
    assert.equal(report.runs, runs)
    assert.equal(report.supported, runs !== 'no')
    const row = report.rows.find(({ nodeId, input }) => `${nodeId} ${input}` === place)
    assert.ok(row, JSON.stringify(report.rows))
    assert.equal(row.severity, runs === 'no' ? 'unsupported' : 'needed')
    assert.match(row.what, says)
    assert.match(String(row.instead), instead)
    assert.equal(report.rows.filter(({ severity }) => ['unsupported', 'needed'].includes(severity)).length, 1)
    if (UNASKED.has(what)) return
    const asked = await ask(flow.id)
    assert.ok(asked.status === 422 || asked.status === 403 || asked.status === 400, asked.text)
  })

test('a cycle names each of its nodes, and only the upserts of a bad loader are refused [flow:report]', async () => {
  const rounds = [0, 1].map((n) =>
    node(`cohereRerankRetriever_${n}`, { baseRetriever: to(`cohereRerankRetriever_${1 - n}`) }),
  )
  const { runs, rows } = await check({ nodes: [...rounds, ...agentWith().nodes], edges: [] })
  assert.equal(runs, 'yes', 'the agent does without them')
  assert.deepEqual(
    rows.filter(({ severity }) => severity === 'dropped').map(({ nodeId }) => nodeId),
    ['cohereRerankRetriever_0', 'cohereRerankRetriever_1'],
  )
  const loads = await check({
    nodes: [
      node('github_0', {}, { category: 'Document Loaders' }),
      node('builtInEmbeddings_0'),
      node('builtInVectorStore_0', { document: [to('github_0')], embeddings: to('builtInEmbeddings_0') }),
      ...chain({}).nodes.slice(0, 1),
      node('conversationalRetrievalQAChain_0', {
        model: to('chatOpenAI_0'),
        vectorStoreRetriever: to('builtInVectorStore_0'),
      }),
    ],
    edges: [],
  })
  assert.equal(loads.runs, 'no')
  assert.match(loads.rows[0]!.what, /uses the node github, .* \(upserts are refused\)/)
})

test('variables that nobody has are named, and those of the export come with it [flow:report]', async () => {
  const prompt = {
    systemMessagePrompt: 'You are {{$vars.persona}} of {{nobody}}. {{question}} {{$flow.sessionId}}',
  }
  const drawing = {
    nodes: [node('chatOpenAI_0'), node('conversationChain_0', { model: to('chatOpenAI_0'), ...prompt })],
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
  const large = { nodes: Array.from({ length: 5000 }, (_, n) => node(`plainText_${n}`)), edges: [] }
  const twice = { nodes: [node('plainText_0'), node('plainText_0')], edges: [] }
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
    [['Good', 'yes']],
  )
  assert.deepEqual(
    others.map(({ node: name, severity, what }) => [name, severity, what]),
    [
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
      ['weather', 'dropped', 'The custom tool weather is not imported: this server has none'],
      ['papers', 'dropped', 'The document store papers is not imported: this server has none'],
      ['Helper', 'dropped', 'The assistant Helper is not imported: this server has none'],
      [null, 'dropped', '2 chat messages are not imported'],
    ],
  )
  assert.ok(others.slice(2, 5).every(({ instead }) => instead !== null))
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
  for (const exported of [{}, { nodes: 'x' }, { name: 'weather', func: '', schema: '' }]) {
    const answer = await platform.manage('POST', '/api/v1/flows/validate', { exported })
    assert.deepEqual([answer.status, (answer.body as { code: string }).code], [400, 'flow_invalid'])
  }
})
