import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agent, node, oneAgent, start, step, steps } from '../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../test/support/scripted-model.ts'
import { SluiceError } from '../../kit/errors.ts'

// Mistakes in a flow or a request that are found before the run.
for (const [name, drawing, asked, code, words] of [
  ['no start', { nodes: [agent(0)], edges: [] }, {}, 'flow_cannot_answer', /no Start/],
  [
    'an unknown node',
    {
      nodes: [start(), step('magicAgentflow_0')],
      edges: steps('startAgentflow_0 > magicAgentflow_0'),
    },
    {},
    'node_unknown',
    /magicAgentflow/,
  ],
  [
    'an unknown tool',
    oneAgent({ agentTools: [{ agentSelectedTool: 'magicTool' }] }),
    {},
    'node_unknown',
    /magicTool/,
  ],
  ['a model that is a tool', oneAgent({ agentModel: 'props' }), {}, 'flow_invalid', /Props/],
  ['no model', oneAgent({ agentModel: '' }), {}, 'input_invalid', /no model is selected/],
  ['no question', oneAgent(), { question: ' ' }, 'question_missing', /question/],
  [
    'a decision without a waiting run',
    oneAgent(),
    { humanInput: { type: 'proceed' } },
    'nothing_waits',
    /waits/,
  ],
  [
    'the store of a deleted flow',
    oneAgent({ agentKnowledgeDocumentStores: [{ documentStore: 'gone:Papers' }] }),
    {},
    'flow_cannot_answer',
    /the flow gone,/,
  ],
  [
    'a loop to a missing node',
    {
      nodes: [start(), step('loopAgentflow_0', { loopBackToNode: 'gone_0-Gone' })],
      edges: steps('startAgentflow_0 > loopAgentflow_0'),
    },
    {},
    'flow_invalid',
    /gone_0/,
  ],
] as const)
  test(`prepare() refuses an agent flow with ${name}`, async () => {
    const { ask } = agentRuntime({ models: { model: scriptedModel() } })
    await assert.rejects(ask(drawing, asked as object), (error: unknown) => {
      assert.ok(error instanceof SluiceError, String(error))
      assert.equal(error.code, code)
      assert.match(error.message, words)
      return true
    })
  })

test('prepare() ignores nodes that no run can reach, and notes', async () => {
  const model = scriptedModel('ok')
  const drawing = oneAgent()
  drawing.nodes.push(step('magicAgentflow_0'), { ...node('stickyNoteAgentflow_0'), type: 'stickyNote' })
  assert.equal((await agentRuntime({ models: { model } }).ask(drawing)).text, 'ok')
})

test('prepare() applies allowed overrides of the state, and warns of the others', async () => {
  const { ask } = agentRuntime({})
  const drawing = {
    nodes: [
      start({ startState: [{ key: 'city', value: 'Oslo' }] }),
      step('directReplyAgentflow_0', { directReplyMessage: '{{$flow.state.city}}' }),
    ],
    edges: steps('startAgentflow_0 > directReplyAgentflow_0'),
  }
  const overrides = { startState: { city: 'Rome' } }
  const open = {
    overrideConfig: { status: true, nodes: { startAgentflow_0: [{ name: 'startState', enabled: true }] } },
  }
  const closed = await ask(drawing, { overrides })
  assert.deepEqual([closed.text, closed.warnings.map(({ key }) => key)], ['Oslo', ['startState']])
  assert.equal((await ask(drawing, { overrides }, open)).text, 'Rome')
})

test('prepare() adds the rows of an override to those of the flow, without duplicates', async () => {
  const model = scriptedModel('ok', 'ok')
  const llm = (messages: object[]) => ({
    nodes: [
      start({
        startState: [
          { key: 'city', value: 'Oslo' },
          { key: 'country', value: 'Norway' },
        ],
      }),
      step('llmAgentflow_0', {
        llmModel: 'scripted',
        llmMessages: messages,
        llmUserMessage: '{{$flow.state.city}}, {{$flow.state.country}}',
      }),
    ],
    edges: steps('startAgentflow_0 > llmAgentflow_0'),
  })
  const open = {
    overrideConfig: {
      status: true,
      nodes: {
        startAgentflow_0: [{ name: 'startState', enabled: true }],
        llmAgentflow_0: [{ name: 'llmMessages', enabled: true }],
      },
    },
  }
  const { ask } = agentRuntime({ models: { model } })
  const first = { role: 'system', content: 'First.' }
  const second = { role: 'system', content: 'Second.' }
  for (const startState of [{ city: 'Bergen' }, [{ key: 'city', value: 'Bergen' }]]) {
    await ask(llm([first]), { overrides: { startState, llmMessages: [first, second] } }, open)
    const said = model.requests.at(-1)!.messages.map(({ content }) => content)
    assert.deepEqual(
      said.filter((text) => text === 'First.' || text === 'Second.'),
      ['First.', 'Second.'],
    )
    assert.equal(said.at(-1), 'Bergen, Norway')
  }
})
