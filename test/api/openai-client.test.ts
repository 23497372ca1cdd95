import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import OpenAI from 'openai'
import { conversationFlow, documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'

/** The official client of OpenAI, unmodified. */

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())

const makeFlow = async (name: string, row: object) =>
  (await platform.manage<{ id: string; slug: string }>('POST', '/api/v1/chatflows', { name, ...row })).body

const apiConfig = overridable('files')
const otters = await makeFlow('Otters', { flowData: documentFlow(model.url), apiConfig })
await platform.upload(otters.id, { 'otters.txt': 'Otters hold hands while they sleep.' })
const key = await platform.key({ scopes: ['predict'] })
const closed = await makeFlow('Closed', { flowData: conversationFlow(model.url), apikeyid: key.id })
const rateLimit = { status: true, limitMax: 1, limitDuration: 60, limitMsg: 'Slow down, please' }
await makeFlow('Limited', { flowData: conversationFlow(model.url), apiConfig: { rateLimit } })
await makeFlow('Empty', { flowData: { nodes: [], edges: [] } })

const clientOf = (apiKey: string) => new OpenAI({ baseURL: `${platform.url}/v1`, apiKey, maxRetries: 0 })
const client = clientOf('no key of this server')

const ask = (model: string, content: string) => ({ model, messages: [{ role: 'user' as const, content }] })

const failsWith = (status: number, code: string, type: string) => (error: unknown) => {
  assert.ok(error instanceof OpenAI.APIError, String(error))
  assert.deepEqual([error.status, error.code, error.type], [status, code, type])
  return true
}

test('openai asks a flow and gets its answer, what it used, and the sources as annotations [query:predict, predict:openai]', async () => {
  model.script({ text: 'They hold hands.' })
  const answer = await client.chat.completions.create(ask(otters.slug, 'How do otters sleep?'))
  const [choice] = answer.choices
  assert.equal(choice!.message.content, 'They hold hands.')
  assert.equal(choice!.finish_reason, 'stop')
  assert.deepEqual(choice!.message.annotations, [
    {
      type: 'url_citation',
      url_citation: { start_index: 0, end_index: 16, title: 'otters.txt', url: 'urn:source:otters.txt' },
    },
  ])
  assert.partialDeepStrictEqual(answer, {
    object: 'chat.completion',
    model: otters.slug,
    sourceDocuments: [{ pageContent: 'Otters hold hands while they sleep.' }],
  })
  const { prompt_tokens, completion_tokens, total_tokens } = answer.usage!
  assert.ok(prompt_tokens > 0 && completion_tokens > 0 && total_tokens === prompt_tokens + completion_tokens)
})

test('openai streams the answer of a flow word by word, sources and usage at the end [predict:openai]', async () => {
  model.script({ text: 'They hold hands.' })
  const stream = client.chat.completions.stream({
    ...ask(otters.id, 'How do otters sleep?'),
    stream_options: { include_usage: true },
  })
  const words: string[] = []
  stream.on('content', (delta) => words.push(delta))
  const answer = await stream.finalChatCompletion()
  assert.deepEqual(words, ['They', ' hold', ' hands.'])
  assert.equal(answer.choices[0]!.message.content, 'They hold hands.')
  assert.ok(answer.usage!.completion_tokens > 0)
  assert.equal(answer.choices[0]!.message.annotations?.[0]?.url_citation.title, 'otters.txt')
})

test('openai sends the earlier messages, and the flow uses them', async () => {
  model.script({ text: 'Ada.' })
  const opened = clientOf(key.apiKey)
  const answer = await opened.chat.completions.create({
    model: closed.id,
    temperature: 0,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'My name is Ada.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: [{ type: 'text', text: 'What is my name?' }] },
    ],
  })
  assert.equal(answer.choices[0]!.message.content, 'Ada.')
  const said = (model.calls.at(-1)!.body.messages as { content: string }[]).map(({ content }) => content)
  assert.deepEqual(said.slice(-3), ['My name is Ada.', 'Hello.', 'What is my name?'])
  assert.ok(!said.includes('Be brief.'))
  assert.partialDeepStrictEqual(answer, {
    warnings: [
      { key: 'temperature', reason: 'the flow decides about it' },
      { key: 'messages', reason: 'the flow has instructions of its own' },
    ],
  })
})

test('openai is refused in the shape of its protocol [predict:openai]', async () => {
  await assert.rejects(
    client.chat.completions.create(ask(closed.slug, 'Hi')),
    failsWith(401, 'invalid_api_key', 'authentication_error'),
  )
  await assert.rejects(
    client.chat.completions.create(ask('no-such-flow', 'Hi')),
    failsWith(404, 'model_not_found', 'invalid_request_error'),
  )
  await assert.rejects(
    client.chat.completions.create({ ...ask(otters.id, 'Hi'), n: 2 }),
    failsWith(400, 'body_invalid', 'invalid_request_error'),
  )
  await assert.rejects(
    client.chat.completions.create({ model: otters.id, messages: [{ role: 'assistant', content: 'Hi' }] }),
    failsWith(400, 'body_invalid', 'invalid_request_error'),
  )
  await assert.rejects(
    client.models.retrieve('closed'),
    failsWith(404, 'model_not_found', 'invalid_request_error'),
  )
  model.script({ status: 500 }, { status: 500 }, { status: 500 })
  await assert.rejects(
    client.chat.completions.create(ask(otters.id, 'Hi')),
    (error) => error instanceof OpenAI.APIError && error.status >= 500 && error.type === 'server_error',
  )
  assert.equal(model.left(), 0)
})

test('openai opens a closed flow with its key, streamed too [predict:openai]', async () => {
  model.script({ text: 'Hello there.' })
  const stream = await clientOf(key.apiKey).chat.completions.create({
    ...ask(closed.slug, 'Hi'),
    stream: true,
  })
  const words: string[] = []
  for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? '')
  assert.equal(words.join(''), 'Hello there.')
})

test('openai meets the limit of a flow as the limit of a rate', async () => {
  model.script({ text: 'Hello.' })
  await client.chat.completions.create(ask('limited', 'Hi'))
  await assert.rejects(
    client.chat.completions.create(ask('limited', 'Hi')),
    failsWith(429, 'rate_limit_exceeded', 'rate_limit_error'),
  )
})

test('openai needs a key to embed on a server that others can reach', async () => {
  const exposed = await makePlatform({ HOST: '0.0.0.0' })
  const known = await exposed.key()
  const embeddings = (apiKey: string) =>
    new OpenAI({ baseURL: `${exposed.url}/v1`, apiKey, maxRetries: 0 }).embeddings
  const body = { model: 'builtin', input: 'Otters' }
  await assert.rejects(
    embeddings('unknown').create(body),
    failsWith(401, 'invalid_api_key', 'authentication_error'),
  )
  assert.equal((await embeddings(known.apiKey).create(body)).data.length, 1)
})

test('openai reads a failure in the middle of a stream as one', async () => {
  model.script({ cutAfter: 'They hold' })
  const words: string[] = []
  await assert.rejects(async () => {
    const stream = await client.chat.completions.create({ ...ask(otters.id, 'Hi'), stream: true })
    for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? '')
  }, OpenAI.APIError)
  assert.match(words.join(''), /^They/)
})

test('openai lists the flows that its key opens, and those that can answer', async () => {
  const idsOf = async (openai: OpenAI) => (await openai.models.list()).data.map(({ id }) => id).sort()
  assert.deepEqual(await idsOf(client), ['builtin', 'limited', 'otters'])
  assert.deepEqual(await idsOf(clientOf(key.apiKey)), ['builtin', 'closed', 'limited', 'otters'])
  assert.partialDeepStrictEqual(await client.models.retrieve('otters'), { id: 'otters', object: 'model' })
})

for (const part of [
  { type: 'image_url' },
  { type: 'image_url', image_url: { url: 5 } },
  { type: 'text', text: {} },
])
  test(`openai gets an error for an invalid part: ${JSON.stringify(part)}`, async () => {
    const content = [part] as unknown as string
    await assert.rejects(
      client.chat.completions.create({ model: otters.id, messages: [{ role: 'user', content }] }),
      failsWith(400, 'body_invalid', 'invalid_request_error'),
    )
  })

test('openai embeds texts with the model in the box, as numbers and as base64 [predict:openai]', async () => {
  const input = ['Otters hold hands.', 'The sea is cold.']
  const numbers = await client.embeddings.create({ model: 'builtin', input, encoding_format: 'float' })
  const packed = await client.embeddings.create({ model: 'builtin', input })
  assert.deepEqual(
    numbers.data.map(({ index, embedding }) => [index, embedding.length]),
    [
      [0, 256],
      [1, 256],
    ],
  )
  assert.deepEqual(packed.data, numbers.data, 'the client requests base64 unless another format is set')
  assert.ok(numbers.usage.prompt_tokens >= 8, String(numbers.usage.prompt_tokens))
  assert.equal(
    (await client.embeddings.create({ model: 'builtin', input: 'one', dimensions: 256 })).data.length,
    1,
  )
  await assert.rejects(
    client.embeddings.create({ model: 'builtin', input, dimensions: 128 }),
    failsWith(400, 'body_invalid', 'invalid_request_error'),
  )
  await assert.rejects(
    client.embeddings.create({ model: 'another', input }),
    failsWith(404, 'model_not_found', 'invalid_request_error'),
  )
  await assert.rejects(
    client.embeddings.create({ model: 'builtin', input: [1, 2] }),
    failsWith(400, 'body_invalid', 'invalid_request_error'),
  )
})
