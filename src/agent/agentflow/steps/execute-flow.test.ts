import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAgent, start, step, steps } from '../../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'

const asking = (flow: string) => ({
  nodes: [
    start(),
    step('executeFlowAgentflow_0', {
      executeFlowSelectedFlow: flow,
      executeFlowInput: '<p>{{question}}?</p>',
    }),
  ],
  edges: steps('startAgentflow_0 > executeFlowAgentflow_0'),
})

test('Execute Flow calls another flow, and never one that waits for the answer', async () => {
  const model = scriptedModel(({ messages }) => `heard ${String(messages.at(-1)!.content)}`)
  const { ask } = agentRuntime({
    models: { model },
    flows: { other: oneAgent(), ring: asking('ring'), 'flow-1': oneAgent(), away: asking('flow-1') },
  })
  assert.equal((await ask(asking('other'), { question: 'What' })).text, 'heard What?')
  for (const [flow, words] of [
    ['ring', /calls itself/],
    ['away', /calls itself/],
    ['gone', /gone, which does not exist/],
  ] as const)
    await assert.rejects(ask(asking(flow)), { code: 'flow_cannot_answer', message: words })
})

test('Execute Flow reads no stored messages of the other flow', async () => {
  const model = scriptedModel('Hello')
  const past = [{ role: 'userMessage', content: 'My PIN is 1234' } as const]
  const { ask } = agentRuntime({ models: { model }, flows: { other: oneAgent() }, past })
  await ask(asking('other'), { question: 'What' })
  assert.deepEqual(model.requests[0]!.messages, [{ role: 'user', content: 'What?' }])
})

test('Execute Flow refuses a flow that waits for a person', async () => {
  const waiting = {
    nodes: [start(), step('humanInputAgentflow_0')],
    edges: steps('startAgentflow_0 > humanInputAgentflow_0'),
  }
  const { ask, runs } = agentRuntime({ flows: { waiting } })
  await assert.rejects(ask(asking('waiting')), {
    code: 'flow_cannot_answer',
    message: /that another flow calls/,
  })
  assert.equal(runs.size, 0)
})
