import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node } from '../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../test/support/scripted-model.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import { SluiceError } from '../../kit/errors.ts'

const plug = (id: string) => `{{${id}.data.instance}}`
const model = node('scripted_0', { script: 'model' })
const past: PastMessage[] = [
  { role: 'userMessage', content: 'Who is Ada?' },
  { role: 'apiMessage', content: 'A mathematician.' },
]
const store = (number: number) => [
  node(`builtInEmbeddings_${number}`),
  node(`builtInVectorStore_${number}`, {
    embeddings: plug(`builtInEmbeddings_${number}`),
    namespace: `store-${number}`,
  }),
]

test('a conversationChain takes a chatPromptTemplate: its system message, the conversation, its last message', async () => {
  const scripted = scriptedModel('In 1815')
  const { ask } = agentRuntime({ models: { model: scripted }, past })
  const chain = (prompt: object) => ({
    nodes: [
      model,
      node('bufferMemory_0', {}, 'Memory'),
      node('chatPromptTemplate_0', {
        systemMessagePrompt: 'About {topic}',
        humanMessagePrompt: 'Q: {input}',
        ...prompt,
      }),
      node('conversationChain_0', {
        model: plug('scripted_0'),
        memory: plug('bufferMemory_0'),
        chatPromptTemplate: plug('chatPromptTemplate_0'),
        systemMessagePrompt: 'not this one',
      }),
    ],
  })
  await ask(chain({ promptValues: '{"topic": "people"}' }), { question: 'When?' })
  assert.deepEqual(scripted.requests[0]!.messages, [
    { role: 'system', content: 'About people' },
    { role: 'user', content: 'Who is Ada?' },
    { role: 'assistant', content: 'A mathematician.' },
    { role: 'user', content: 'Q: When?' },
  ])
  await assert.rejects(
    ask(chain({})),
    (error: unknown) => error instanceof SluiceError && /topic, input/.test(error.message),
  )
})

test('a retrievalQAChain answers each question for itself', async () => {
  const scripted = scriptedModel('42')
  const queries: [string, unknown][] = []
  const { ask } = agentRuntime({
    models: { model: scripted },
    past,
    async retrieve(_, query, { history }) {
      queries.push([query, history])
      return [{ pageContent: 'The answer is 42.', metadata: {} }]
    },
  })
  const { text, sourceDocuments } = await ask({
    nodes: [
      model,
      ...store(0),
      node('retrievalQAChain_0', {
        model: plug('scripted_0'),
        vectorStoreRetriever: plug('builtInVectorStore_0'),
      }),
    ],
  })
  assert.deepEqual([text, sourceDocuments, queries], ['42', undefined, [['What is new?', []]]])
  const [system, ...others] = scripted.requests[0]!.messages
  assert.match(String(system!.content), /The answer is 42\./)
  assert.deepEqual(others, [{ role: 'user', content: 'What is new?' }])
})

const retrievers = (inputs = {}) => ({
  nodes: [
    model,
    ...store(0),
    ...store(1),
    node('vectorStoreRetriever_0', {
      name: 'mst3k',
      description: 'A theme song',
      vectorStore: plug('builtInVectorStore_0'),
    }),
    node('vectorStoreRetriever_1', {
      name: 'aqua teen',
      description: 'Another',
      vectorStore: plug('builtInVectorStore_1'),
    }),
    node('multiRetrievalQAChain_0', {
      model: plug('scripted_0'),
      vectorStoreRetriever: [plug('vectorStoreRetriever_0'), plug('vectorStoreRetriever_1')],
      ...inputs,
    }),
  ],
})

test('a multiRetrievalQAChain lets the model search by name and description, and shows documents if it is to', async () => {
  const answers = [{ calls: [{ name: 'aqua_teen', input: { input: 'who sings' } }] }, 'Schoolly D']
  const searched: string[] = []
  const runtime = () => {
    const scripted = scriptedModel(...answers)
    return {
      scripted,
      ...agentRuntime({
        models: { model: scripted },
        async retrieve(part, query) {
          searched.push(`${part.store.namespace}: ${query}`)
          return [{ pageContent: 'By Schoolly D.', metadata: {} }]
        },
      }),
    }
  }
  const quiet = runtime()
  const first = await quiet.ask(retrievers())
  assert.deepEqual([first.text, first.sourceDocuments], ['Schoolly D', undefined])
  assert.deepEqual(
    quiet.scripted.requests[0]!.tools?.map(({ name, description }) => [name, description]),
    [
      ['mst3k', 'A theme song'],
      ['aqua_teen', 'Another'],
    ],
  )
  assert.deepEqual(searched, ['store-1: who sings'])
  const open = await runtime().ask(retrievers({ returnSourceDocuments: true }))
  assert.deepEqual(open.sourceDocuments, [{ pageContent: 'By Schoolly D.', metadata: {} }])
  await assert.rejects(
    quiet.ask(retrievers({ vectorStoreRetriever: '' })),
    (error: unknown) => error instanceof SluiceError && /nothing is plugged in/.test(error.message),
  )
})

test('a multiPromptChain answers with the prompt that the model chooses, or with none', async () => {
  const drawing = {
    nodes: [
      model,
      node('promptRetriever_0', {
        name: 'physics',
        description: 'Physics',
        systemMessage: 'You are a physicist.',
      }),
      node('promptRetriever_1', {
        name: 'math',
        description: 'Mathematics',
        systemMessage: 'Solve {input}.',
      }),
      node('multiPromptChain_0', {
        model: plug('scripted_0'),
        promptRetriever: [plug('promptRetriever_0'), plug('promptRetriever_1')],
      }),
    ],
  }
  for (const [choice, system] of [
    ['{"prompt": 1}', 'Solve 2 + 2.'],
    ['```json\n{"prompt": "physics"}\n```', 'You are a physicist.'],
    ['{"prompt": -1}', undefined],
    ['I do not know', undefined],
  ] as const) {
    const scripted = scriptedModel(choice, '4')
    const { text, tokens, usage } = await agentRuntime({ models: { model: scripted } }).ask(drawing, {
      question: '2 + 2',
    })
    assert.deepEqual([text, tokens, usage.inputTokens], ['4', '4', 2])
    assert.deepEqual(scripted.requests[1]!.messages, [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: '2 + 2' },
    ])
  }
})

test('what a search finds stands in a prompt: the query may be the answer of another chain', async () => {
  const scripted = scriptedModel('otters at night', 'They hold hands.')
  const searches: (string | number | undefined)[][] = []
  const { ask } = agentRuntime({
    models: { model: scripted },
    past,
    async retrieve({ store, retrieval }, query) {
      searches.push([store.namespace, retrieval.minScore, query])
      return ['Otters {hold} hands.', 'At night.'].map((pageContent) => ({ pageContent, metadata: {} }))
    },
  })
  const drawing = (query: string) => ({
    nodes: [
      model,
      ...store(0),
      node('promptTemplate_0', {
        template: '{chat_history} {question}',
        promptValues: '{"chat_history":"{{chat_history}}","question":"{{question}}"}',
      }),
      node('llmChain_0', { model: plug('scripted_0'), prompt: plug('promptTemplate_0') }),
      node('vectorStoreToDocument_0', { vectorStore: plug('builtInVectorStore_0'), query, minScore: '75' }),
      node('promptTemplate_1', {
        template: '{context}: {text}',
        promptValues: `{"context": "${plug('vectorStoreToDocument_0')}", "text": "{{question}}"}`,
      }),
      node('llmChain_1', { model: plug('scripted_0'), prompt: plug('promptTemplate_1') }),
    ],
  })
  const { text, spans } = await ask(drawing(plug('llmChain_0')), { question: 'And at night?' })
  assert.equal(text, 'They hold hands.')
  assert.deepEqual(searches, [['store-0', 0.75, 'otters at night']])
  assert.deepEqual(
    spans.map(({ kind }) => kind),
    ['model', 'search', 'model'],
  )
  assert.deepEqual(
    scripted.requests.map(({ messages }) => messages[0]!.content),
    [
      'Human: Who is Ada?\nAssistant: A mathematician. And at night?',
      'Otters {hold} hands.\nAt night.: And at night?',
    ],
  )
  const nobody = drawing('')
  nobody.nodes.splice(3, 2)
  const alone = agentRuntime({
    models: { model: scriptedModel('ok') },
    async retrieve(_, query) {
      searches.push([query])
      return []
    },
  })
  await alone.ask(nobody, { question: 'Who?' })
  assert.deepEqual(searches.at(-1), ['Who?'])
})
