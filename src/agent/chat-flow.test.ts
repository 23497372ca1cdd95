import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node } from '../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../test/support/scripted-model.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import { SluiceError } from '../kit/errors.ts'

const plug = (id: string) => `{{${id}.data.instance}}`

const past: PastMessage[] = [
  { role: 'userMessage', content: 'Who is Ada?' },
  { role: 'apiMessage', content: 'A mathematician.' },
]

const model = node('scripted_0', { script: 'model' })
const memory = (inputs = {}) => node('bufferMemory_0', inputs, 'Memory')

const toolAgent = (inputs = {}) => ({
  nodes: [
    model,
    node('props_0', {}),
    node('toolAgent_0', { model: plug('scripted_0'), tools: [plug('props_0')], ...inputs }),
  ],
})

const remembering = (inputs = {}, memoryInputs = {}) => {
  const drawing = toolAgent({ memory: plug('bufferMemory_0'), ...inputs })
  return { nodes: [...drawing.nodes, memory(memoryInputs)] }
}

const documents = (inputs = {}) => ({
  nodes: [
    model,
    node('builtInEmbeddings_0', {}),
    node('builtInVectorStore_0', { embeddings: plug('builtInEmbeddings_0'), document: [plug('huge_0')] }),
    node('conversationalRetrievalQAChain_0', {
      model: plug('scripted_0'),
      vectorStoreRetriever: plug('builtInVectorStore_0'),
      ...inputs,
    }),
  ],
})

test('a tool agent sends its instructions with variables replaced, its memory and the question [agent:date, agent:tools]', async () => {
  const model = scriptedModel('Born in 1815')
  const { ask } = agentRuntime({ models: { model }, past })
  const { text, memoryType, sessionId } = await ask(
    remembering({ systemMessage: 'Now: {{  current_date_time }}. Write {"a": {b}} and {{nobody}}.' }),
    { question: 'When?', history: [{ role: 'userMessage', content: 'Hello' }] },
  )
  assert.deepEqual([text, memoryType, sessionId], ['Born in 1815', 'Buffer Memory', 'chat-1'])
  assert.deepEqual(model.requests[0]!.messages, [
    { role: 'system', content: 'Now: 2026-07-24T10:00:00.000Z. Write {"a": {b}} and {{nobody}}.' },
    { role: 'user', content: 'Hello' },
    { role: 'user', content: 'Who is Ada?' },
    { role: 'assistant', content: 'A mathematician.' },
    { role: 'user', content: 'When?' },
  ])
})

test('a tool agent without a memory sends only the history of the request', async () => {
  const model = scriptedModel('ok')
  const { ask } = agentRuntime({ models: { model }, past })
  assert.equal((await ask(toolAgent())).memoryType, undefined)
  assert.equal(model.requests[0]!.messages.length, 2)
})

test('a tool agent emits its tools and documents after the last token', async () => {
  const look = {
    name: 'look',
    description: 'Looks',
    parameters: { type: 'object' },
    call: async () => ({ output: 'seen', documents: [{ pageContent: 'page', metadata: {} }] }),
  }
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Seen')
  const { ask } = agentRuntime({ models: { model }, tools: [look] })
  const { names, usedTools, sourceDocuments, usage } = await ask(toolAgent())
  assert.deepEqual(names, ['calledTools', 'toolResult', 'token', 'sourceDocuments', 'usedTools'])
  assert.deepEqual(
    usedTools?.map(({ trace: _, ...used }) => used),
    [{ tool: 'look', toolInput: {}, toolOutput: 'seen' }],
  )
  assert.deepEqual(sourceDocuments, [{ pageContent: 'page', metadata: {} }])
  assert.deepEqual(usage, { inputTokens: 2, outputTokens: 2 })
})

test('a tool agent uses the limit of its node', async () => {
  const model = scriptedModel({ calls: [{ name: 'gone', input: {} }] })
  const { text } = await agentRuntime({ models: { model } }).ask(toolAgent({ maxIterations: '1' }))
  assert.equal(text, 'Agent stopped due to max iterations.')
})

for (const [name, asked, memoryInputs, sessionId] of [
  ['the request', { sessionId: 'asked' }, { sessionId: 'drawn' }, 'asked'],
  ['the memory', {}, { sessionId: 'drawn' }, 'drawn'],
  ['the chat', {}, {}, 'chat-1'],
] as const)
  test(`the session comes from ${name}`, async () => {
    const { ask } = agentRuntime({ models: { model: scriptedModel('ok') } })
    assert.equal((await ask(remembering({}, memoryInputs), asked)).sessionId, sessionId)
  })

test('a retrieval chain answers a first question from the documents that it finds', async () => {
  const model = scriptedModel('42')
  const queries: string[] = []
  const { ask } = agentRuntime({
    models: { model },
    async retrieve(_, query) {
      queries.push(query)
      return ['one', '{question} {{question}}'].map((pageContent) => ({ pageContent, metadata: {} }))
    },
  })
  const { text, names, sourceDocuments } = await ask(
    documents({ returnSourceDocuments: true, responsePrompt: 'Use:\n{context}\n{{question}}' }),
    { question: 'How many? {context}' },
  )
  assert.deepEqual([text, queries], ['42', ['How many? {context}']])
  assert.deepEqual(model.requests[0]!.messages, [
    {
      role: 'system',
      content: "Use:\n<doc id='0'>one</doc>\n<doc id='1'>{question} {{question}}</doc>\nHow many? {context}",
    },
    { role: 'user', content: 'How many? {context}' },
  ])
  assert.deepEqual(names, ['token', 'sourceDocuments'])
  assert.equal(sourceDocuments?.length, 2)
})

test('a retrieval chain lets the model rephrase a follow-up question, without an event for the client', async () => {
  const model = scriptedModel('When was Ada born?', 'In 1815')
  const queries: string[] = []
  const { ask } = agentRuntime({
    models: { model },
    past,
    async retrieve(_, query) {
      queries.push(query)
      return []
    },
  })
  const { tokens, sourceDocuments, memoryType } = await ask(
    documents({ rephrasePrompt: '{chat_history}\n{question}' }),
    { question: 'When born?' },
  )
  assert.equal(
    model.requests[0]!.messages[0]!.content,
    'Human: Who is Ada?\nAssistant: A mathematician.\nWhen born?',
  )
  assert.deepEqual([tokens, queries], ['In 1815', ['When was Ada born?']])
  assert.deepEqual([sourceDocuments, memoryType], [undefined, undefined])
  assert.equal(model.requests[1]!.messages.at(-1)!.content, 'When born?')
})

test('a retrieval chain without a model that rewrites searches with the questions before [query:history]', async () => {
  const model = scriptedModel('In 1815')
  const searches: unknown[] = []
  const { ask } = agentRuntime({
    models: { model },
    past,
    async retrieve(_, query, narrowing) {
      searches.push([query, narrowing])
      return []
    },
  })
  await ask(documents({ rewriteQuestion: false }), { question: 'When born?' })
  assert.deepEqual(searches, [['When born?', { chatId: 'chat-1', history: ['Who is Ada?'] }]])
  assert.equal(model.requests.length, 1)
})

test('a conversation chain sends its memory', async () => {
  const model = scriptedModel('Hello')
  const { ask } = agentRuntime({ models: { model }, past })
  const nodes = [
    node('scripted_0', {}),
    memory(),
    node('conversationChain_0', {
      model: plug('scripted_0'),
      memory: plug('bufferMemory_0'),
      systemMessagePrompt: 'Be kind',
    }),
  ]
  assert.equal((await ask({ nodes })).text, 'Hello')
  assert.deepEqual(
    model.requests[0]!.messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  )
})

test('files come before the question, and pictures that the model does not take are named in a warning', async () => {
  const model = scriptedModel('ok')
  const { ask } = agentRuntime({ models: { model } })
  const { warnings } = await ask(toolAgent({ systemMessage: '{{file_attachment}}|{{question}}' }), {
    uploads: [
      { type: 'text', name: 'a.txt', mime: 'text/plain', data: 'A' },
      { type: 'image', name: 'p.png', mime: 'image/png', data: 'data:image/png;base64,AA==' },
    ],
  })
  assert.deepEqual(
    model.requests[0]!.messages.map(({ content }) => content),
    [`<doc name='a.txt'>A</doc>|What is new?`, `<doc name='a.txt'>A</doc>\n\nWhat is new?`],
  )
  assert.deepEqual(
    warnings.map(({ key }) => key),
    ['uploads'],
  )
})

test('overrides and variables pass the gate of the flow', async () => {
  const model = scriptedModel('ok')
  const { ask } = agentRuntime({
    models: { model },
    variables: [
      { name: 'city', type: 'static', value: 'Oslo' },
      { name: 'key', type: 'static', value: 'secret' },
    ],
  })
  const gate = {
    overrideConfig: {
      status: true,
      nodes: { toolAgent_0: [{ name: 'systemMessage', enabled: true }] },
      variables: [{ name: 'city', enabled: true }],
    },
  }
  const overrides = {
    vars: { city: 'Rome', key: 'x' },
    maxIterations: 3,
    systemMessage: '{{$flow.sessionId}}',
  }
  const { warnings } = await ask(
    toolAgent({ systemMessage: '{{$vars.city}} {{$vars.key}}' }),
    { overrides },
    gate,
  )
  assert.equal(model.requests[0]!.messages[0]!.content, 'chat-1')
  assert.deepEqual(warnings.map(({ key }) => key).sort(), ['maxIterations', 'vars.key'])
})

// Mistakes in a flow or a request, and the error for each.
for (const [name, drawing, asked, code, words] of [
  [
    'only a vector store',
    { nodes: documents().nodes.slice(1, 3) },
    {},
    'flow_cannot_answer',
    /no agent and no chain/,
  ],
  ['nothing', { nodes: [] }, {}, 'flow_cannot_answer', /no agent/],
  ['an unknown agent', { nodes: [node('csvAgent_0', {}, 'Agents')] }, {}, 'node_unknown', /csvAgent/],
  [
    'an unknown moderation node',
    { nodes: [...toolAgent({ inputModeration: [plug('moderation_0')] }).nodes, node('moderation_0')] },
    {},
    'node_unknown',
    /moderation/,
  ],
  ['no model', toolAgent({ model: '' }), {}, 'flow_invalid', /Chat Model of toolAgent_0/],
  ['no question', toolAgent(), { question: '' }, 'question_missing', /question/],
  [
    'two answering nodes',
    { nodes: [...toolAgent().nodes, node('toolAgent_1', { model: plug('scripted_0') })] },
    {},
    'flow_cannot_answer',
    /several/,
  ],
] as const)
  test(`prepare() refuses a chat flow with ${name}`, async () => {
    const { ask } = agentRuntime({ models: { model: scriptedModel() } })
    await assert.rejects(ask(drawing, asked), (error: unknown) => {
      assert.ok(error instanceof SluiceError, String(error))
      assert.equal(error.code, code)
      assert.match(error.message, words)
      if (name === 'only a vector store') assert.match(error.facts.hint!, /vector\/query/)
      return true
    })
  })

for (const [name, streaming, expected] of [
  ['on', true, true],
  ['on, as text', 'true', true],
  ['off', false, false],
  ['empty in an old flow', '', false],
  ['absent', undefined, true],
] as const)
  test(`streams() is ${expected} if the streaming input of the model is ${name}`, () => {
    const { predictor } = agentRuntime({})
    const nodes = [
      node('chatOpenAI_0', streaming === undefined ? {} : { streaming }),
      node('toolAgent_0', { model: plug('chatOpenAI_0') }),
    ]
    const flow = { id: 'f', flowData: JSON.stringify({ nodes }), apiConfig: {} }
    assert.equal(predictor.streams(flow), expected)
  })

test('streams() is false for a flow that cannot answer', () => {
  const { predictor } = agentRuntime({})
  assert.equal(predictor.streams({ id: 'f', flowData: '{"nodes": []}', apiConfig: {} }), false)
})

test('code of a tool reads the run that it is called in', async () => {
  const places: unknown[] = []
  const look = {
    name: 'look',
    description: '',
    parameters: { type: 'object' },
    async call(_input: object, _signal: AbortSignal, place: unknown) {
      places.push(place)
      return { output: '' }
    },
  }
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'ok')
  const variables = [{ name: 'city', type: 'static', value: 'Oslo' } as const]
  await agentRuntime({ models: { model }, tools: [look], variables }).ask(toolAgent(), { messageId: 'm' })
  const ids = {
    chatflowid: 'flow-1',
    chatflowId: 'flow-1',
    chatId: 'chat-1',
    sessionId: 'chat-1',
    apiMessageId: 'm',
  }
  const [{ flow, variables: seen }] = places as [{ flow: object; variables: object }]
  assert.deepEqual({ flow, seen }, { flow: { ...ids, input: 'What is new?' }, seen: { city: 'Oslo' } })
})

test('a tool agent asks for approval before a change, if its node requires it', async () => {
  const done: unknown[] = []
  const remove = {
    name: 'remove',
    description: '',
    parameters: { type: 'object' },
    unsafe: true,
    async call(input: object) {
      done.push(input)
      return { output: 'removed' }
    },
  }
  const model = scriptedModel({ calls: [{ name: 'remove', input: { id: 1 } }] }, 'Removed')
  const { ask } = agentRuntime({ models: { model }, tools: [remove] })
  const drawing = toolAgent({ asksBeforeChanges: true })
  const first = await ask(drawing)
  assert.match(first.text, /the tool remove/)
  assert.equal(first.action?.data.nodeId, 'toolAgent_0')
  assert.deepEqual([first.names.at(-1), done], ['action', []])

  const humanInput = { type: 'proceed', startNodeId: 'toolAgent_0' } as const
  const second = await ask(drawing, { question: '', humanInput })
  assert.deepEqual([second.text, done], ['Removed', [{ id: 1 }]])
  await assert.rejects(ask(drawing, { humanInput }), { code: 'nothing_waits' })
})
