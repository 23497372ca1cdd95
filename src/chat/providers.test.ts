import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type ChatFault, type Scene, startChatServer } from '../../test/support/chat-server.ts'
import { signatureOf } from '../../test/support/chat/anthropic.ts'
import { thoughtSignatureOf } from '../../test/support/chat/google.ts'
import { until } from '../../test/support/until.ts'
import type { ChatModel, ModelEvent, ModelMessage, ModelRequest, ToolCall } from '../contract/chat-model.ts'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import type { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import { anthropicChatModel } from './anthropic.ts'
import { googleChatModel } from './google.ts'
import { ollamaChatModel } from './ollama.ts'
import { openAIChatModel } from './openai.ts'
import { compatibleChatModel } from './openai-compatible.ts'

const KEY = 'hidden-key-of-the-tests'
const server = await startChatServer()
const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
after(() => egress.close().then(server.close))

const shared = {
  egress,
  model: 'a-model',
  streaming: true,
  images: true,
  sampling: { temperature: 0.5, maxOutputTokens: 99 },
  retry: { baseMs: 1 },
  apiKey: async () => KEY,
  headers: {},
  responses: false,
}
type Changes = { timeoutMs?: number; images?: boolean }
const MAKERS: Record<string, (changes?: Changes) => ChatModel> = {
  OpenAI: (changes) => openAIChatModel({ ...shared, baseURL: `${server.url}/v1`, ...changes }),
  'OpenAI’s responses': (changes) =>
    openAIChatModel({ ...shared, baseURL: `${server.url}/v1`, responses: true, ...changes }),
  'a compatible server': (changes) =>
    compatibleChatModel({ ...shared, baseURL: `${server.url}/v1`, ...changes }),
  Ollama: (changes) =>
    ollamaChatModel({
      ...shared,
      baseURL: server.url,
      options: { temperature: 0.5, num_predict: 99 },
      think: true,
      keepAlive: '5m',
      json: false,
      ...changes,
    }),
  Anthropic: (changes) => anthropicChatModel({ ...shared, baseURL: `${server.url}/v1`, ...changes }),
  Google: (changes) => googleChatModel({ ...shared, baseURL: `${server.url}/v1beta`, ...changes }),
}

const HELLO: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello?' },
  ],
}
const tools = [
  {
    name: 'get_events',
    description: 'Read events',
    parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
]
const { signal } = new AbortController()

async function say(
  model: ChatModel,
  scenes: Scene[],
  request = HELLO,
  ended = signal,
): Promise<ModelEvent[]> {
  server.script(...scenes)
  const events: ModelEvent[] = []
  for await (const event of model.stream(request, ended)) events.push(event)
  assert.deepEqual(server.violations, [])
  return events
}
const sent = (): JsonObject => server.calls.at(-1)!.body

for (const [name, make] of Object.entries(MAKERS)) {
  test(`${name}: stream() yields text part by part and ends with the reason and the usage`, async () => {
    const events = await say(make(), [{ text: ['Hello', ', ', 'you.'] }])
    assert.deepEqual(
      events.slice(0, -1),
      ['Hello', ', ', 'you.'].map((text) => ({ type: 'text', text })),
    )
    const { usage, ...end } = events.at(-1) as Extract<ModelEvent, { type: 'end' }>
    assert.deepEqual(end, { type: 'end', reason: 'stop' })
    assert.deepEqual([usage.inputTokens > 0, usage.outputTokens], [true, 3])
    assert.match(JSON.stringify(sent()), /Be brief\..*Hello\?|Hello\?.*Be brief\./)
  })

  test(`${name}: stream() reports a limit and whole calls, and sends their results back`, async () => {
    const model = make()
    assert.partialDeepStrictEqual((await say(model, [{ text: 'Hel', reason: 'length' }])).at(-1), {
      reason: 'length',
    })
    const calls = [
      { name: 'get_events', input: { id: 1 } },
      { name: 'get_events', input: { id: 2, note: 'a "b" …' } },
    ]
    const events = await say(model, [{ text: 'Let me see.', calls }], { ...HELLO, tools })
    const made = events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []))
    assert.deepEqual(
      made.map(({ input }) => JSON.parse(input)),
      calls.map(({ input }) => input),
    )
    assert.notEqual(made[0]!.id, made[1]!.id)
    assert.partialDeepStrictEqual(events.at(-1), { type: 'end', reason: 'toolCalls' })
    assert.match(JSON.stringify(sent()), /"integer"/i)

    const messages: ModelMessage[] = [
      ...HELLO.messages,
      { role: 'assistant', content: 'Let me see.', toolCalls: made },
      ...made.map(({ id, name }, index) => ({
        role: 'tool' as const,
        callId: id,
        name,
        content: `answer ${index}`,
      })),
    ]
    const answer = await say(model, [{ text: 'Two events.' }], { messages, tools })
    assert.equal(answer.map((event) => (event.type === 'text' ? event.text : '')).join(''), 'Two events.')
    assert.match(JSON.stringify(sent()), /a \\+"b\\+" ….*answer 0.*answer 1/)
  })

  test(`${name}: stream() retries before the first event, and throws its own error after it`, async () => {
    const model = make()
    const busy: ChatFault = { status: 429, headers: { 'retry-after': '0' } }
    const events = await say(model, [busy, 'cut', { text: 'Here.' }])
    assert.deepEqual(events[0], { type: 'text', text: 'Here.' })
    const calls = server.calls.length
    await assert.rejects(say(model, [{ cutAfter: 'One two three' }]), (error: SluiceError) => {
      assert.equal(error.code, 'provider_failed')
      assert.match(error.message, /the connection was cut/)
      return true
    })
    assert.equal(server.calls.length - calls, 1)
    await assert.rejects(say(model, [{ status: 500 }, { status: 500 }, { status: 500 }]), {
      code: 'provider_failed',
      message: /it answered 500/,
    })
    assert.equal(server.left(), 0)
  })

  test(`${name}: stream() shows neither the key nor the conversation in the error of a refused call`, async () => {
    const body = JSON.stringify({
      error: { message: `no key ${KEY} for "Hello? Are you there at all"`, type: 'x' },
    })
    const request: ModelRequest = { messages: [{ role: 'user', content: 'Hello? Are you there at all' }] }
    await assert.rejects(say(make(), [{ status: 401, body }], request), (error: SluiceError) => {
      assert.equal(error.code, 'provider_failed')
      assert.match(error.message, /it answered 401: no key … for "…"/)
      assert.match(String(error.facts.hint), /key/)
      return true
    })
  })

  test(`${name}: stream() waits for its timeout, and ends with its signal or its consumer`, async () => {
    await assert.rejects(say(make({ timeoutMs: 60 }), ['silence']), { code: 'provider_timeout' })
    await assert.rejects(say(make({ timeoutMs: 60 }), [{ silentAfter: 'One two' }]), {
      code: 'provider_timeout',
    })
    const stop = new AbortController()
    const calls = server.calls.length
    const waiting = assert.rejects(say(make(), ['silence'], HELLO, stop.signal), { code: 'cancelled' })
    await until(() => server.calls.length > calls, 'the call')
    stop.abort()
    await waiting
    server.script({ silentAfter: 'One two' })
    for await (const event of make().stream(HELLO, signal)) {
      assert.equal(event.type, 'text')
      break
    }
    await until(() => server.calls.at(-1)!.aborted, 'the end of the call')
  })

  test(`${name}: stream() sends a picture if the model takes pictures, and the schema of the answer`, async () => {
    const data = Buffer.from('a picture').toString('base64')
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', url: `data:image/png;base64,${data}` },
        ],
      },
    ]
    await say(make(), [{ text: 'A cat.' }], { messages })
    assert.ok(JSON.stringify(sent()).includes(data))
    await say(make({ images: false }), [{ text: 'I cannot see.' }], { messages })
    assert.ok(!JSON.stringify(sent()).includes(data))
    const schema = {
      type: 'object',
      properties: { animal: { type: 'string' } },
      required: ['animal'],
      additionalProperties: false,
    }
    await say(make(), [{ text: '{"animal":"cat"}' }], {
      ...HELLO,
      answerSchema: { name: 'sighting', schema },
    })
    assert.match(JSON.stringify(sent()), /"animal"/)
  })
}

const lookUp = async (model: ChatModel): Promise<ToolCall> => {
  const turn = { thinking: ['I should ', 'look.'], calls: [{ name: 'get_events', input: { id: 1 } }] }
  const events = await say(model, [turn], { ...HELLO, tools })
  const thinking = events.flatMap((event) => (event.type === 'thinking' ? [event.text] : []))
  assert.equal(thinking.join(''), 'I should look.')
  return events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []))[0]!
}
const answerTo = (call: ToolCall): ModelRequest => ({
  messages: [
    ...HELLO.messages,
    { role: 'assistant', content: '', toolCalls: [JSON.parse(JSON.stringify(call)) as ToolCall] },
    { role: 'tool', callId: call.id, name: call.name, content: 'nothing', failed: true },
  ],
  tools,
})

/** What a provider gets back with a call after the call has been stored as JSON. */
const REMEMBERED: Record<string, (count: number) => RegExp> = {
  'a compatible server': () => /"reasoning_content":"I should look\."/,
  Ollama: () => /"thinking":"I should look\.".*"tool_name":"get_events"/,
  Anthropic: (count) =>
    new RegExp(
      `"type":"thinking","thinking":"I should look\\.","signature":"${signatureOf(count)}".*"is_error":true`,
    ),
  Google: (count) => new RegExp(`"thoughtSignature":"${thoughtSignatureOf(count)}"`),
}
for (const [name, pattern] of Object.entries(REMEMBERED)) {
  test(`${name}: stream() yields thoughts, and sends them back with the calls after them`, async () => {
    const model = MAKERS[name]!()
    const call = await lookUp(model)
    const count = server.calls.length
    await say(model, [{ text: 'None.' }], answerTo(call))
    assert.match(JSON.stringify(sent()), pattern(count))
  })
}

test('Ollama: stream() sends options, format and tool names in the fields of its API', async () => {
  await say(MAKERS.Ollama!(), [{ text: 'Hi.' }])
  const { options, keep_alive, think, stream } = sent()
  assert.deepEqual(
    [options, keep_alive, think, stream],
    [{ temperature: 0.5, num_predict: 99 }, '5m', true, true],
  )
})

test('stream() gives invalid JSON input to the caller and sends an empty object back to the provider', async () => {
  const model = MAKERS.OpenAI!()
  const events = await say(model, [{ calls: [{ name: 'get_events', input: '{"id": 1' }] }], {
    ...HELLO,
    tools,
  })
  const { call } = events[0] as Extract<ModelEvent, { type: 'toolCall' }>
  assert.equal(call.input, '{"id": 1')
  await say(model, [{ text: 'Sorry.' }], answerTo(call))
  assert.match(JSON.stringify(sent()), /"arguments":"\{\}"/)
})

test('stream() puts system messages first for a provider that requires it', async () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Hello?' },
    { role: 'system', content: 'Be brief.' },
  ]
  await say(MAKERS.Google!(), [{ text: 'Hi.' }], { messages })
  assert.partialDeepStrictEqual(sent(), { systemInstruction: { parts: [{ text: 'Be brief.' }] } })
  await say(MAKERS.OpenAI!(), [{ text: 'Hi.' }], { messages })
  assert.match(JSON.stringify(sent().messages), /"user".*"system"/)
})
