import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAgent, props, start, step, steps } from '../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../test/support/scripted-model.ts'
import type { Tool } from '../../contract/tool.ts'

const noted: unknown[] = []
const tools: Tool[] = ['list', 'remove'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object', properties: { id: { type: 'integer' } } },
  async call({ id = null }) {
    noted.push([name, id])
    return { output: `${name}: done`, documents: [{ pageContent: 'd', metadata: {} }] }
  },
}))

test('a run waits for a person before a call, and makes the call when it is approved', async () => {
  noted.length = 0
  const model = scriptedModel(
    { calls: ['list', 'remove', 'remove'].map((name, id) => ({ name, input: { id } })) },
    'Removed one',
  )
  const { ask, predictor, runs } = agentRuntime({ models: { model }, tools })
  const drawing = oneAgent({ agentTools: [props('list'), props('remove', true)] })

  const first = await ask(drawing)
  assert.deepEqual(noted, [['list', 0]])
  assert.match(first.text, /the tool remove:[\s\S]*"id": 1/)
  assert.deepEqual(first.action?.mapping, { approve: 'Proceed', reject: 'Reject' })
  assert.deepEqual(first.action?.data, {
    nodeId: 'agentAgentflow_0',
    nodeLabel: 'agentAgentflow_0',
    input: { toolCalls: [{ tool: 'remove', toolInput: { id: 1 } }] },
  })
  assert.deepEqual(first.names.slice(-2), ['action', 'agentFlowEvent'])

  const reject = { type: 'reject', startNodeId: 'agentAgentflow_0', feedback: 'keep it' } as const
  const second = await ask(drawing, { humanInput: reject })
  assert.match(second.text, /"id": 2/)
  assert.deepEqual(noted, [['list', 0]])

  const proceed = { humanInput: { type: 'proceed' } } as const
  const third = await ask(drawing, proceed)
  assert.deepEqual(
    [third.text, noted],
    [
      'Removed one',
      [
        ['list', 0],
        ['remove', 2],
      ],
    ],
  )
  assert.deepEqual(
    third.usedTools!.map(({ tool, error }) => [tool, error]),
    [
      ['list', undefined],
      ['remove', 'The user did not allow this call. The user says: keep it'],
      ['remove', undefined],
    ],
  )
  assert.deepEqual(
    third.agentFlowExecutedData!.map(({ nodeId, status }) => [nodeId, status]),
    [
      ['startAgentflow_0', 'FINISHED'],
      ['agentAgentflow_0', 'FINISHED'],
    ],
  )
  assert.equal(runs.size, 0)
  await assert.rejects(ask(drawing, proceed), { code: 'nothing_waits' })
  const flow = { id: 'flow-1', flowData: JSON.stringify(drawing), apiConfig: {} }
  assert.equal(predictor.streams(flow), true)
})

test('an agent asks for approval before every change, if its node requires it', async () => {
  const change: Tool = { ...tools[1]!, unsafe: true }
  const model = scriptedModel({
    calls: [
      { name: 'list', input: {} },
      { name: 'remove', input: {} },
    ],
  })
  const { ask } = agentRuntime({ models: { model }, tools: [tools[0]!, change] })
  const { action, usedTools } = await ask(
    oneAgent({ agentTools: [props('list'), props('remove')], agentAskBeforeChanges: true }),
  )
  assert.deepEqual(action?.data.input, { toolCalls: [{ tool: 'remove', toolInput: {} }] })
  assert.equal(usedTools?.length, 1)
})

test('two decisions at the same time make a call once', async () => {
  noted.length = 0
  const model = scriptedModel({ calls: [{ name: 'remove', input: { id: 1 } }] }, 'done')
  const { ask } = agentRuntime({ models: { model }, tools })
  const drawing = oneAgent({ agentTools: [props('remove', true)] })
  await ask(drawing)
  const decided = await Promise.allSettled(
    [1, 2].map(() => ask(drawing, { humanInput: { type: 'proceed' } })),
  )
  assert.deepEqual(decided.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual(noted, [['remove', 1]])
})

for (const [type, reply] of [
  ['proceed', 'on: Proceed: fine'],
  ['reject', 'off: Reject: fine'],
] as const)
  test(`a Human Input node takes the branch of the decision ${type}`, async () => {
    const { ask } = agentRuntime({})
    const drawing = {
      nodes: [
        start(),
        step('humanInputAgentflow_0', { humanInputDescription: '<p>Shall I, {{question}}</p>' }),
        step('directReplyAgentflow_0', { directReplyMessage: 'on: {{humanInputAgentflow_0}}' }),
        step('directReplyAgentflow_1', { directReplyMessage: 'off: {{humanInputAgentflow_0}}' }),
      ],
      edges: steps(
        'startAgentflow_0 > humanInputAgentflow_0',
        'humanInputAgentflow_0 0> directReplyAgentflow_0',
        'humanInputAgentflow_0 1> directReplyAgentflow_1',
      ),
    }
    const asked = await ask(drawing)
    assert.equal(asked.text, 'Shall I, What is new?')
    assert.equal(asked.agentFlowExecutedData!.at(-1)!.status, 'STOPPED')
    const humanInput = { type, feedback: 'fine' }
    assert.equal((await ask(drawing, { humanInput })).text, reply)
  })

test('a Human Input node lets a model write its question', async () => {
  const model = scriptedModel('Shall I send it?')
  const { ask } = agentRuntime({ models: { model } })
  const { text, usage } = await ask({
    nodes: [
      start(),
      step('humanInputAgentflow_0', {
        humanInputDescriptionType: 'dynamic',
        humanInputModel: 'scripted',
        humanInputModelPrompt: '<p>Ask about it</p>',
      }),
    ],
    edges: steps('startAgentflow_0 > humanInputAgentflow_0'),
  })
  assert.deepEqual([text, usage.inputTokens], ['Shall I send it?', 1])
  assert.deepEqual(
    model.requests[0]!.messages.map(({ content }) => content),
    ['What is new?', 'Ask about it'],
  )
})

test('a resumed run names the next node if it was deleted', async () => {
  const { ask } = agentRuntime({})
  const draw = (...replies: string[]) => ({
    nodes: [start(), step('humanInputAgentflow_0'), ...replies.map((id) => step(id))],
    edges: steps(...['humanInputAgentflow_0', ...replies].map((id) => `startAgentflow_0 > ${id}`)),
  })
  await ask(draw('directReplyAgentflow_0'))
  await assert.rejects(ask(draw(), { humanInput: { type: 'proceed' } }), {
    code: 'flow_cannot_answer',
    message: /directReplyAgentflow_0, was deleted/,
  })
})
