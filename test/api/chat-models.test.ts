import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BuildContext } from '../../src/contract/card.ts'
import type { ChatModel, ModelEvent } from '../../src/contract/chat-model.ts'
import { readConfig } from '../../src/kit/config.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { CHAT_PROVIDERS } from '../../src/nodes/chat-models/chat-providers.ts'
import { builtPart } from '../support/built-part.ts'
import { startChatServer } from '../support/chat-server.ts'

const server = await startChatServer()
after(() => server.close())

const OWN = 'the-key-of-the-server'
const settings = readConfig({
  flags: {
    OPENAI_API_KEY: OWN,
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: OWN,
    GOOGLE_GENERATIVE_AI_API_KEY: OWN,
    OLLAMA_BASE_URL: server.url,
  },
  environment: {},
})
const held = async (): Promise<Record<string, string>> => ({
  openAIApiKey: 'sk-of-the-flow',
  anthropicApiKey: 'ant-of-the-flow',
  googleGenerativeAPIKey: 'goo-of-the-flow',
  ollamaApiKey: 'oll-of-the-flow',
})
const build = (name: string, inputs: JsonObject, services: Partial<BuildContext> = {}) =>
  builtPart('chatModel', name, inputs, { settings, credential: held, ...services })

async function say(model: ChatModel): Promise<ModelEvent[]> {
  server.script({ text: 'Hi.' })
  const events: ModelEvent[] = []
  const messages = [{ role: 'user' as const, content: 'Hello?' }]
  for await (const event of model.stream({ messages }, new AbortController().signal)) events.push(event)
  assert.deepEqual(server.violations, [])
  return events
}

/** Each card with inputs as flow files hold them, and what of them arrives at the provider. */
const CARDS: [name: string, inputs: JsonObject, header: [string, string], body: JsonObject][] = [
  [
    'chatOpenAI',
    {
      modelName: 'gpt-4o-mini',
      temperature: '0.2',
      maxTokens: '50',
      topP: '0.5',
      frequencyPenalty: '1',
      presencePenalty: '-1',
      stopSequence: 'END, STOP',
      baseOptions: { 'x-team': 'blue' },
    },
    ['authorization', 'Bearer sk-of-the-flow'],
    {
      model: 'gpt-4o-mini',
      temperature: 0.2,
      max_tokens: 50,
      top_p: 0.5,
      frequency_penalty: 1,
      presence_penalty: -1,
      stop: ['END', 'STOP'],
      stream: true,
      stream_options: { include_usage: true },
    },
  ],
  [
    'chatOpenAI',
    { modelName: 'gpt-5-mini', reasoning: true, reasoningEffort: 'low', maxTokens: 50 },
    ['authorization', 'Bearer sk-of-the-flow'],
    { model: 'gpt-5-mini', reasoning_effort: 'low', max_completion_tokens: 50 },
  ],
  [
    'chatOpenAI',
    {
      modelName: 'gpt-5-mini',
      useResponsesApi: true,
      reasoning: true,
      reasoningEffort: 'low',
      reasoningSummary: 'auto',
    },
    ['authorization', 'Bearer sk-of-the-flow'],
    { model: 'gpt-5-mini', reasoning: { effort: 'low', summary: 'auto' } },
  ],
  [
    'chatOpenAICustom',
    { modelName: 'local', basepath: `${server.url}/v1/`, temperature: 0 },
    ['authorization', 'Bearer sk-of-the-flow'],
    { model: 'local', temperature: 0, stream: true },
  ],
  [
    'chatOllama',
    {
      modelName: 'llama3.2',
      numCtx: '8192',
      topK: '5',
      think: true,
      jsonMode: true,
      keepAlive: '',
      stop: 'END',
    },
    ['authorization', 'Bearer oll-of-the-flow'],
    {
      model: 'llama3.2',
      options: { temperature: 0.9, num_ctx: 8192, top_k: 5, stop: ['END'] },
      think: true,
      format: 'json',
      keep_alive: '5m',
    },
  ],
  [
    'chatAnthropic',
    { baseUrl: `${server.url}/v1`, extendedThinking: true, budgetTokens: '2048', maxTokensToSample: '4096' },
    ['x-api-key', 'ant-of-the-flow'],
    { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 2048 }, stream: true },
  ],
  [
    'chatGoogleGenerativeAI',
    { baseUrl: `${server.url}/v1beta`, maxOutputTokens: 50, thinkingBudget: '100', topK: 3 },
    ['x-goog-api-key', 'goo-of-the-flow'],
    {
      generationConfig: {
        temperature: 0.9,
        maxOutputTokens: 50,
        topK: 3,
        thinkingConfig: { thinkingBudget: 100, includeThoughts: true },
      },
    },
  ],
]

test('each chat model of the catalog is held against what it sends', () => {
  // The rows of the table of providers are all held against their dialects in chat-providers.test.ts, Replicate in replicate.test.ts.
  const held = new Set([
    ...CARDS.map(([name]) => name),
    ...CHAT_PROVIDERS.map(({ node }) => node),
    'replicate',
  ])
  for (const { name, kind } of catalog.values())
    assert.ok(
      kind !== 'chatModel' || held.has(name),
      `${name} has no row in CARDS of test/api/chat-models.test.ts`,
    )
})

for (const [name, inputs, [header, value], body] of CARDS)
  test(`${name} sends its provider what its inputs set: ${Object.keys(inputs).join(', ')}`, async () => {
    const model = build(name, { ...inputs, credential: 'a-credential' })
    assert.deepEqual((await say(model))[0], { type: 'text', text: 'Hi.' })
    const call = server.calls.at(-1)!
    assert.equal(call.headers[header], value)
    if (inputs.baseOptions) assert.equal(call.headers['x-team'], 'blue')
    assert.partialDeepStrictEqual(call.body, body)
    assert.deepEqual([model.streaming, model.images], [true, false])
    assert.doesNotMatch(model.id, /of-the-flow/)
  })

test('a key that is typed in comes before that of the credential', async () => {
  await say(build('chatOpenAI', { openAIApiKey: 'sk-typed-in', credential: 'a-credential' }))
  assert.equal(server.calls.at(-1)!.headers.authorization, 'Bearer sk-typed-in')
})

test('the key of the server goes to the usual address of a provider, and to no address of a flow', async () => {
  await say(build('chatOpenAI', {}))
  assert.equal(server.calls.at(-1)!.headers.authorization, `Bearer ${OWN}`)
  await say(build('chatOpenAICustom', { modelName: 'local' }))
  assert.equal(server.calls.at(-1)!.headers.authorization, `Bearer ${OWN}`)
  const calls = server.calls.length
  for (const [name, inputs] of [
    ['chatOpenAI', { basepath: `${server.url}/v1/other` }],
    ['chatAnthropic', { baseUrl: `${server.url}/v1` }],
    ['chatGoogleGenerativeAI', { baseUrl: `${server.url}/v1beta` }],
  ] as const)
    await assert.rejects(say(build(name, inputs)), { code: 'credential_missing' })
  assert.equal(server.calls.length, calls)
})

test('a chat model without a name, or with an address that is none, is refused', () => {
  for (const [name, inputs, message] of [
    ['chatOpenAICustom', {}, /a model name is needed/],
    ['chatOllama', {}, /a model name is needed/],
    ['chatOpenAI', { basepath: 'nowhere' }, /must begin with http/],
    ['chatOpenAI', { temperature: 'hot' }, /expected a number/],
  ] as [string, JsonObject, RegExp][])
    assert.throws(() => build(name, inputs), { code: 'input_invalid', message })
})

test('bufferMemory and bufferWindowMemory say how far back they reach', () => {
  const memory = (name: string, inputs: JsonObject) => builtPart('memory', name, inputs)
  assert.deepEqual(memory('bufferMemory', { sessionId: '' }), { label: 'Buffer Memory' })
  assert.deepEqual(memory('bufferMemory', { sessionId: 's' }), { label: 'Buffer Memory', sessionId: 's' })
  assert.deepEqual(memory('bufferWindowMemory', { k: '3' }), { label: 'Buffer Window Memory', last: 6 })
})
