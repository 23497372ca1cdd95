import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node } from '../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../test/support/scripted-model.ts'
import type { JsonObject } from '../kit/json.ts'

const plug = (id: string) => `{{${id}.data.instance}}`
const model = (script = 'model') => node('scripted_0', { script })

const chain = (id: string, systemMessagePrompt: string, of = 'scripted_0') =>
  node(id, { model: plug(of), systemMessagePrompt })

const code = (id: string, javascriptFunction: string, functionInputVariables: object | string = '') =>
  node(id, { javascriptFunction, functionInputVariables })

/** An edge of an IfElse function. */
const branch = (from: string, output: 'returnTrue' | 'returnFalse', to: string) => ({
  ...{ source: from, target: to },
  sourceHandle: `${from}-output-${output}-string|number|boolean|json|array`,
  targetHandle: `${to}-input-promptValues-json`,
})

const systemOf = ({ requests }: ReturnType<typeof scriptedModel>, call = 0) =>
  (requests[call]!.messages[0] as { content: string }).content

test('customFunction makes a value for the texts of other nodes, from its inputs, $vars, $flow and other functions [customtools:functions]', async () => {
  const scripted = scriptedModel('ok')
  const { ask } = agentRuntime({
    models: { model: scripted },
    variables: [{ name: 'city', type: 'static', value: 'Oslo' }],
  })
  await ask(
    {
      nodes: [
        model(),
        code('customFunction_0', 'return { n: $count + 1, city: $vars.city, asked: $flow.input }', {
          count: plug('customFunction_1'),
        }),
        code('customFunction_1', 'return [...$q].length', '{"q": "{{question}}"}'),
        chain('conversationChain_0', `You know ${plug('customFunction_0')} and ${plug('customFunction_1')}.`),
      ],
    },
    { question: 'a "b" {{$vars.city}}' },
  )
  const count = [...'a "b" {{$vars.city}}'].length
  assert.equal(
    systemOf(scripted),
    `You know {"n":${count + 1},"city":"Oslo","asked":"a \\"b\\" {{$vars.city}}"} and ${count}.`,
  )
})

test('customFunction alone answers, in the form that it returns', async () => {
  const { ask } = agentRuntime({})
  const flow = (text: string) => ({ nodes: [code('customFunction_0', text, { q: '{{question}}' })] })
  const { text, tokens, streams } = await ask(flow('return "You said " + $q'), { question: 'hi' })
  assert.deepEqual([text, tokens, streams], ['You said hi', 'You said hi', false])
  assert.equal((await ask(flow('return [1, { a: 2 }]'))).text, '[1,{"a":2}]')
  assert.equal((await ask(flow('return undefined'))).text, '')
})

test('customFunction that fails or ends names its node and input', async () => {
  const { ask } = agentRuntime({})
  for (const [text, reason] of [
    ['throw new Error("no luck")', /Javascript Function of the node customFunction_0 .*: no luck/],
    ['return require("axios").get', /there is no module axios|There is no module axios/i],
    ['return "x".repeat(2e6)', /returns more than 1000000 characters/],
    ['return new ArrayBuffer(1e9).byteLength', /memory|allocat/i],
    ['Object.prototype.counts = 1; throw Object.create(null)', /customFunction_0/],
  ] as const)
    await assert.rejects(ask({ nodes: [code('customFunction_0', text)] }), {
      code: 'input_invalid',
      message: reason,
    })
})

test('ifElseFunction chooses the chain that answers, and runs nothing of the other branch', async () => {
  const flow = {
    nodes: [
      model(),
      node('ifElseFunction_0', {
        functionInputVariables: { q: '{{question}}' },
        ifFunction: 'if ($q.includes("price")) return { topic: "price" }',
        elseFunction: 'return "other: " + $q',
      }),
      code('customFunction_0', 'throw new Error("the branch was not taken")', {
        all: plug('ifElseFunction_0'),
      }),
      chain('conversationChain_0', `Sell. ${plug('ifElseFunction_0')}`),
      chain('conversationChain_1', `Talk. ${plug('ifElseFunction_0')} ${plug('customFunction_0')}`),
    ],
    edges: [
      branch('ifElseFunction_0', 'returnTrue', 'conversationChain_0'),
      branch('ifElseFunction_0', 'returnFalse', 'customFunction_0'),
    ],
  }
  const scripted = scriptedModel('sold', 'talked')
  const { ask } = agentRuntime({ models: { model: scripted } })
  assert.equal((await ask(flow, { question: 'the price?' })).text, 'sold')
  assert.equal(systemOf(scripted), 'Sell. {"topic":"price"}')
  await assert.rejects(ask(flow, { question: 'hello' }), /the branch was not taken/)
  const calm = structuredClone(flow)
  ;(calm.nodes[2] as { data: { inputs: JsonObject } }).data.inputs.javascriptFunction = 'return $all.length'
  assert.equal((await ask(calm, { question: 'hello' })).text, 'talked')
  assert.equal(systemOf(scripted, 1), 'Talk. other: hello 12')
})

test('ifElseFunction takes what counts as false in JavaScript as false', async () => {
  const flow = (ifFunction: string) => ({
    nodes: [
      model(),
      node('ifElseFunction_0', { ifFunction, elseFunction: 'return "no"' }),
      chain('conversationChain_0', plug('ifElseFunction_0')),
    ],
  })
  for (const [result, shown] of [
    ['false', 'no'],
    ['0', 'no'],
    ['""', 'no'],
    ['null', 'no'],
    ['"false"', 'false'],
    ['[]', '[]'],
  ]) {
    const scripted = scriptedModel('ok')
    await agentRuntime({ models: { model: scripted } }).ask(flow(`return ${result}`))
    assert.equal(systemOf(scripted), shown, result)
  }
})

test('several nodes that answer are refused where no branch chooses among them', async () => {
  const { ask } = agentRuntime({ models: { model: scriptedModel() } })
  const flow = { nodes: [model(), chain('conversationChain_0', 'a'), chain('conversationChain_1', 'b')] }
  await assert.rejects(ask(flow), { code: 'flow_cannot_answer', message: /several nodes/ })
})

test('setVariable keeps the answer of a chain, which getVariable reads in another prompt', async () => {
  const scripted = scriptedModel('a short summary', 'the end')
  const { ask } = agentRuntime({ models: { model: scripted } })
  const { text } = await ask({
    nodes: [
      model(),
      chain('conversationChain_0', 'Summarise.'),
      node('setVariable_0', { variableName: 'summary', input: [plug('conversationChain_0')] }),
      node('getVariable_0', { variableName: 'summary' }),
      chain('conversationChain_1', `Known: ${plug('getVariable_0')}; again: ${plug('getVariable_0')}`),
    ],
  })
  assert.equal(text, 'the end')
  assert.equal(scripted.requests.length, 2)
  assert.equal(systemOf(scripted, 1), 'Known: a short summary; again: a short summary')
})

test('getVariable says which variable nothing has set', async () => {
  const { ask } = agentRuntime({ models: { model: scriptedModel() } })
  const nodes = [
    model(),
    node('getVariable_0', { variableName: 'x' }),
    chain('conversationChain_0', plug('getVariable_0')),
  ]
  await assert.rejects(ask({ nodes }), { message: /nothing has set the variable x/ })
})

test('functions that need each other are refused, not run for ever', async () => {
  const { ask } = agentRuntime({ models: { model: scriptedModel() } })
  const nodes = [
    model(),
    code('customFunction_0', 'return 1', { a: plug('customFunction_1') }),
    code('customFunction_1', 'return 1', { a: plug('customFunction_0') }),
    chain('conversationChain_0', plug('customFunction_0')),
  ]
  await assert.rejects(ask({ nodes }), {
    code: 'flow_invalid',
    message: /needs its own output, through customFunction_0, customFunction_1/,
  })
})

test('chainTool lets an agent ask a chain, which sees the question alone, and answers directly if it is to [customtools:chain]', async () => {
  const drawing = (returnDirect: boolean) => ({
    nodes: [
      model(),
      node('scripted_1', { script: 'chain' }),
      chain('conversationChain_0', 'You know prices. {{question}}', 'scripted_1'),
      node('chainTool_0', {
        ...{ name: 'Price List', description: 'Prices', returnDirect },
        baseChain: plug('conversationChain_0'),
      }),
      node('toolAgent_0', { model: plug('scripted_0'), tools: [plug('chainTool_0')] }),
    ],
  })
  const call = { calls: [{ name: 'price_list', input: { input: 'How much is it?' } }] }
  const [agentModel, chainModel] = [scriptedModel(call, 'It is 5.'), scriptedModel('5 francs')]
  const stage = { models: { model: agentModel, chain: chainModel } }
  const { text, usedTools } = await agentRuntime(stage).ask(drawing(false))
  assert.equal(text, 'It is 5.')
  assert.partialDeepStrictEqual(usedTools, [{ tool: 'price_list', toolOutput: '5 francs' }])
  assert.deepEqual(chainModel.requests[0]!.messages, [
    { role: 'system', content: 'You know prices. How much is it?' },
    { role: 'user', content: 'How much is it?' },
  ])
  const direct = { models: { model: scriptedModel(call), chain: scriptedModel('6 francs') } }
  assert.equal((await agentRuntime(direct).ask(drawing(true))).text, '6 francs')
})

test('the prompt of a chain has what a function made of the answer of another chain, and what both cost counts', async () => {
  const scripted = scriptedModel('a, b', 'done')
  const chainOf = (number: number) =>
    node(`llmChain_${number}`, { model: plug('scripted_0'), prompt: plug(`promptTemplate_${number}`) })
  const { text, usage } = await agentRuntime({ models: { model: scripted } }).ask(
    {
      nodes: [
        model(),
        node('promptTemplate_0', { template: 'List {x}' }),
        chainOf(0),
        code('customFunction_0', 'return $list.split(", ").length', { list: plug('llmChain_0') }),
        node('promptTemplate_1', {
          template: '{n} of {x}',
          promptValues: { n: plug('customFunction_0') },
        }),
        chainOf(1),
      ],
    },
    { question: 'them' },
  )
  assert.deepEqual([text, usage], ['done', { inputTokens: 2, outputTokens: 2 }])
  assert.deepEqual(
    scripted.requests.map(({ messages }) => messages[0]!.content),
    ['List them', '2 of them'],
  )
})

test('a chain that a tool asks looks at the question with its own moderations', async () => {
  const call = { calls: [{ name: 'prices', input: { input: 'A bomb?' } }] }
  const [agentModel, chainModel] = [scriptedModel(call, 'No.'), scriptedModel()]
  const { usedTools } = await agentRuntime({ models: { model: agentModel, chain: chainModel } }).ask({
    nodes: [
      model(),
      node('scripted_1', { script: 'chain' }),
      node('inputModerationSimple_0', { denyList: 'bomb', moderationErrorMessage: 'Not this.' }),
      node('conversationChain_0', {
        ...{ model: plug('scripted_1'), systemMessagePrompt: '' },
        inputModeration: [plug('inputModerationSimple_0')],
      }),
      node('chainTool_0', { name: 'prices', description: 'P', baseChain: plug('conversationChain_0') }),
      node('toolAgent_0', { model: plug('scripted_0'), tools: [plug('chainTool_0')] }),
    ],
  })
  assert.partialDeepStrictEqual(usedTools, [{ toolOutput: 'Not this.' }])
  assert.equal(chainModel.requests.length, 0)
})
