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

const simple = (template: string, promptValues?: unknown, inputs = {}) => ({
  nodes: [model, prompt(template, promptValues), chain(inputs)],
})

const isError = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof SluiceError && error.code === code && message.test(error.message)

test('an llmChain sends its prompt with the question as the name that has no value', async () => {
  const scripted = scriptedModel('Soxy')
  const { ask } = agentRuntime({ models: { model: scripted } })
  const { text, tokens, json, names } = await ask(simple('Name a shop for {product}. {"a": {{"b": 1}}}'), {
    question: 'socks {x} {{question}}',
  })
  assert.deepEqual([text, tokens, json, names], ['Soxy', 'Soxy', undefined, ['token']])
  assert.deepEqual(scripted.requests, [
    { messages: [{ role: 'user', content: 'Name a shop for socks {x} {{question}}. {"a": {"b": 1}}' }] },
  ])
})

test('an llmChain fills in drawn values, variables, and values of an override', async () => {
  const scripted = scriptedModel('a', 'b')
  const { ask } = agentRuntime({
    models: { model: scripted },
    variables: [
      { id: 'v', name: 'team', type: 'static', value: 'ops', createdDate: '', updatedDate: '' } as never,
    ],
  })
  const flow = simple(
    '{a} {b} {{$vars.team}} {{nobody}}',
    '{"a": "in {{$vars.team}}: {{question}}", "b": "old"}',
  )
  await ask(flow, { question: 'Hi' })
  const open = {
    overrideConfig: { status: true, nodes: { promptTemplate_0: [{ name: 'promptValues', enabled: true }] } },
  }
  const { warnings } = await ask(flow, { question: 'Hi', overrides: { promptValues: { b: 'new' } } }, open)
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    scripted.requests.map(({ messages }) => messages[0]!.content),
    ['in ops: Hi old ops {nobody}', 'in ops: Hi new ops {nobody}'],
  )
})

test('an llmChain without enough values names the node and the values before the first call', async () => {
  const { ask } = agentRuntime({ models: { model: scriptedModel() } })
  await assert.rejects(
    ask(simple('{a} {b} {c}', '{"b": 1}')),
    isError('input_invalid', /Prompt of the node llmChain_0.*promptTemplate_0 has no values for a, c/),
  )
})

test('a chatPromptTemplate has a system message, messages of its code, and the last one with pictures', async () => {
  const scripted = { ...scriptedModel('Bonjour'), images: true }
  const { ask } = agentRuntime({ models: { model: scripted } })
  const chat = node('chatPromptTemplate_0', {
    systemMessagePrompt: 'Translate {from} to {to}.',
    humanMessagePrompt: '{text}',
    promptValues: { from: 'English', to: 'French', text: '' },
    messageHistory: 'messageHistoryCode',
    messageHistoryCode: 'return [new HumanMessage("yes"), new AIMessage("oui")]',
  })
  await ask(
    { nodes: [model, chat, chain({ prompt: plug('chatPromptTemplate_0') })] },
    {
      question: 'hello',
      uploads: [{ type: 'image', name: 'a.png', mime: 'image/png', data: 'data:image/png;base64,AA==' }],
    },
  )
  assert.deepEqual(scripted.requests[0]!.messages, [
    { role: 'system', content: 'Translate English to French.' },
    { role: 'user', content: 'yes' },
    { role: 'assistant', content: 'oui' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hello' },
        { type: 'image', url: 'data:image/png;base64,AA==', mime: 'image/png' },
      ],
    },
  ])
})

test('a fewShotPromptTemplate has its examples between beginning and end, whatever braces they have', async () => {
  const scripted = scriptedModel('small')
  const { ask } = agentRuntime({ models: { model: scripted } })
  const few = (inputs = {}) =>
    node('fewShotPromptTemplate_0', {
      examplePrompt: plug('promptTemplate_0'),
      examples: '[{ "word": "happy", "antonym": "{sad}" }, { "word": "tall", "antonym": "short" }]',
      prefix: 'Give the antonym',
      suffix: 'Word: {input}\\nAntonym:',
      exampleSeparator: '\\n\\n',
      ...inputs,
    })
  const drawing = (inputs = {}) => ({
    nodes: [
      model,
      prompt('Word: {word}\nAntonym: {antonym}'),
      few(inputs),
      chain({ prompt: plug('fewShotPromptTemplate_0') }),
    ],
  })
  await ask(drawing(), { question: 'big' })
  assert.equal(
    scripted.requests[0]!.messages[0]!.content,
    'Give the antonym\n\nWord: happy\nAntonym: {sad}\n\nWord: tall\nAntonym: short\n\nWord: big\nAntonym:',
  )
  await assert.rejects(
    ask(drawing({ examples: '[{"word": "happy"}]' })),
    isError(
      'input_invalid',
      /Examples of the node fewShotPromptTemplate_0.*example 1 has no value for antonym/,
    ),
  )
})

test('a prompt has the answers of other chains, each made once and not shown, and the run counts all tokens', async () => {
  const scripted = scriptedModel('a plan {x}', 'a task', 'Done.')
  const { ask } = agentRuntime({ models: { model: scripted } })
  const { text, tokens, usage, spans } = await ask(
    {
      nodes: [
        model,
        prompt('Plan {objective}'),
        chain({ chainName: 'FirstChain' }),
        prompt('Task of {plan}', `{"plan": "${plug('llmChain_0')}"}`, 1),
        chain({}, 1),
        prompt(
          '{plan} | {task} | {question}',
          { plan: plug('llmChain_0'), task: `- ${plug('llmChain_1')}` },
          2,
        ),
        chain({}, 2),
      ],
      edges: [
        {
          source: 'llmChain_0',
          target: 'promptTemplate_2',
          targetHandle: 'promptTemplate_2-input-promptValues-json',
        },
      ],
    },
    { question: 'a cure' },
  )
  assert.deepEqual([text, tokens, usage], ['Done.', 'Done.', { inputTokens: 3, outputTokens: 3 }])
  assert.deepEqual(
    scripted.requests.map(({ messages }) => messages[0]!.content),
    ['Plan a cure', 'Task of a plan {x}', 'a plan {x} | - a task | a cure'],
  )
  assert.deepEqual(
    spans.map(({ kind, purpose }) => [kind, purpose]),
    [
      ['model', 'for FirstChain'],
      ['model', 'for llmChain_1'],
      ['model', undefined],
    ],
  )
})

test('a chain whose line leads to a prompt that does not name it is not asked', async () => {
  const scripted = scriptedModel('Done.')
  await agentRuntime({ models: { model: scripted } }).ask({
    nodes: [model, prompt('Plan {a}'), chain(), prompt('{b}', '', 1), chain({}, 1)],
    edges: [
      {
        source: 'llmChain_0',
        target: 'promptTemplate_1',
        targetHandle: 'promptTemplate_1-input-promptValues-json',
      },
    ],
  })
  assert.deepEqual(
    scripted.requests.map(({ messages }) => messages[0]!.content),
    ['What is new?'],
  )
})

test('a moderation of the last chain looks at the question before any chain is asked', async () => {
  const scripted = scriptedModel()
  const { text, tokens } = await agentRuntime({ models: { model: scripted } }).ask(
    {
      nodes: [
        model,
        prompt('Plan {a}'),
        chain(),
        prompt('{b} {question}', { b: plug('llmChain_0') }, 1),
        node('inputModerationSimple_0', { denyList: 'bomb', moderationErrorMessage: 'Not this.' }),
        chain({ inputModeration: [plug('inputModerationSimple_0')] }, 1),
      ],
    },
    { question: 'A bomb?' },
  )
  assert.deepEqual([text, tokens, scripted.requests], ['Not this.', 'Not this.', []])
})

test('chains that need one another are refused with their names, as is a node that has no text', async () => {
  const { ask } = agentRuntime({ models: { model: scriptedModel() } })
  const circle = {
    nodes: [
      model,
      prompt('{a} {question}', { a: plug('llmChain_1') }),
      chain(),
      prompt('{a} {question}', { a: plug('llmChain_0') }, 1),
      chain({}, 1),
      prompt('{a} {question}', { a: plug('llmChain_0') }, 2),
      chain({}, 2),
    ],
  }
  await assert.rejects(ask(circle), isError('flow_invalid', /llmChain_0.*llmChain_0, llmChain_1/))
  for (const [named, reason] of [
    ['scripted_0', /scripted_0 has no text/],
    ['llmChain_9', /refers to the node llmChain_9, which does not exist/],
  ] as const)
    await assert.rejects(ask(simple('{a} {b}', { a: plug(named) })), isError('flow_invalid', reason))
})

test('a chain that fails for another one names its own node', async () => {
  const failing = {
    ...scriptedModel(),
    // biome-ignore lint/correctness/useYield: it fails before its first event
    async *stream() {
      throw new SluiceError('provider_failed', { provider: 'The model', reason: 'away' })
    },
  }
  const { ask } = agentRuntime({ models: { model: failing } })
  const nodes = [model, prompt('{x}'), chain(), prompt('{a} {b}', { a: plug('llmChain_0') }, 1), chain({}, 1)]
  await assert.rejects(
    ask({ nodes }),
    (error: unknown) => error instanceof SluiceError && error.facts.nodeId === 'llmChain_0',
  )
})

test('a prompt that names the conversation gets it, without a memory', async () => {
  const scripted = scriptedModel('When was Ada born?')
  const past = [
    { role: 'userMessage' as const, content: 'Who is Ada?' },
    { role: 'apiMessage' as const, content: 'A mathematician.' },
  ]
  const { ask } = agentRuntime({ models: { model: scripted }, past })
  await ask(simple('{chat_history}\n{question}', { chat_history: '{{chat_history}}' }), { question: 'When?' })
  assert.deepEqual(scripted.requests[0]!.messages, [
    { role: 'user', content: 'Human: Who is Ada?\nAssistant: A mathematician.\nWhen?' },
  ])
})

test('a text of the drawing stands in a prompt, and its loader is no part of other answers', async () => {
  const scripted = scriptedModel('Short.')
  const { ask } = agentRuntime({ models: { model: scripted } })
  await ask(
    {
      nodes: [
        model,
        node('plainText_0', { text: 'A long {tale}.' }),
        prompt('{text}: {question}', { text: plug('plainText_0') }),
        chain(),
      ],
    },
    { question: 'Sum up' },
  )
  assert.equal(scripted.requests[0]!.messages[0]!.content, 'A long {tale}.: Sum up')
})
