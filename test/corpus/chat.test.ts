import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { ollamaChatModel } from '../../src/chat/ollama.ts'
import { openAIChatModel } from '../../src/chat/openai.ts'
import { compatibleChatModel } from '../../src/chat/openai-compatible.ts'
import type { ModelMessage, ChatModel, ModelRequest, ToolCall } from '../../src/contract/chat-model.ts'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { isObject, type Json, type JsonObject } from '../../src/kit/json.ts'
import { startChatServer, type Turn } from '../support/chat-server.ts'

const corpus = process.env.SLUICE_CORPUS

/** The shapes of requests, answers and pieces of answers, as the providers publish them. */
const SHAPES = {
  openai: {
    request: 'CreateChatCompletionRequest',
    answer: 'CreateChatCompletionResponse',
    chunk: 'CreateChatCompletionStreamResponse',
  },
  ollama: { request: 'ChatRequest', answer: 'ChatResponse', chunk: 'ChatStreamEvent' },
} as const

type Protocol = keyof typeof SHAPES
type Kind = keyof (typeof SHAPES)[Protocol]

/** A check of a value against a shape of a description; it answers what is wrong. */
function checker(file: string) {
  // Descriptions carry keywords of their own (x-…, example): they say nothing of a value.
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const description = parse(readFileSync(path.join(corpus!, 'specs', file), 'utf8')) as Json
  ajv.addSchema(withNulls(description) as object, 'it')
  return (shape: string, value: unknown): string | undefined => {
    const check = ajv.getSchema(`it#/components/schemas/${shape}`)!
    return check(value) ? undefined : `${shape}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(value)}`
  }
}

/** OpenAPI 3.0's `nullable`, which JSON Schema does not have, in its words. */
function withNulls(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withNulls)
  if (!isObject(schema)) return schema
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withNulls(value as Json)]),
  )
  if (nullable === true) return { anyOf: [rest, { type: 'null' }] }
  return nullable === undefined ? rest : { ...rest, nullable }
}

const tools = [
  {
    name: 'get_events',
    description: 'Read events',
    parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
]
const picture = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`
const question: ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: picture },
    ],
  },
]
const calls = [{ name: 'get_events', input: { id: 1 } }]
const answerSchema = {
  name: 'sighting',
  schema: {
    type: 'object',
    properties: { animal: { type: 'string' } },
    required: ['animal'],
    additionalProperties: false,
  },
}

if (corpus === undefined) {
  test('chat models are spoken to as their descriptions say', { skip: 'SLUICE_CORPUS is not set' })
} else {
  const server = await startChatServer()
  const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
  const openai = checker('openai.yaml')
  const checks: Record<Protocol, typeof openai> = { openai, ollama: checker('ollama.yaml') }
  const wrong: string[] = []
  const seen: Record<string, number> = {}
  server.observe = (kind: Kind, { protocol }, value: JsonObject) => {
    const name = `${protocol} ${kind}`
    seen[name] = (seen[name] ?? 0) + 1
    const found = checks[protocol as Protocol](SHAPES[protocol as Protocol][kind], value)
    if (found) wrong.push(`${name}, ${found}`.slice(0, 1500))
  }
  const shared = {
    egress,
    model: 'a-model',
    streaming: true,
    images: true,
    sampling: { temperature: 0.5, topP: 0.9, maxOutputTokens: 99, stopSequences: ['END'] },
    apiKey: async () => 'a key',
    headers: {},
    responses: false,
    baseURL: `${server.url}/v1`,
  }
  const options = { temperature: 0.5, num_predict: 99, mirostat: 1 }
  const MODELS: Record<string, ChatModel> = {
    OpenAI: openAIChatModel({ ...shared, strictTools: true }),
    'a compatible server': compatibleChatModel(shared),
    Ollama: ollamaChatModel({
      ...shared,
      baseURL: server.url,
      options,
      think: true,
      keepAlive: '5m',
      json: false,
    }),
  }

  async function say(model: ChatModel, turn: Turn, request: ModelRequest): Promise<ToolCall[]> {
    server.script(turn)
    const made: ToolCall[] = []
    for await (const event of model.stream(request, new AbortController().signal))
      if (event.type === 'toolCall') made.push(event.call)
    return made
  }

  for (const [name, model] of Object.entries(MODELS))
    test(`${name} gets requests of its description, and the scripted server answers as described`, async () => {
      const made = await say(model, { text: 'Let me see.', calls }, { messages: question, tools })
      const messages: ModelMessage[] = [
        ...question,
        { role: 'assistant', content: 'Let me see.', toolCalls: made },
        { role: 'tool', callId: made[0]!.id, name: made[0]!.name, content: 'nothing', failed: true },
      ]
      await say(model, { text: 'A cat.' }, { messages, tools })
      await say(model, { text: '{"animal": "cat"}', reason: 'length' }, { messages, answerSchema })
      assert.deepEqual(wrong.splice(0), [])
    })

  test('the scripted server answers whole as well, as the descriptions say', async () => {
    for (const [path, body] of [
      ['/v1/chat/completions', { model: 'a', messages: [{ role: 'user', content: 'Hello' }] }],
      ['/api/chat', { model: 'a', messages: [{ role: 'user', content: 'Hello' }], stream: false }],
    ] as const) {
      server.script({ text: 'Hello.' }, { calls })
      for (let turn = 0; turn < 2; turn++) {
        const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
        assert.equal(answer.status, 200)
      }
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(server.violations, [])
    assert.match(openai('CreateChatCompletionRequest', { messages: [] })!, /model/)
    assert.match(openai('CreateChatCompletionStreamResponse', { choices: [{}] })!, /required/)
    assert.ok(seen['openai chunk']! > 20 && seen['ollama chunk']! > 8)
    server.close()
    await egress.close()
  })
}
