import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node } from '../../../test/support/agent-drawing.ts'
import { lend } from '../../../test/support/lend.ts'
import { checkFlow } from '../../flow/check/check-flow.ts'
import { createEgress } from '../../kit/egress/client.ts'
import { createEgressRules } from '../../kit/egress/rules.ts'
import { catalog } from '../catalog.ts'

const plug = (id: string) => `{{${id}.data.instance}}`
const egress = createEgress({ rules: createEgressRules({}) })
const model = node('chatOpenAI_0', { openAIApiKey: 'of-the-test' })
const chain = (number: number, inputs = {}) =>
  node(`llmChain_${number}`, {
    model: plug('chatOpenAI_0'),
    prompt: plug(`promptTemplate_${number}`),
    ...inputs,
  })
const prompt = (number: number, template: string, promptValues: unknown = '') =>
  node(`promptTemplate_${number}`, { template, promptValues })

async function check(...nodes: object[]) {
  const { runs, rows } = await checkFlow(
    { nodes: [model, ...nodes] },
    {
      catalog,
      credentials: new Map(),
      flows: new Set(),
      variables: new Set(),
      context: { ...lend({ parser: {} as never, openStore: () => ({}) as never, egress }), flowId: 'flow-1' },
    },
  )
  return { runs, rows: rows.map(({ nodeId, input, severity, what }) => [nodeId, input, severity, what]) }
}

test('a check finds nothing wrong with chains that feed one another', async () => {
  assert.deepEqual(
    await check(
      prompt(0, '{x}'),
      chain(0),
      prompt(1, '{a} {question}', `{"a": "${plug('llmChain_0')} {{question}}"}`),
      chain(1),
    ),
    { runs: 'yes', rows: [] },
  )
})

test('a check names a prompt without values, and a schema that is none', async () => {
  const { runs, rows } = await check(
    prompt(0, '{a} {b}', '{"c": "{{question}}"}'),
    node('advancedStructuredOutputParser_0', { exampleJson: '{"title": "text"}' }),
    chain(0),
    prompt(1, `{a} {b} ${plug('llmChain_0')}`, { a: 1 }),
    chain(1, { outputParser: plug('advancedStructuredOutputParser_0') }),
  )
  assert.equal(runs, 'after')
  assert.deepEqual(
    rows.map(([nodeId, input, severity]) => [nodeId, input, severity]),
    [
      ['advancedStructuredOutputParser_0', 'exampleJson', 'needed'],
      ['llmChain_0', 'prompt', 'needed'],
    ],
  )
  assert.match(rows[0]![3]!, /it is no schema: line 1: a schema begins with z\./)
  assert.match(rows[1]![3]!, /promptTemplate_0 has no values for a, b/)
})

test('a check names a prompt without values also where the model has no key yet', async () => {
  const { rows } = await check(
    node('chatOpenAI_1'),
    prompt(0, '{a} {b}'),
    chain(0, { model: plug('chatOpenAI_1') }),
  )
  assert.deepEqual(
    rows.map(([nodeId, input]) => [nodeId, input]),
    [
      ['chatOpenAI_1', 'credential'],
      ['llmChain_0', 'prompt'],
    ],
  )
})

test('a check names chains in a circle, values that are no JSON, and what cannot stand in a prompt', async () => {
  const circle = await check(
    prompt(0, '{a} {q}', { a: plug('llmChain_1') }),
    chain(0),
    prompt(1, '{a} {q}', { a: plug('llmChain_0') }),
    chain(1),
    prompt(2, '{a} {q}', { a: plug('llmChain_0') }),
    chain(2),
  )
  assert.deepEqual(
    circle.rows.filter(([, , , what]) => /is plugged into itself/.test(what!)).map(([nodeId]) => nodeId),
    ['promptTemplate_0', 'llmChain_0', 'promptTemplate_1', 'llmChain_1'],
  )
  const wrong = await check(
    prompt(0, '{a} {b} {q}', { a: plug('chatOpenAI_0'), b: plug('llmChain_9') }),
    chain(0, { outputParser: plug('csvOutputParser_0') }),
    node('csvOutputParser_0'),
  )
  assert.deepEqual(
    wrong.rows.map(([nodeId, input, , what]) => [nodeId, input, what]),
    [
      [
        'promptTemplate_0',
        'promptValues',
        'The flow is not valid: chatOpenAI_0 has no text that could stand in promptTemplate_0',
      ],
      [
        'promptTemplate_0',
        'promptValues',
        'The flow is not valid: it refers to the node llmChain_9, which is not there',
      ],
    ],
  )
  const unread = await check(prompt(0, '{a} {q}', '{"a": {{question}} {{question}}'), chain(0))
  assert.deepEqual(
    unread.rows.map(([nodeId, input]) => [nodeId, input]),
    [['promptTemplate_0', 'promptValues']],
  )
})

test('a check names functions in a circle, and those in one with a chain', async () => {
  const code = (number: number, from: string) =>
    node(`customFunction_${number}`, {
      javascriptFunction: 'return 1',
      functionInputVariables: `{"a": "${plug(from)}"}`,
    })
  const named = async (...nodes: object[]) =>
    (await check(...nodes)).rows
      .filter(([, , , what]) => /is plugged into itself/.test(what!))
      .map(([nodeId]) => nodeId)
  const circle = [code(0, 'customFunction_1'), code(1, 'customFunction_0')]
  const use = [prompt(0, '{a} {b}', `{"a": "${plug('customFunction_0')}"}`), chain(0)]
  assert.deepEqual(await named(...circle, ...use), ['customFunction_0', 'customFunction_1'])
  assert.deepEqual(await named(code(0, 'llmChain_0'), ...use), [
    'customFunction_0',
    'promptTemplate_0',
    'llmChain_0',
  ])
})

test('a check names the server of an API chain that may not be called, and one that is missing', async () => {
  const api = (apiDocs: string) => node('getApiChain_0', { apiDocs, model: plug('chatOpenAI_0') })
  const inside = await check(api('BASE URL: http://127.0.0.1:9/'))
  assert.equal(inside.rows[0]![1], 'apiDocs')
  assert.match(inside.rows[0]![3]!, /127\.0\.0\.1/)
  assert.match((await check(api('The API of the house'))).rows[0]![3]!, /names no address of a server/)
  assert.deepEqual((await check(api('See https://api.example.com/v1'))).rows, [])
  const open = (inputs: object) => node('openApiChain_0', { model: plug('chatOpenAI_0'), ...inputs })
  assert.equal((await check(open({ yamlLink: 'ftp://x' }))).rows[0]![1], 'yamlLink')
  assert.equal((await check(open({ yamlLink: 'http://127.0.0.1:9/a.yaml' }))).rows[0]![1], 'yamlLink')
  assert.equal((await check(open({}))).rows[0]![1], 'yamlLink')
  assert.deepEqual((await check(open({ yamlLink: 'https://api.example.com/a.yaml' }))).rows, [])
})
