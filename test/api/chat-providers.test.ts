import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ChatModel, ModelEvent, ModelMessage, ModelRequest } from '../../src/contract/chat-model.ts'
import type { Egress, EgressFetch } from '../../src/kit/egress/client.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { CHAT_PROVIDERS, type ChatProvider } from '../../src/nodes/chat-models/chat-providers.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { builtPart } from '../support/built-part.ts'
import { AZURE, CHAT_DIALECTS, LOCAL, messagesIn, namesOf, speaking } from '../support/chat-dialects.ts'
import { type Scene, startChatServer } from '../support/chat-server.ts'

const server = await startChatServer()
after(() => server.close())

const KEY = 'key-0123456789-of-the-flow'
/** A way out to the scripted server in the place of every provider; it notes the addresses. */
const addresses: string[] = []
const call: EgressFetch = (input, init) => {
  addresses.push(String(input))
  return fetch(`${server.url}/v1/chat/completions`, init)
}
const egress: Egress = {
  fetch: call,
  limited: () => call,
  socket: () => assert.fail('no socket is needed'),
  forProvider: () => egress,
  forMcp: () => egress,
  checkPlace: () => {},
  close: async () => {},
}

/** A value of each input that a row may have, and what of it arrives. */
const INPUTS: Readonly<Record<string, [value: unknown, body: JsonObject]>> = {
  topP: ['0.5', { top_p: 0.5 }],
  topK: [7, { top_k: 7 }],
  frequencyPenalty: ['1', { frequency_penalty: 1 }],
  presencePenalty: ['-1', { presence_penalty: -1 }],
  stopSequence: ['END, STOP', { stop: ['END', 'STOP'] }],
  timeout: [60_000, {}],
  baseOptions: [{ 'x-team': 'blue' }, {}],
  reasoningEffort: ['low', { reasoning_effort: 'low' }],
  randomSeed: [3, { random_seed: 3 }],
  safeMode: [true, { safe_prompt: true }],
}

function build(row: ChatProvider, inputs: JsonObject = {}, services = {}): ChatModel {
  const names = namesOf(row)
  return builtPart(
    'chatModel',
    row.node,
    {
      [names.modelName]: 'a-model',
      ...(row.baseURL === undefined && !row.azure ? { [names.basepath]: LOCAL } : {}),
      credential: 'a-credential',
      ...inputs,
    },
    {
      egress,
      credential: async () => ({ [row.credential.key]: KEY, ...(row.azure ? AZURE : {}) }),
      ...services,
    },
  )
}

async function ask(model: ChatModel, scene: Scene, request: Partial<ModelRequest> = {}) {
  server.otherwise = scene
  const events: ModelEvent[] = []
  const messages: ModelMessage[] = [{ role: 'user', content: 'Hello?' }]
  for await (const event of model.stream({ messages, ...request }, new AbortController().signal))
    events.push(event)
  return events
}

const textOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
const thoughtsOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'thinking' ? [event.text] : [])).join('')

const tools = [
  { name: 'get_events', description: 'Lists events', parameters: { type: 'object', properties: {} } },
]

test('each row of the table of providers has its dialect here, and its node', () => {
  assert.deepEqual(CHAT_PROVIDERS.map(({ node }) => node).sort(), Object.keys(CHAT_DIALECTS).sort())
  for (const { node, label } of CHAT_PROVIDERS) assert.equal(catalog.get(node)!.label, label)
})

for (const row of CHAT_PROVIDERS) {
  const dialect = CHAT_DIALECTS[row.node]!
  const { node, provider, quirks = {} } = row

  test(`${node} sends ${provider} all that its inputs set, to its address, with the key of the credential`, async () => {
    const given = row.inputs.filter((name) => name !== 'maxTokens')
    const names: Readonly<Record<string, string>> = namesOf(row)
    const inputs = Object.fromEntries(
      given.map((name) => [names[name] ?? name, INPUTS[name]![0]]),
    ) as JsonObject
    const model = build(row, { ...inputs, temperature: '0.2', [namesOf(row).maxTokens]: '50' })
    addresses.length = 0
    const events = await ask(model, speaking(dialect, { text: 'Hi there.' }))
    assert.equal(textOf(events), 'Hi there.')
    assert.deepEqual(addresses, [dialect.url])
    const { headers, body } = server.calls.at(-1)!
    const { header = 'authorization' } = dialect
    assert.equal(headers[header], header === 'authorization' ? `Bearer ${KEY}` : KEY)
    if (header !== 'authorization') assert.equal(headers.authorization, undefined)
    assert.partialDeepStrictEqual(body, {
      model: 'a-model',
      stream: true,
      temperature: 0.2,
      [quirks.maxTokens ?? 'max_tokens']: 50,
      ...Object.assign({}, ...given.map((name) => INPUTS[name]![1])),
    })
    if (given.includes('baseOptions')) assert.equal(headers['x-team'], 'blue')
    assert.equal(
      events.some((event) => event.type === 'end' && event.usage.outputTokens > 0),
      true,
    )
    assert.ok(!model.id.includes(KEY))
  })

  if (quirks.noTools)
    test(`${node} says that its models call no tools, before it calls`, async () => {
      const calls = server.calls.length
      const model = build(row)
      assert.equal(model.callsTools, false)
      await assert.rejects(ask(model, { text: 'no' }, { tools }), (error: Error) =>
        new RegExp(`${provider}.*call no tools`).test(error.message),
      )
      assert.equal(server.calls.length, calls)
    })
  else
    test(`${node} lets ${provider} call a tool, and sends the result back as it takes it`, async () => {
      const model = build(row)
      const turn = { thinking: 'I should look.', calls: [{ name: 'get_events', input: {}, id: 'abcdefgh1' }] }
      const events = await ask(model, speaking(dialect, turn), { tools })
      const called = events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []))[0]!
      assert.deepEqual([called.name, called.id], ['get_events', 'abcdefgh1'])
      assert.equal(thoughtsOf(events), 'I should look.')
      const messages: ModelMessage[] = [
        { role: 'user', content: 'Which events?' },
        { role: 'assistant', content: '', toolCalls: [called] },
        { role: 'tool', callId: called.id, name: called.name, content: 'none' },
      ]
      const answered = await ask(model, speaking(dialect, { text: 'None.' }), { tools, messages })
      assert.equal(textOf(answered), 'None.')
      const [, assistant] = messagesIn(server.calls.at(-1)!.body)
      assert.deepEqual(
        [assistant!.reasoning_content, assistant!.reasoning],
        {
          kept: ['I should look.', undefined],
          reasoning: [undefined, 'I should look.'],
          dropped: [undefined, undefined],
        }[quirks.thoughts ?? 'kept'],
      )
    })

  test(`${node} asks ${provider} for an answer of a form`, async () => {
    const schema = {
      type: 'object',
      properties: { animal: { type: 'string' } },
      required: ['animal'],
      additionalProperties: false,
    }
    const events = await ask(build(row), speaking(dialect, { text: '{"animal":"cat"}' }), {
      answerSchema: { name: 'sighting', schema },
    })
    assert.equal(textOf(events), '{"animal":"cat"}')
    const { body } = server.calls.at(-1)!
    assert.equal(body.answer_schema, undefined)
    if (dialect.jsonObjects) {
      assert.deepEqual(body.response_format, { type: 'json_object' })
      assert.match(String(messagesIn(body).at(-1)!.content), /JSON.*"animal"/s)
    } else assert.partialDeepStrictEqual(body.response_format, { json_schema: { schema, strict: true } })
  })

  test(`${node} names ${provider} where it refuses the key, the model or the pace, or answers with a page`, async () => {
    const refuse = (status: number, message: string): Scene => ({
      status,
      headers: { 'retry-after-ms': '1' },
      body: JSON.stringify({ error: { message } }),
    })
    const html = '<html><body>Bad gateway</body></html>'
    const page = (status: number): Scene => ({ status, body: html, headers: { 'content-type': 'text/html' } })
    const cases: [scene: Scene, says: RegExp, hint: RegExp | undefined][] = [
      [refuse(401, `the key ${KEY} is not valid`), /it answered 401/, /Check the API key/],
      [refuse(404, 'no model a-model'), /it answered 404/, /name of the model/],
      [refuse(429, 'too fast'), /it answered 429/, /Wait/],
      [page(400), /it answered 400/, undefined],
      [page(200), /its answer is a web page/, /Check the base URL/],
    ]
    for (const [scene, says, hint] of cases)
      await assert.rejects(ask(build(row), scene), (error: Error & { facts?: { hint?: string } }) => {
        assert.ok(error.message.includes(provider), error.message)
        assert.match(error.message, says)
        if (hint) assert.match(String(error.facts?.hint), hint)
        assert.ok(!JSON.stringify([error.message, error.facts]).includes(KEY))
        return true
      })
  })

  test(`${node} needs a key for the address of ${provider} alone, and a model`, async () => {
    const calls = server.calls.length
    const keyless = { credential: async () => ({}) }
    if (row.baseURL === undefined && !row.azure) {
      const model = build(row, { credential: '' }, keyless)
      assert.equal(textOf(await ask(model, { text: 'Hi.' })), 'Hi.')
      assert.equal(server.calls.at(-1)!.headers.authorization, undefined)
      assert.throws(() => build(row, { [namesOf(row).basepath]: '' }), { code: 'input_invalid' })
    } else {
      await assert.rejects(ask(build(row, { credential: '' }, keyless), { text: 'no' }), {
        code: 'credential_missing',
      })
      assert.equal(server.calls.length, calls)
    }
  })
}

test('azureChatOpenAI does not call another host than Azure’s, and sends reasoning models what they take', async () => {
  const row = CHAT_PROVIDERS.find(({ azure }) => azure)!
  for (const [name, value] of [
    ['azureOpenAIApiInstanceName', 'evil.example/x'],
    ['azureOpenAIApiInstanceName', 'a@b'],
    ['azureOpenAIApiDeploymentName', '../../x'],
  ] as const)
    await assert.rejects(ask(build(row, { [name]: value }), { text: 'no' }), {
      code: 'credential_missing',
      message: new RegExp(name),
    })
  const model = build(row, { modelName: 'o4-mini', maxTokens: 50, temperature: 0.5, topP: 0.5 })
  await ask(model, { text: 'Hi.' })
  const { body } = server.calls.at(-1)!
  assert.deepEqual(
    [body.max_completion_tokens, body.max_tokens, body.temperature, body.top_p],
    [50, undefined, undefined, undefined],
  )
  addresses.length = 0
  await ask(build(row, { basepath: 'https://gateway.example/openai/deployments/' }), { text: 'Hi.' })
  assert.deepEqual(addresses, [
    'https://gateway.example/openai/deployments/our-deployment/chat/completions?api-version=2025-01-01',
  ])
})

/** A stream as a provider writes it. */
const stream = (...chunks: object[]): Scene => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join(''),
})
const piece = (content: string, more: object = {}) => ({
  id: 'x',
  model: 'sonar',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...more,
})
const last = { id: 'x', model: 'sonar', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

test('chatPerplexity lists the pages that an answer cites at its end, with titles where they come', async () => {
  const row = CHAT_PROVIDERS.find(({ node }) => node === 'chatPerplexity')!
  const citations = ['https://a.example', 'https://b.example']
  const bare = await ask(build(row), stream(piece('So it is [1][2].', { citations }), last))
  assert.equal(textOf(bare), 'So it is [1][2].\n\n[1] https://a.example\n[2] https://b.example')
  const search_results = [{ title: 'A\npage', url: 'https://a.example' }, { url: 'https://b.example' }]
  const titled = await ask(build(row), stream(piece('So [1].', { citations, search_results }), last))
  assert.equal(textOf(titled), 'So [1].\n\n[1] A page: https://a.example\n[2] https://b.example')
  const formed = await ask(build(row), stream(piece('{}', { citations }), last), {
    answerSchema: { name: 'a', schema: { type: 'object' } },
  })
  assert.equal(textOf(formed), '{}')
})

test('thoughts that a model writes into its answer are no answer', async () => {
  const row = CHAT_PROVIDERS.find(({ node }) => node === 'groqChat')!
  const said = async (...pieces: string[]) => {
    const events = await ask(build(row), stream(...pieces.map((text) => piece(text)), last))
    return [thoughtsOf(events), textOf(events)]
  }
  assert.deepEqual(await said('<th', 'ink>Let me', ' see.</thi', 'nk>\n\n', 'Four.'), [
    'Let me see.',
    'Four.',
  ])
  assert.deepEqual(await said('<think>Never ', 'ends </'), ['Never ends </', ''])
  assert.deepEqual(await said('A <think> tag', ' within.'), ['', 'A <think> tag within.'])
  assert.deepEqual(await said(' <thi'), ['', ' <thi'])
})
