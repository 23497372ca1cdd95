import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node } from '../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../test/support/scripted-model.ts'
import { SluiceError } from '../../kit/errors.ts'

const plug = (id: string) => `{{${id}.data.instance}}`
const model = node('scripted_0', { script: 'model' })

const chain = (inputs = {}, number = 0) =>
  node(`llmChain_${number}`, {
    model: plug('scripted_0'),
    prompt: plug(`promptTemplate_${number}`),
    ...inputs,
  })
const prompt = (template: string, promptValues: unknown = '', number = 0) =>
  node(`promptTemplate_${number}`, { template, promptValues })

const isError = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof SluiceError && error.code === code && message.test(error.message)

const structured = (inputs = {}) => ({
  nodes: [
    model,
    node('chatPromptTemplate_0', { systemMessagePrompt: 'Answer.', humanMessagePrompt: '{question}' }),
    node('structuredOutputParser_0', {
      jsonStructure: [
        { property: 'name', type: 'string', description: 'of the capital' },
        { property: 'people', type: 'number' },
      ],
      ...inputs,
    }),
    chain({ prompt: plug('chatPromptTemplate_0'), outputParser: plug('structuredOutputParser_0') }),
  ],
})

test('an answer that must have a form is asked for, enforced and checked, and comes in one piece', async () => {
  const scripted = scriptedModel('{"name": "Oslo", "people": "717710", "more": true}')
  const { ask } = agentRuntime({ models: { model: scripted } })
  const { json, text, events } = await ask(structured())
  assert.deepEqual(json, { name: 'Oslo', people: 717710 })
  assert.deepEqual(JSON.parse(text), json)
  assert.deepEqual(events, [{ event: 'token', data: text }])
  const { messages, answerSchema } = scripted.requests[0]!
  assert.match(String(messages[0]!.content), /^Answer\.\nAnswer with one JSON object that fits/)
  assert.deepEqual(answerSchema?.schema, {
    type: 'object',
    properties: { name: { type: 'string', description: 'of the capital' }, people: { type: 'number' } },
    required: ['name', 'people'],
    additionalProperties: false,
  })
})

test('an answer of another form is an error that names the chain, and nothing of it is shown', async () => {
  const { ask, events } = agentRuntime({ models: { model: scriptedModel('{"name": "Oslo"}') } })
  await assert.rejects(
    ask(structured()),
    (error: unknown) =>
      error instanceof SluiceError &&
      error.code === 'answer_form_wrong' &&
      error.facts.node === 'llmChain_0' &&
      error.facts.nodeId === 'structuredOutputParser_0' &&
      /people/.test(error.message),
  )
  assert.deepEqual(events, [])
})

test('an answer of another form is asked for once more where the parser says so', async () => {
  const repaired = scriptedModel('Oslo, I think', '{"name": "Oslo", "people": 1}')
  const { json, usage } = await agentRuntime({ models: { model: repaired } }).ask(
    structured({ autofixParser: true }),
  )
  assert.deepEqual(
    [json, usage],
    [
      { name: 'Oslo', people: 1 },
      { inputTokens: 2, outputTokens: 2 },
    ],
  )
  assert.match(String(repaired.requests[1]!.messages.at(-1)!.content), /it is not JSON/)
  const stubborn = scriptedModel('no', 'no')
  await assert.rejects(
    agentRuntime({ models: { model: stubborn } }).ask(structured({ autofixParser: true })),
    isError('answer_form_wrong', /it is not JSON/),
  )
  assert.equal(stubborn.requests.length, 2)
})

test('a prompt says itself where the form of the answer stands, and another chain gets it as JSON', async () => {
  const scripted = scriptedModel('red, green', 'ok')
  const { ask } = agentRuntime({ models: { model: scripted } })
  await ask({
    nodes: [
      model,
      prompt('<{format_instructions}> {question}'),
      node('csvOutputParser_0'),
      chain({ outputParser: plug('csvOutputParser_0') }),
      prompt('{colours}', { colours: plug('llmChain_0') }, 1),
      chain({}, 1),
    ],
  })
  assert.match(String(scripted.requests[0]!.messages[0]!.content), /^<Answer with a list.*> What is new\?$/)
  assert.equal(scripted.requests[1]!.messages[0]!.content, '["red","green"]')
})

test('a schema that is none is refused before the first question, with its line', async () => {
  const { ask } = agentRuntime({ models: { model: scriptedModel() } })
  const nodes = [
    model,
    prompt('{q}'),
    node('advancedStructuredOutputParser_0', { exampleJson: 'z.object({\n a: z.sting() })' }),
    chain({ outputParser: plug('advancedStructuredOutputParser_0') }),
  ]
  await assert.rejects(
    ask({ nodes }),
    isError('input_invalid', /Example JSON.*line 2: z\.sting is not known/),
  )
})
