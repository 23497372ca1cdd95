import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'

// The nodes after a meeting point of branches run once.
for (const [city, reply] of [
  ['Oslo', 'north'],
  ['Rome', 'else'],
] as const)
  test(`a condition takes the branch that holds: ${city} is ${reply}`, async () => {
    const { ask } = agentRuntime({})
    const { text, agentFlowExecutedData } = await ask({
      nodes: [
        start({ startState: [{ key: 'city', value: city }] }),
        step('conditionAgentflow_0', {
          conditions: [
            { type: 'string', value1: '<p>{{ $flow.state.city }}</p>', operation: 'equal', value2: 'Oslo' },
          ],
        }),
        step('directReplyAgentflow_0', { directReplyMessage: '<p>north</p>' }),
        step('directReplyAgentflow_1', { directReplyMessage: 'else' }),
      ],
      edges: steps(
        'startAgentflow_0 > conditionAgentflow_0',
        'conditionAgentflow_0 0> directReplyAgentflow_0',
        'conditionAgentflow_0 1> directReplyAgentflow_1',
      ),
    })
    assert.equal(text, reply)
    assert.equal(agentFlowExecutedData!.length, 3)
  })

test('a Condition Agent lets a model choose the branch', async () => {
  const { ask } = agentRuntime({ models: { model: scriptedModel('{"scenario": 1}') } })
  const { text } = await ask({
    nodes: [
      start(),
      step('conditionAgentAgentflow_0', {
        conditionAgentModel: 'scripted',
        conditionAgentScenarios: [{ scenario: 'weather' }, { scenario: 'news' }],
      }),
      step('directReplyAgentflow_0', { directReplyMessage: '{{conditionAgentAgentflow_0}}' }),
    ],
    edges: steps(
      'startAgentflow_0 > conditionAgentAgentflow_0',
      'conditionAgentAgentflow_0 1> directReplyAgentflow_0',
    ),
  })
  assert.equal(text, 'news')
})

const choiceFlow = (inputs: object, ways: string[]) => ({
  nodes: [
    start(),
    step('conditionAgentAgentflow_0', {
      conditionAgentModel: 'scripted',
      conditionAgentScenarios: [{ scenario: 'Asks about the weather' }, { scenario: 'Asks about news' }],
      ...inputs,
    }),
    ...ways.map((way) => step(`directReplyAgentflow_${way}`, { directReplyMessage: `way ${way}` })),
  ],
  edges: steps(
    'startAgentflow_0 > conditionAgentAgentflow_0',
    ...ways.map((way) => `conditionAgentAgentflow_0 ${way}> directReplyAgentflow_${way}`),
  ),
})

for (const said of ['{"scenario": -1}', '{"scenario": 7}', '{"scenario": "cooking"}', '{}']) {
  test(`a Condition Agent takes its default branch if the model answers ${said}`, async () => {
    const { ask } = agentRuntime({ models: { model: scriptedModel(said) } })
    assert.equal((await ask(choiceFlow({}, ['0', '1', '2']))).text, 'way 2')
  })

  test(`a Condition Agent without a default branch fails with a reason if the model answers ${said}`, async () => {
    const { ask } = agentRuntime({ models: { model: scriptedModel(said) } })
    await assert.rejects(
      async () => ask(choiceFlow({}, ['0', '1'])),
      /named none of the 2 scenarios of .*no default branch/,
    )
  })
}

test('a Condition Agent sends the system prompt of the author, and reads the answer form of Flowise', async () => {
  const model = scriptedModel('```json\n{"output": "asks about news"}\n```')
  const { ask } = agentRuntime({ models: { model } })
  const inputs = {
    conditionAgentOverrideSystemPrompt: true,
    conditionAgentSystemPrompt: '<p>You sort mail.</p>',
    conditionAgentInstructions: 'Sort.',
  }
  assert.equal((await ask(choiceFlow(inputs, ['0', '1']), { question: 'What is new?' })).text, 'way 1')
  const [system, user] = model.requests[0]!.messages
  assert.equal(system!.content, 'You sort mail.')
  assert.deepEqual(JSON.parse(user!.content as string), {
    input: 'What is new?',
    scenarios: ['Asks about the weather', 'Asks about news'],
    instruction: 'Sort.',
  })
})

for (const [inputs, seen] of [
  [{}, []],
  [{ conditionAgentEnableMemory: true }, ['one', 'two', 'three', 'four']],
  [
    {
      conditionAgentEnableMemory: true,
      conditionAgentMemoryType: 'windowSize',
      conditionAgentMemoryWindowSize: '1',
    },
    ['three', 'four'],
  ],
] as const)
  test(`a Condition Agent sends its model ${seen.length} messages with ${JSON.stringify(inputs)}`, async () => {
    const model = scriptedModel('{"scenario": 0}')
    const past = ['one', 'two', 'three', 'four'].map((content, index) => ({
      role: index % 2 === 0 ? ('userMessage' as const) : ('apiMessage' as const),
      content,
    }))
    const { ask } = agentRuntime({ models: { model }, past })
    await ask(choiceFlow(inputs, ['0', '1']))
    assert.deepEqual(
      model.requests[0]!.messages.slice(1, -1).map(({ content }) => content),
      seen,
    )
  })
