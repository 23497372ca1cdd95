import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replicateChatModel, readReplicateModel } from '../../src/chat/replicate.ts'
import type { ChatModel, ModelEvent, ModelMessage } from '../../src/contract/chat-model.ts'
import type { Egress, EgressFetch } from '../../src/kit/egress/client.ts'
import type { Json, JsonObject } from '../../src/kit/json.ts'
import { builtPart } from '../support/built-part.ts'

const KEY = 'r8_0123456789abcdef0123456789'
const VERSIONED =
  'a16z-infra/llama13b-v2-chat:df7690f1994d94e96ad9d568eac121aecf50684a0b0963b25a41cc40061269e5'

type Asked = { method: string; address: string; headers: Headers; body: Json }

/** Replicate, as its description shows it: each call gets the next answer; the last one is repeated. */
function replicateServer(...answers: (JsonObject | Response)[]) {
  const asked: Asked[] = []
  const call: EgressFetch = async (input, init = {}) => {
    init.signal?.throwIfAborted()
    asked.push({
      method: init.method ?? 'GET',
      address: String(input),
      headers: new Headers(init.headers),
      body: init.body === undefined ? null : JSON.parse(String(init.body)),
    })
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!
    return answer instanceof Response ? answer.clone() : Response.json(answer, { status: 201 })
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
  return { asked, egress }
}

const prediction = (status: string, more: JsonObject = {}) => ({ id: 'p1', status, ...more })

const USER: ModelMessage[] = [{ role: 'user', content: 'Hello?' }]

async function said(model: ChatModel, messages = USER, signal = new AbortController().signal) {
  const events: ModelEvent[] = []
  for await (const event of model.stream({ messages }, signal)) events.push(event)
  return events
}

const modelOver = (egress: Egress, model = VERSIONED) =>
  replicateChatModel({
    egress,
    model: readReplicateModel(model)!,
    apiKey: async () => KEY,
    inputs: { temperature: 0.7 },
    lookMs: 1,
    retry: { attempts: 1 },
  })

test('replicate makes a prediction of its version and looks at it until it has ended', async () => {
  const { asked, egress } = replicateServer(
    prediction('starting'),
    prediction('processing'),
    prediction('succeeded', {
      output: ['An ', 'answer.'],
      metrics: { input_token_count: 5, output_token_count: 2 },
    }),
  )
  const inputs = {
    credential: 'c',
    model: VERSIONED,
    maxTokens: '50',
    topP: '0.5',
    repetitionPenalty: 1.2,
    additionalInputs: '{"seed": 3}',
  }
  const model = builtPart('chatModel', 'replicate', inputs, {
    egress,
    credential: async () => ({ replicateApiKey: KEY }),
  })
  assert.deepEqual(await said(model), [
    { type: 'text', text: 'An answer.' },
    { type: 'end', reason: 'stop', usage: { inputTokens: 5, outputTokens: 2 } },
  ])
  assert.deepEqual(
    asked.map(({ method, address }) => `${method} ${address}`),
    [
      'POST https://api.replicate.com/v1/predictions',
      'GET https://api.replicate.com/v1/predictions/p1',
      'GET https://api.replicate.com/v1/predictions/p1',
    ],
  )
  assert.equal(asked[0]!.headers.get('authorization'), `Bearer ${KEY}`)
  assert.equal(asked[0]!.headers.get('prefer'), 'wait')
  assert.deepEqual(asked[0]!.body, {
    version: VERSIONED.split(':')[1],
    input: {
      temperature: 0.7,
      max_length: 50,
      top_p: 0.5,
      repetition_penalty: 1.2,
      seed: 3,
      prompt: 'Hello?',
    },
  })
  assert.ok(!model.id.includes(KEY))
})

test('replicate asks a model without a version by its name, and names who said what in a conversation', async () => {
  const { asked, egress } = replicateServer(prediction('succeeded', { output: 'Yes.' }))
  await said(modelOver(egress, 'meta/meta-llama-3-8b-instruct'), [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello?' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'user', content: 'Again?' },
  ])
  const [{ address, body }] = asked as [Asked]
  assert.equal(address, 'https://api.replicate.com/v1/models/meta/meta-llama-3-8b-instruct/predictions')
  assert.deepEqual(body, {
    input: { temperature: 0.7, prompt: 'System: Be brief.\nHuman: Hello?\nAI: Hi.\nHuman: Again?\nAI:' },
  })
})

for (const [output, text] of [
  [['https://replicate.delivery/a.png'], 'https://replicate.delivery/a.png'],
  [
    ['https://replicate.delivery/a.png', 'https://replicate.delivery/b.png'],
    'https://replicate.delivery/a.png\nhttps://replicate.delivery/b.png',
  ],
  [{ score: 3 }, '{"score":3}'],
] as [Json, string][])
  test(`replicate answers ${JSON.stringify(output)} as text`, async () => {
    const { egress } = replicateServer(prediction('succeeded', { output }))
    assert.deepEqual((await said(modelOver(egress)))[0], { type: 'text', text })
  })

test('replicate says why a prediction failed, and what Replicate answers to a wrong key, without the key', async () => {
  const failed = replicateServer(prediction('failed', { error: `out of memory with ${KEY}` }))
  await assert.rejects(said(modelOver(failed.egress)), (error: Error & { code: string }) => {
    assert.equal(error.code, 'provider_failed')
    assert.match(error.message, /Replicate.*out of memory/)
    return !error.message.includes(KEY)
  })
  const canceled = replicateServer(prediction('canceled'))
  await assert.rejects(said(modelOver(canceled.egress)), /its prediction ended as canceled/)
  const refusal = Response.json(
    { title: 'Unauthenticated', detail: 'You did not pass a token' },
    { status: 401 },
  )
  await assert.rejects(said(modelOver(replicateServer(refusal).egress)), /it answered 401: You did not pass/)
})

test('replicate cancels a prediction that nobody waits for any more', async () => {
  const stop = new AbortController()
  const { asked, egress } = replicateServer(prediction('starting'), prediction('processing'))
  const running = said(modelOver(egress), USER, stop.signal)
  while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  await assert.rejects(running, { code: 'cancelled' })
  assert.equal(asked.at(-1)!.address, 'https://api.replicate.com/v1/predictions/p1/cancel')
})

test('replicate refuses a name that is none, and tools', async () => {
  for (const model of ['', 'llama', 'a/b/c', 'a/b:../..'])
    assert.throws(() => builtPart('chatModel', 'replicate', { model }), {
      code: 'input_invalid',
      message: /OWNER\/NAME/,
    })
  const { egress } = replicateServer(prediction('succeeded', { output: '' }))
  const tools = [{ name: 't', description: '', parameters: { type: 'object' } }]
  const model = modelOver(egress)
  assert.equal(model.callsTools, false)
  await assert.rejects(async () => {
    for await (const _ of model.stream({ messages: USER, tools }, new AbortController().signal)) break
  }, /Replicate.*call no tools/)
})
