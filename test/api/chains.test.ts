import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { node } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { overridable } from '../support/chat-flows.ts'
import { reference } from '../support/flow-drawing.ts'
import { makePlatform } from '../support/platform.ts'

const [platform, chat] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
})

const model = node('chatOpenAICustom_0', {
  modelName: 'scripted',
  basepath: `${chat.url}/v1`,
  openAIApiKey: 'none',
})
const prompt = (number: number, template: string, promptValues: unknown = '') =>
  node(`promptTemplate_${number}`, { template, promptValues }, 'Prompts')
const chain = (number: number, inputs = {}) =>
  node(
    `llmChain_${number}`,
    { model: reference('chatOpenAICustom_0'), prompt: reference(`promptTemplate_${number}`), ...inputs },
    'Chains',
  )

type Prediction = {
  text: string
  json?: unknown
  chatId: string
  sourceDocuments?: unknown
  code?: string
  message?: string
  hint?: string
  nodeId?: string
}
type Check = { runs: string; rows: { nodeId: string; input: string; what: string; severity: string }[] }

/** Imports a drawing as Flowise exports it. */
async function imported(nodes: object[], apiConfig: object = {}): Promise<string> {
  const { status, text, body } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'A chain',
    flowData: { nodes, edges: [] },
    apiConfig,
  })
  assert.equal(status, 200, text)
  return body.id
}

const ask = (flow: string, body: object) =>
  platform.call<Prediction>('POST', `/api/v1/prediction/${flow}`, { body })

const asked = (back = 1) => chat.calls.at(-back)!.body

test('a conversation through an llmChain with a prompt: question, override, stream, history, execution [predict:chain]', async () => {
  const flow = await imported(
    [
      model,
      prompt(0, 'What is a good name for a company that makes {product} in {place}?', '{"place": "Oslo"}'),
      chain(0, { chainName: 'Namer' }),
    ],
    overridable('promptValues'),
  )
  chat.script({ text: 'Sokkeriet' })
  const first = await ask(flow, { question: 'colourful socks', chatId: 'names' })
  assert.deepEqual([first.status, first.body.text, first.body.json], [200, 'Sokkeriet', undefined])
  assert.deepEqual(
    (asked().messages as JsonObject[]).map(({ content }) => content),
    ['What is a good name for a company that makes colourful socks in Oslo?'],
  )

  chat.script({ text: 'Strumpan' })
  const second = await ask(flow, {
    question: 'socks',
    chatId: 'names',
    overrideConfig: { promptValues: { place: 'Malmö' } },
  })
  assert.equal(second.body.text, 'Strumpan')
  assert.match(JSON.stringify(asked().messages), /makes socks in Malmö\?/)

  chat.script({ text: 'Warm feet' })
  const streamed = await platform.call('POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'slippers', chatId: 'names', streaming: true },
  })
  const events = [...streamed.text.matchAll(/"event":"(\w+)"/g)].map(([, name]) => name)
  assert.deepEqual([...new Set(events)], ['start', 'token', 'metadata', 'end'])

  const messages = await platform.manage<{ content: string }[]>(
    'GET',
    `/api/v1/chatmessage/${flow}?chatId=names`,
  )
  assert.deepEqual(
    messages.body.map(({ content }) => content),
    ['colourful socks', 'Sokkeriet', 'socks', 'Strumpan', 'slippers', 'Warm feet'],
  )
  const runs = await platform.manage<{ data: JsonObject[] }>('GET', `/api/v1/executions?agentflowId=${flow}`)
  assert.equal(runs.body.data.length, 3)
})

test('a flow with a structured output parser answers json, which the provider is asked to enforce [predict:form]', async () => {
  const parser = node('structuredOutputParser_0', {
    autofixParser: true,
    jsonStructure: [
      { property: 'capital', type: 'string', description: 'the city' },
      { property: 'people', type: 'number', description: '' },
    ],
  })
  const nodes = (inputs: JsonObject = {}) => [
    model,
    prompt(0, 'What is the capital of {country}?'),
    { ...parser, data: { ...parser.data, inputs: { ...parser.data.inputs, ...inputs } } },
    chain(0, { outputParser: reference('structuredOutputParser_0') }),
  ]
  const flow = await imported(nodes())
  chat.script({ text: '{"capital": "Oslo", "people": 717710}' })
  const { body } = await ask(flow, { question: 'Norway', chatId: 'capitals' })
  assert.deepEqual(body.json, { capital: 'Oslo', people: 717710 })
  assert.deepEqual(asked().response_format, {
    type: 'json_schema',
    json_schema: {
      name: 'answer',
      strict: true,
      schema: {
        type: 'object',
        properties: { capital: { type: 'string', description: 'the city' }, people: { type: 'number' } },
        required: ['capital', 'people'],
        additionalProperties: false,
      },
    },
  })

  chat.script({ text: 'It is Oslo.' }, { text: '{"capital": "Oslo", "people": 1}' })
  const repaired = await ask(flow, { question: 'Norway', chatId: 'capitals' })
  assert.deepEqual(repaired.body.json, { capital: 'Oslo', people: 1 })

  const strict = await imported(nodes({ autofixParser: false }))
  chat.script({ text: 'It is Oslo.' })
  const { status, body: refused } = await ask(strict, { question: 'Norway' })
  assert.equal(status, 502)
  assert.partialDeepStrictEqual(refused, { code: 'answer_form_wrong', nodeId: 'structuredOutputParser_0' })
  assert.match(refused.message!, /llmChain_0 asks for: it is not JSON/)

  chat.script({ text: 'It is Oslo.' })
  const streamed = await platform.call('POST', `/api/v1/prediction/${strict}`, {
    body: { question: 'Norway', streaming: true },
  })
  assert.match(streamed.text, /"event":"error"/)
  assert.ok(!streamed.text.includes('It is Oslo'))
})

test('an llmChain whose prompt has the answer of another one answers with the last, and shows no other [predict:chain]', async () => {
  const flow = await imported([
    model,
    prompt(0, 'Complete this: {objective}', '{"objective": "{{question}}"}'),
    chain(0, { chainName: 'FirstChain' }),
    prompt(1, 'Shorten: {result}', `{"result": "${reference('llmChain_0')}"}`),
    chain(1, { chainName: 'LastChain' }),
  ])
  chat.script({ text: 'A long "plan".' }, { text: 'A plan.' })
  const { body, text } = await ask(flow, { question: 'sleep more', chatId: 'plans' })
  assert.equal(body.text, 'A plan.')
  assert.ok(!text.includes('long'))
  assert.match(JSON.stringify(asked().messages), /Shorten: A long/)
})

test('what a chain lacks is said before its first question: by the check, by the import and by the question [flow:report]', async () => {
  const nodes = [
    model,
    prompt(0, '{a} and {b}', '{"c": 1}'),
    node('advancedStructuredOutputParser_0', { exampleJson: 'z.objekt({})' }),
    chain(0),
  ]
  const { body } = await platform.manage<Check>('POST', '/api/v1/flows/validate', {
    exported: { nodes, edges: [] },
  })
  assert.equal(body.runs, 'after')
  const [row] = body.rows
  assert.deepEqual([row!.nodeId, row!.input, row!.severity], ['llmChain_0', 'prompt', 'needed'])
  assert.match(row!.what, /promptTemplate_0 has no values for a, b/)
  assert.ok(
    body.rows.some(
      ({ nodeId, severity, what }) =>
        nodeId === 'advancedStructuredOutputParser_0' &&
        severity === 'dropped' &&
        /takes part in nothing/.test(what),
    ),
  )
  const refused = await ask(await imported(nodes), { question: 'x' })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.nodeId],
    [422, 'input_invalid', 'llmChain_0'],
  )
})
