import assert from 'node:assert/strict'
import { test } from 'node:test'
import { llm, oneAgent, props, start, step, steps } from '../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../test/support/scripted-model.ts'
import { until } from '../../../test/support/until.ts'
import type { Tool } from '../../contract/tool.ts'
import { SluiceError } from '../../kit/errors.ts'

const mention = (name: string) => `<span data-type="mention" data-id="${name}">{{ ${name} }}</span>`

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

test('an agent flow answers, and emits its events in the order of Flowise [agent:tools, agent:date]', async () => {
  const model = scriptedModel({ calls: [{ name: 'list', input: {} }] }, 'Nothing new')
  const { ask } = agentRuntime({
    models: { model },
    tools,
    past: [{ role: 'userMessage', content: 'Hello' }],
  })
  const { text, tokens, names, usedTools, agentFlowExecutedData, sourceDocuments } = await ask(
    oneAgent({
      agentMessages: [{ role: 'system', content: `<p>Now: ${mention('current_date_time')}, be kind.</p>` }],
      agentTools: [props('list')],
    }),
  )
  assert.deepEqual([text, tokens], ['Nothing new', 'Nothing new'])
  assert.deepEqual(names, [
    'agentFlowEvent',
    'nextAgentFlow',
    'nextAgentFlow',
    'agentFlowExecutedData',
    'nextAgentFlow',
    'calledTools',
    'toolResult',
    'token',
    'token',
    'nextAgentFlow',
    'agentFlowExecutedData',
    'usedTools',
    'sourceDocuments',
    'usageMetadata',
    'agentFlowEvent',
  ])
  assert.deepEqual(model.requests[0]!.messages, [
    { role: 'system', content: 'Now: 2026-07-24T10:00:00.000Z, be kind.' },
    { role: 'user', content: 'Hello' },
    { role: 'user', content: 'What is new?' },
  ])
  assert.deepEqual(
    usedTools?.map(({ trace: _, ...used }) => used),
    [{ tool: 'list', toolInput: {}, toolOutput: 'list: done' }],
  )
  assert.equal(sourceDocuments?.length, 1)
  assert.deepEqual(
    agentFlowExecutedData!.map(({ nodeId, previousNodeIds, status }) => [nodeId, previousNodeIds, status]),
    [
      ['startAgentflow_0', [], 'FINISHED'],
      ['agentAgentflow_0', ['startAgentflow_0'], 'FINISHED'],
    ],
  )
  const { output } = agentFlowExecutedData![1]!.data as { output: Record<string, unknown> }
  assert.partialDeepStrictEqual(output, {
    content: 'Nothing new',
    usedTools,
    usageMetadata: { input_tokens: 2, output_tokens: 2, total_tokens: 4 },
  })
})

test('nodes after a node read its output and the state, and only tokens of the last node are emitted', async () => {
  const first = scriptedModel('{"subject": "Hi", "n": 5}')
  const second = scriptedModel('Sent')
  const { ask } = agentRuntime({ models: { first, second } })
  const output = [
    { key: 'subject', type: 'string', description: 'Subject' },
    { key: 'n', type: 'number' },
  ]
  const { text, tokens, agentFlowExecutedData } = await ask({
    nodes: [
      start({ startState: [{ key: 'city', value: 'Oslo' }] }),
      llm(
        0,
        { llmStructuredOutput: output, llmUpdateState: [{ key: 'n', value: '<p>{{ output.n }}!</p>' }] },
        'first',
      ),
      llm(
        1,
        {
          llmEnableMemory: false,
          llmUserMessage: `<p>${mention('llmAgentflow_0.output.subject')} {{$flow.state.city}} {{ $flow.state.n }} {{llmAgentflow_0}}</p>`,
        },
        'second',
      ),
    ],
    edges: steps('startAgentflow_0 > llmAgentflow_0', 'llmAgentflow_0 > llmAgentflow_1'),
  })
  assert.deepEqual([text, tokens], ['Sent', 'Sent'])
  assert.deepEqual(first.requests[0]!.answerSchema?.schema, {
    type: 'object',
    properties: { subject: { type: 'string', description: 'Subject' }, n: { type: 'number' } },
    required: ['subject', 'n'],
    additionalProperties: false,
  })
  assert.deepEqual(second.requests[0]!.messages, [
    { role: 'user', content: 'Hi Oslo 5! {"subject": "Hi", "n": 5}' },
  ])
  assert.deepEqual(agentFlowExecutedData!.at(-1)!.data.state, { city: 'Oslo', n: '5!' })
})

test('a user’s text that looks like a variable or like rich text stays unchanged', async () => {
  const model = scriptedModel('ok')
  const { ask } = agentRuntime({
    models: { model },
    variables: [{ name: 'key', type: 'static', value: 'secret' }],
  })
  const question = '<p>{{$vars.key}} $& {{question}}</p>'
  await ask(oneAgent({ agentEnableMemory: false, agentUserMessage: '<p>Q: {{ question }}</p>' }), {
    question,
  })
  assert.deepEqual(model.requests[0]!.messages, [{ role: 'user', content: `Q: ${question}` }])
})

test('a node where branches meet runs once, after all of them', async () => {
  const { ask } = agentRuntime({})
  const reply = (number: number, message: string) =>
    step(`directReplyAgentflow_${number}`, { directReplyMessage: message })
  const { text, agentFlowExecutedData } = await ask({
    nodes: [
      start(),
      reply(0, 'a'),
      reply(1, 'b'),
      reply(2, 'c'),
      reply(3, '{{directReplyAgentflow_0}}{{directReplyAgentflow_2}}'),
    ],
    edges: steps(
      'startAgentflow_0 > directReplyAgentflow_0',
      'startAgentflow_0 > directReplyAgentflow_1',
      'directReplyAgentflow_1 > directReplyAgentflow_2',
      'directReplyAgentflow_0 > directReplyAgentflow_3',
      'directReplyAgentflow_2 > directReplyAgentflow_3',
    ),
  })
  assert.equal(text, 'ac')
  assert.deepEqual(
    agentFlowExecutedData!.map(({ nodeId }) => nodeId.replace('directReplyAgentflow_', '')),
    ['startAgentflow_0', '0', '1', '2', '3'],
  )
  assert.deepEqual(agentFlowExecutedData!.at(-1)!.previousNodeIds, [
    'directReplyAgentflow_0',
    'directReplyAgentflow_2',
  ])
})

test('a loop goes back up to its maximum and then answers with its fallback text', async () => {
  const { ask } = agentRuntime({})
  const { text, agentFlowExecutedData } = await ask({
    nodes: [
      start(),
      step('directReplyAgentflow_0', { directReplyMessage: 'round {{loop_count}}' }),
      step('loopAgentflow_0', {
        loopBackToNode: 'directReplyAgentflow_0-Reply',
        maxLoopCount: 2,
        fallbackMessage: 'Enough after {{directReplyAgentflow_0}}',
      }),
    ],
    edges: steps('startAgentflow_0 > directReplyAgentflow_0', 'directReplyAgentflow_0 > loopAgentflow_0'),
  })
  assert.equal(text, 'Enough after round 2')
  assert.equal(agentFlowExecutedData!.length, 7)
})

test('an endless loop is ended', async () => {
  const { ask } = agentRuntime({})
  const endless = {
    nodes: [start(), step('loopAgentflow_0', { loopBackToNode: 'startAgentflow_0', maxLoopCount: 1000 })],
    edges: steps('startAgentflow_0 > loopAgentflow_0'),
  }
  await assert.rejects(ask(endless), { code: 'flow_cannot_answer', message: /more than 1000 nodes/ })
})

for (const [what, model, code, status] of [
  ['fails', scriptedModel(fail), 'provider_failed', 'ERROR'],
  ['is cancelled', scriptedModel('silence'), 'cancelled', 'TERMINATED'],
] as const)
  test(`a run that ${what} emits an event for it before it ends`, async () => {
    const gone = new AbortController()
    const { ask, events } = agentRuntime({ models: { model } })
    const asked = assert.rejects(ask(oneAgent(), {}, {}, gone.signal), { code })
    if (code === 'cancelled') {
      await until(() => model.requests.length > 0, 'the question to the model')
      gone.abort()
    }
    await asked
    assert.deepEqual(events.slice(-2), [
      {
        event: 'nextAgentFlow',
        data: { nodeId: 'agentAgentflow_0', nodeLabel: 'agentAgentflow_0', status },
      },
      { event: 'agentFlowEvent', data: status },
    ])
  })

function fail(): never {
  throw new SluiceError('provider_failed', { provider: 'Test', reason: 'it does not exist' })
}

test('an agent flow answers with a whole long text, and shows only its beginning in the data of nodes', async () => {
  const { ask } = agentRuntime({})
  const question = 'a'.repeat(50_000)
  const drawing = {
    nodes: [
      start({ startState: [{ key: 'asked', value: '{{question}}' }] }),
      step('directReplyAgentflow_0', { directReplyMessage: '{{$flow.state.asked}}' }),
    ],
    edges: steps('startAgentflow_0 > directReplyAgentflow_0'),
  }
  const { text, agentFlowExecutedData } = await ask(drawing, { question })
  assert.equal(text, question)
  assert.equal(agentFlowExecutedData!.length, 2)
  for (const { data } of agentFlowExecutedData!) {
    const { output, state } = data as { output: { content: string }; state: { asked: string } }
    assert.deepEqual([output.content.length, state.asked.length], [20_001, 20_001])
  }
})
