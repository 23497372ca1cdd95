import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../../../../test/support/agent-drawing.ts'
import { agentHouse } from '../../../../test/support/agent-house.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'

// Which way a condition goes, and that branches which meet run what is after them once.
for (const [city, reply] of [
  ['Oslo', 'north'],
  ['Rome', 'else'],
] as const)
  test(`a condition goes the way that holds: ${city} is ${reply}`, async () => {
    const { ask } = agentHouse({})
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

test('a Condition Agent lets a model choose the way', async () => {
  const { ask } = agentHouse({ models: { model: scriptedModel('{"scenario": 1}') } })
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
