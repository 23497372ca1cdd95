import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentHouse, node, step, steps } from '../../../test/support/agent-house.ts'
import { scriptedModel } from '../../../test/support/scripted-model.ts'
import type { Tool } from '../../contract/tool.ts'
import { SluiceError } from '../../kit/errors.ts'

const mention = (name: string) => `<span data-type="mention" data-id="${name}">{{ ${name} }}</span>`

const start = (inputs = {}) => step('startAgentflow_0', { startState: '', ...inputs })

/** An agent with the model of a script. */
const agent = (number: number, inputs = {}, script = 'model') =>
  step(`agentAgentflow_${number}`, {
    agentModel: 'scripted',
    agentModelConfig: { script },
    agentMessages: '',
    agentTools: '',
    ...inputs,
  })

const llm = (number: number, inputs = {}, script = 'model') =>
  step(`llmAgentflow_${number}`, { llmModel: 'scripted', llmModelConfig: { script }, ...inputs })

const props = (only: string, asks: boolean | string = '') => ({
  agentSelectedTool: 'props',
  agentSelectedToolConfig: { only },
  agentSelectedToolRequiresHumanInput: asks,
})

const noted: unknown[] = []
const tools: Tool[] = ['list', 'remove'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object', properties: { id: { type: 'integer' } } },
  async call({ id = null }) {
    noted.push([name, id])
    return { output: `${name}: done`, documents: [{ pageContent: 'd', metadata: {} }] }
  },
}))

const oneAgent = (inputs = {}) => ({
  nodes: [start(), agent(0, inputs)],
  edges: steps('startAgentflow_0 > agentAgentflow_0'),
})

test('an agent flow answers, and tells what goes on in the order that clients know [agent:tools, agent:date]', async () => {
  const model = scriptedModel({ calls: [{ name: 'list', input: {} }] }, 'Nothing new')
  const { ask } = agentHouse({ models: { model }, tools, past: [{ role: 'userMessage', content: 'Hello' }] })
  const { text, tokens, names, usedTools, agentFlowExecutedData, sourceDocuments } = await ask(
    oneAgent({
      agentMessages: [{ role: 'system', content: `<p>Now: ${mention('current_date_time')}, be kind.</p>` }],
      agentTools: [props('list')],
    }),
  )
  assert.deepEqual([text, tokens], ['Nothing new', 'Nothing new'])
  assert.deepEqual(names, [
    'agentFlowEvent',
    'nextAgentFlow',
    'nextAgentFlow',
    'agentFlowExecutedData',
    'nextAgentFlow',
    'calledTools',
    'token',
    'token',
    'nextAgentFlow',
    'agentFlowExecutedData',
    'usedTools',
    'sourceDocuments',
    'usageMetadata',
    'agentFlowEvent',
  ])
  assert.deepEqual(model.requests[0]!.messages, [
    { role: 'system', content: 'Now: 2026-07-24T10:00:00.000Z, be kind.' },
    { role: 'user', content: 'Hello' },
    { role: 'user', content: 'What is new?' },
  ])
  assert.deepEqual(usedTools, [{ tool: 'list', toolInput: {}, toolOutput: 'list: done' }])
  assert.equal(sourceDocuments?.length, 1)
  assert.deepEqual(
    agentFlowExecutedData!.map(({ nodeId, previousNodeIds, status }) => [nodeId, previousNodeIds, status]),
    [
      ['startAgentflow_0', [], 'FINISHED'],
      ['agentAgentflow_0', ['startAgentflow_0'], 'FINISHED'],
    ],
  )
  const { output } = agentFlowExecutedData![1]!.data as { output: Record<string, unknown> }
  assert.partialDeepStrictEqual(output, {
    content: 'Nothing new',
    usedTools,
    usageMetadata: { input_tokens: 2, output_tokens: 2, total_tokens: 4 },
  })
})

test('nodes after a node read its output and the state, and only the last one’s words are let out', async () => {
  const first = scriptedModel('{"subject": "Hi", "n": 5}')
  const second = scriptedModel('Sent')
  const { ask } = agentHouse({ models: { first, second } })
  const output = [
    { key: 'subject', type: 'string', description: 'Subject' },
    { key: 'n', type: 'number' },
  ]
  const { text, tokens, agentFlowExecutedData } = await ask({
    nodes: [
      start({ startState: [{ key: 'city', value: 'Oslo' }] }),
      llm(
        0,
        { llmStructuredOutput: output, llmUpdateState: [{ key: 'n', value: '<p>{{ output.n }}!</p>' }] },
        'first',
      ),
      llm(
        1,
        {
          llmEnableMemory: false,
          llmUserMessage: `<p>${mention('llmAgentflow_0.output.subject')} {{$flow.state.city}} {{ $flow.state.n }} {{llmAgentflow_0}}</p>`,
        },
        'second',
      ),
    ],
    edges: steps('startAgentflow_0 > llmAgentflow_0', 'llmAgentflow_0 > llmAgentflow_1'),
  })
  assert.deepEqual([text, tokens], ['Sent', 'Sent'])
  assert.deepEqual(first.requests[0]!.answerSchema?.schema, {
    type: 'object',
    properties: { subject: { type: 'string', description: 'Subject' }, n: { type: 'number' } },
    required: ['subject', 'n'],
    additionalProperties: false,
  })
  assert.deepEqual(second.requests[0]!.messages, [
    { role: 'user', content: 'Hi Oslo 5! {"subject": "Hi", "n": 5}' },
  ])
  assert.deepEqual(agentFlowExecutedData!.at(-1)!.data.state, { city: 'Oslo', n: '5!' })
})

test('a user’s text that looks like a place or like rich text stays what it is', async () => {
  const model = scriptedModel('ok')
  const { ask } = agentHouse({
    models: { model },
    variables: [{ name: 'key', type: 'static', value: 'secret' }],
  })
  const question = '<p>{{$vars.key}} $& {{question}}</p>'
  await ask(oneAgent({ agentEnableMemory: false, agentUserMessage: '<p>Q: {{ question }}</p>' }), {
    question,
  })
  assert.deepEqual(model.requests[0]!.messages, [{ role: 'user', content: `Q: ${question}` }])
})

// Which way a condition goes, and that branches which meet run what is after them once.
for (const [city, reply] of [
  ['Oslo', 'north'],
  ['Rome', 'else'],
] as const)
  test(`a condition goes the way that holds: ${city} is ${reply}`, async () => {
    const { ask } = agentHouse({})
    const { text, agentFlowExecutedData } = await ask({
      nodes: [
        start({ startState: [{ key: 'city', value: city }] }),
        step('conditionAgentflow_0', {
          conditions: [
            { type: 'string', value1: '<p>{{ $flow.state.city }}</p>', operation: 'equal', value2: 'Oslo' },
          ],
        }),
        step('directReplyAgentflow_0', { directReplyMessage: '<p>north</p>' }),
        step('directReplyAgentflow_1', { directReplyMessage: 'else' }),
      ],
      edges: steps(
        'startAgentflow_0 > conditionAgentflow_0',
        'conditionAgentflow_0 0> directReplyAgentflow_0',
        'conditionAgentflow_0 1> directReplyAgentflow_1',
      ),
    })
    assert.equal(text, reply)
    assert.equal(agentFlowExecutedData!.length, 3)
  })

test('a node where branches meet runs once, after all of them', async () => {
  const { ask } = agentHouse({})
  const reply = (number: number, message: string) =>
    step(`directReplyAgentflow_${number}`, { directReplyMessage: message })
  const { text, agentFlowExecutedData } = await ask({
    nodes: [
      start(),
      reply(0, 'a'),
      reply(1, 'b'),
      reply(2, 'c'),
      reply(3, '{{directReplyAgentflow_0}}{{directReplyAgentflow_2}}'),
    ],
    edges: steps(
      'startAgentflow_0 > directReplyAgentflow_0',
      'startAgentflow_0 > directReplyAgentflow_1',
      'directReplyAgentflow_1 > directReplyAgentflow_2',
      'directReplyAgentflow_0 > directReplyAgentflow_3',
      'directReplyAgentflow_2 > directReplyAgentflow_3',
    ),
  })
  assert.equal(text, 'ac')
  assert.deepEqual(
    agentFlowExecutedData!.map(({ nodeId }) => nodeId.replace('directReplyAgentflow_', '')),
    ['startAgentflow_0', '0', '1', '2', '3'],
  )
  assert.deepEqual(agentFlowExecutedData!.at(-1)!.previousNodeIds, [
    'directReplyAgentflow_0',
    'directReplyAgentflow_2',
  ])
})

test('a loop goes back so many times and then says its last words', async () => {
  const { ask } = agentHouse({})
  const { text, agentFlowExecutedData } = await ask({
    nodes: [
      start(),
      step('directReplyAgentflow_0', { directReplyMessage: 'round {{loop_count}}' }),
      step('loopAgentflow_0', {
        loopBackToNode: 'directReplyAgentflow_0-Reply',
        maxLoopCount: 2,
        fallbackMessage: 'Enough after {{directReplyAgentflow_0}}',
      }),
    ],
    edges: steps('startAgentflow_0 > directReplyAgentflow_0', 'directReplyAgentflow_0 > loopAgentflow_0'),
  })
  assert.equal(text, 'Enough after round 2')
  assert.equal(agentFlowExecutedData!.length, 7)
})

test('a loop without an end is ended', async () => {
  const { ask } = agentHouse({})
  const endless = {
    nodes: [start(), step('loopAgentflow_0', { loopBackToNode: 'startAgentflow_0', maxLoopCount: 1000 })],
    edges: steps('startAgentflow_0 > loopAgentflow_0'),
  }
  await assert.rejects(ask(endless), { code: 'flow_cannot_answer', message: /more than 1000 nodes/ })
})

test('a run waits for a person before a call, and makes it once it is allowed', async () => {
  noted.length = 0
  const model = scriptedModel(
    { calls: ['list', 'remove', 'remove'].map((name, id) => ({ name, input: { id } })) },
    'Removed one',
  )
  const { ask, predictor, runs } = agentHouse({ models: { model }, tools })
  const drawing = oneAgent({ agentTools: [props('list'), props('remove', true)] })

  const first = await ask(drawing)
  assert.deepEqual(noted, [['list', 0]])
  assert.match(first.text, /the tool remove:[\s\S]*"id": 1/)
  assert.deepEqual(first.action?.mapping, { approve: 'Proceed', reject: 'Reject' })
  assert.deepEqual(first.action?.data, {
    nodeId: 'agentAgentflow_0',
    nodeLabel: 'agentAgentflow_0',
    input: { toolCalls: [{ tool: 'remove', toolInput: { id: 1 } }] },
  })
  assert.deepEqual(first.names.slice(-2), ['action', 'agentFlowEvent'])

  const reject = { type: 'reject', startNodeId: 'agentAgentflow_0', feedback: 'keep it' } as const
  const second = await ask(drawing, { humanInput: reject })
  assert.match(second.text, /"id": 2/)
  assert.deepEqual(noted, [['list', 0]])

  const proceed = { humanInput: { type: 'proceed' } } as const
  const third = await ask(drawing, proceed)
  assert.deepEqual(
    [third.text, noted],
    [
      'Removed one',
      [
        ['list', 0],
        ['remove', 2],
      ],
    ],
  )
  assert.deepEqual(
    third.usedTools!.map(({ tool, error }) => [tool, error]),
    [
      ['list', undefined],
      ['remove', 'The user did not allow this call. The user says: keep it'],
      ['remove', undefined],
    ],
  )
  assert.deepEqual(
    third.agentFlowExecutedData!.map(({ nodeId, status }) => [nodeId, status]),
    [
      ['startAgentflow_0', 'FINISHED'],
      ['agentAgentflow_0', 'FINISHED'],
    ],
  )
  assert.equal(runs.size, 0)
  await assert.rejects(ask(drawing, proceed), { code: 'nothing_waits' })
  const flow = { id: 'flow-1', flowData: JSON.stringify(drawing), apiConfig: {} }
  assert.equal(predictor.streams(flow), true)
})

test('an agent asks before every change where its node says so', async () => {
  const change: Tool = { ...tools[1]!, unsafe: true }
  const model = scriptedModel({
    calls: [
      { name: 'list', input: {} },
      { name: 'remove', input: {} },
    ],
  })
  const { ask } = agentHouse({ models: { model }, tools: [tools[0]!, change] })
  const { action, usedTools } = await ask(
    oneAgent({ agentTools: [props('list'), props('remove')], agentAskBeforeChanges: true }),
  )
  assert.deepEqual(action?.data.input, { toolCalls: [{ tool: 'remove', toolInput: {} }] })
  assert.equal(usedTools?.length, 1)
})

test('two people who decide at once let a call be made once', async () => {
  noted.length = 0
  const model = scriptedModel({ calls: [{ name: 'remove', input: { id: 1 } }] }, 'done')
  const { ask } = agentHouse({ models: { model }, tools })
  const drawing = oneAgent({ agentTools: [props('remove', true)] })
  await ask(drawing)
  const decided = await Promise.allSettled(
    [1, 2].map(() => ask(drawing, { humanInput: { type: 'proceed' } })),
  )
  assert.deepEqual(decided.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual(noted, [['remove', 1]])
})

for (const [type, reply] of [
  ['proceed', 'on: Proceed: fine'],
  ['reject', 'off: Reject: fine'],
] as const)
  test(`a Human Input node goes the way of a person who says ${type}`, async () => {
    const { ask } = agentHouse({})
    const drawing = {
      nodes: [
        start(),
        step('humanInputAgentflow_0', { humanInputDescription: '<p>Shall I, {{question}}</p>' }),
        step('directReplyAgentflow_0', { directReplyMessage: 'on: {{humanInputAgentflow_0}}' }),
        step('directReplyAgentflow_1', { directReplyMessage: 'off: {{humanInputAgentflow_0}}' }),
      ],
      edges: steps(
        'startAgentflow_0 > humanInputAgentflow_0',
        'humanInputAgentflow_0 0> directReplyAgentflow_0',
        'humanInputAgentflow_0 1> directReplyAgentflow_1',
      ),
    }
    const asked = await ask(drawing)
    assert.equal(asked.text, 'Shall I, What is new?')
    assert.equal(asked.agentFlowExecutedData!.at(-1)!.status, 'STOPPED')
    const humanInput = { type, feedback: 'fine' }
    assert.equal((await ask(drawing, { humanInput })).text, reply)
  })

test('a Condition Agent lets a model choose the way', async () => {
  const { ask } = agentHouse({ models: { model: scriptedModel('{"scenario": 1}') } })
  const { text } = await ask({
    nodes: [
      start(),
      step('conditionAgentAgentflow_0', {
        conditionAgentModel: 'scripted',
        conditionAgentScenarios: [{ scenario: 'weather' }, { scenario: 'news' }],
      }),
      step('directReplyAgentflow_0', { directReplyMessage: '{{conditionAgentAgentflow_0}}' }),
    ],
    edges: steps(
      'startAgentflow_0 > conditionAgentAgentflow_0',
      'conditionAgentAgentflow_0 1> directReplyAgentflow_0',
    ),
  })
  assert.equal(text, 'news')
})

test('a Tool node calls its tool with what the drawing says', async () => {
  noted.length = 0
  const { ask } = agentHouse({ tools })
  const { text, usedTools } = await ask(
    {
      nodes: [
        start({ startInputType: 'formInput' }),
        step('toolAgentflow_0', {
          toolAgentflowSelectedTool: 'props',
          toolAgentflowSelectedToolConfig: { only: 'list' },
          toolInputArgs: [{ inputArgName: 'id', inputArgValue: '<p>{{ $form.number }}</p>' }],
        }),
      ],
      edges: steps('startAgentflow_0 > toolAgentflow_0'),
    },
    { question: '', form: { number: '7' } },
  )
  assert.deepEqual([text, noted, usedTools?.length], ['list: done', [['list', 7]], 1])
})

test('an agent looks into knowledge, and says where an answer is from only where it is asked to', async () => {
  for (const returnSourceDocuments of [true, false]) {
    const model = scriptedModel({ calls: [{ name: 'our_rules', input: { input: 'rules' } }] }, 'ok')
    const { ask } = agentHouse({
      models: { model },
      retrieve: async (part, query) => [{ pageContent: `${part.store.namespace}: ${query}`, metadata: {} }],
    })
    const { usedTools, sourceDocuments } = await ask(
      oneAgent({
        agentKnowledgeVSEmbeddings: [
          {
            vectorStore: 'builtInVectorStore',
            vectorStoreConfig: { namespace: 'rules' },
            embeddingModel: 'builtInEmbeddings',
            embeddingModelConfig: {},
            knowledgeName: 'Our rules!',
            returnSourceDocuments,
          },
        ],
      }),
    )
    assert.equal(usedTools![0]!.toolOutput, 'rules: rules')
    assert.equal(sourceDocuments?.length, returnSourceDocuments ? 1 : undefined)
  }
})

for (const [type, inputs, contents] of [
  ['all messages', {}, ['11', '22', '33', '44', 'What is new?']],
  ['a window', { agentMemoryType: 'windowSize', agentMemoryWindowSize: 1 }, ['33', '44', 'What is new?']],
  [
    'what fits',
    { agentMemoryType: 'conversationSummaryBuffer', agentMemoryMaxTokenLimit: 1 },
    ['33', '44', 'What is new?'],
  ],
  ['nothing', { agentEnableMemory: false }, ['What is new?']],
] as const)
  test(`an agent remembers ${type}`, async () => {
    const past = ['11', '22', '33', '44'].map((content) => ({ role: 'userMessage', content }) as const)
    const model = scriptedModel('ok')
    await agentHouse({ models: { model }, past }).ask(oneAgent(inputs))
    assert.deepEqual(
      model.requests[0]!.messages.map(({ content }) => content),
      contents,
    )
  })

// What is wrong with a drawing or a request, said before anything is sent.
for (const [name, drawing, asked, code, words] of [
  ['no start', { nodes: [agent(0)], edges: [] }, {}, 'flow_cannot_answer', /no Start/],
  [
    'a node that is not in the box',
    {
      nodes: [start(), step('iterationAgentflow_0')],
      edges: steps('startAgentflow_0 > iterationAgentflow_0'),
    },
    {},
    'node_unknown',
    /iterationAgentflow/,
  ],
  [
    'a tool that is not in the box',
    oneAgent({ agentTools: [{ agentSelectedTool: 'gmail' }] }),
    {},
    'node_unknown',
    /gmail/,
  ],
  ['a model that is a tool', oneAgent({ agentModel: 'props' }), {}, 'flow_invalid', /Props/],
  ['no model', oneAgent({ agentModel: '' }), {}, 'input_invalid', /no model is chosen/],
  ['no question', oneAgent(), { question: ' ' }, 'question_missing', /question/],
  [
    'a decision that nobody waits for',
    oneAgent(),
    { humanInput: { type: 'proceed' } },
    'nothing_waits',
    /waits/,
  ],
  [
    'the store of a flow that is gone',
    oneAgent({ agentKnowledgeDocumentStores: [{ documentStore: 'gone:Papers' }] }),
    {},
    'flow_cannot_answer',
    /the flow gone,/,
  ],
  [
    'a loop to nowhere',
    {
      nodes: [start(), step('loopAgentflow_0', { loopBackToNode: 'gone_0-Gone' })],
      edges: steps('startAgentflow_0 > loopAgentflow_0'),
    },
    {},
    'flow_invalid',
    /gone_0/,
  ],
] as const)
  test(`prepare() refuses an agent flow with ${name}`, async () => {
    const { ask } = agentHouse({ models: { model: scriptedModel() } })
    await assert.rejects(ask(drawing, asked as object), (error: unknown) => {
      assert.ok(error instanceof SluiceError, String(error))
      assert.equal(error.code, code)
      assert.match(error.message, words)
      return true
    })
  })

test('prepare() passes over nodes that no run can come to, and over notes', async () => {
  const model = scriptedModel('ok')
  const drawing = oneAgent()
  drawing.nodes.push(step('iterationAgentflow_0'), { ...node('stickyNoteAgentflow_0'), type: 'stickyNote' })
  assert.equal((await agentHouse({ models: { model } }).ask(drawing)).text, 'ok')
})

test('prepare() takes the state that a request opens, and says what it does not', async () => {
  const { ask } = agentHouse({})
  const drawing = {
    nodes: [
      start({ startState: [{ key: 'city', value: 'Oslo' }] }),
      step('directReplyAgentflow_0', { directReplyMessage: '{{$flow.state.city}}' }),
    ],
    edges: steps('startAgentflow_0 > directReplyAgentflow_0'),
  }
  const overrides = { startState: { city: 'Rome' } }
  const open = {
    overrideConfig: { status: true, nodes: { startAgentflow_0: [{ name: 'startState', enabled: true }] } },
  }
  const closed = await ask(drawing, { overrides })
  assert.deepEqual([closed.text, closed.warnings.map(({ key }) => key)], ['Oslo', ['startState']])
  assert.equal((await ask(drawing, { overrides }, open)).text, 'Rome')
})

test('a run that is cancelled goes no further', async () => {
  const gone = new AbortController()
  gone.abort()
  const { ask } = agentHouse({ models: { model: scriptedModel('x') } })
  await assert.rejects(ask(oneAgent(), {}, {}, gone.signal), { code: 'cancelled' })
})
