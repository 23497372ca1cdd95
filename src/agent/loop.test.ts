import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedModel } from '../../test/support/scripted-model.ts'
import type { AgentEvent } from '../contract/agent.ts'
import type { ChatModel } from '../contract/chat-model.ts'
import type { Tool, ToolOutcome } from '../contract/tool.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import { applyDecision, DEFAULT_LOOP_LIMITS, initialLoopState, type LoopAgent, runLoop } from './loop.ts'
import { toolsByName } from './tool-calls.ts'

const never = new AbortController().signal

type Work = (input: JsonObject, signal: AbortSignal) => Promise<ToolOutcome>

const tool = (name: string, work: Work, more: Partial<Tool> = {}): Tool => ({
  name,
  description: name,
  parameters: {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    required: ['id'],
  },
  call: work,
  ...more,
})

const look = tool('look', async ({ id }) => ({ output: `seen ${id}` }))
const start = () => initialLoopState([{ role: 'user', content: 'go' }])

function agentOf(model: ChatModel, tools: Tool[] = [look], more: Partial<LoopAgent> = {}) {
  return {
    model,
    tools: toolsByName(tools),
    callContext: { flow: { chatflowId: 'f' }, variables: {} },
    limits: DEFAULT_LOOP_LIMITS,
    ...more,
  }
}

/** Runs a loop to its end and returns its events too. */
async function play(agent: LoopAgent, state = start(), signal = never) {
  const events: AgentEvent[] = []
  const end = await runLoop(agent, state, (event) => void events.push(event), signal)
  const tokens = events.flatMap((event) => (event.event === 'token' ? [event.data] : [])).join('')
  return { ...end, events, tokens, results: end.state.messages.filter(({ role }) => role === 'tool') }
}

const calls = (...made: [name: string, input: object | string][]) => ({
  calls: made.map(([name, input]) => ({ name, input })),
})

test('runLoop() emits the tokens of the model, and its thinking as separate events', async () => {
  const { text, tokens, events, state } = await play(
    agentOf(scriptedModel({ thinking: 'hm', text: 'All is well' }), []),
  )
  assert.deepEqual([text, tokens], ['All is well', 'All is well'])
  assert.deepEqual(
    events.map((event) => event.event),
    ['thinking', 'thinking', 'token', 'token', 'token'],
  )
  assert.deepEqual(state.usage, { inputTokens: 1, outputTokens: 1 })
})

test('runLoop() makes the calls of a turn in parallel and gives the model the results in order [agent:tools]', async () => {
  const arrived: unknown[] = []
  let open: () => void
  const both = new Promise<void>((resolve) => (open = resolve))
  const wait = tool('wait', async ({ id }) => {
    arrived.push(id)
    if (arrived.length === 2) open()
    await both
    return { output: `done ${id}`, documents: [{ pageContent: `d${id}`, metadata: {} }] }
  })
  const model = scriptedModel(calls(['wait', { id: 1 }], ['wait', { id: 2 }]), 'both done')
  const { text, state } = await play(agentOf(model, [wait]))
  assert.equal(text, 'both done')
  assert.deepEqual(model.requests[1]!.messages.slice(1), [
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        { id: 'call-1-0', name: 'wait', input: '{"id":1}' },
        { id: 'call-1-1', name: 'wait', input: '{"id":2}' },
      ],
    },
    { role: 'tool', callId: 'call-1-0', name: 'wait', content: 'done 1' },
    { role: 'tool', callId: 'call-1-1', name: 'wait', content: 'done 2' },
  ])
  assert.deepEqual(
    state.usedTools.map(({ toolInput, toolOutput }) => [toolInput, toolOutput]),
    [
      [{ id: 1 }, 'done 1'],
      [{ id: 2 }, 'done 2'],
    ],
  )
  assert.equal(state.documents.length, 2)
})

// Mistakes in a call, and the result that the model reads.
for (const [name, made, words] of [
  ['an unknown tool', ['lok', {}], /^lok is not a valid tool, try another one\.$/],
  ['input that is not JSON', ['look', '{"id":'], /not a JSON object/],
  ['input without a required key', ['look', {}], /does not fit.*id/],
  ['input of another type', ['look', { id: 'x' }], /does not fit.*id.*number/],
  ['a tool that fails', ['broken', { id: 1 }], /^404: no such event$/],
  ['a tool that throws a SluiceError', ['refused', { id: 1 }], /may not call evil/],
] as [string, [string, object | string], RegExp][])
  test(`runLoop() gives the model ${name} as a result, and continues [agent:tools]`, async () => {
    const broken = tool('broken', async () => ({ output: '404: no such event', failed: true }))
    const refusing = tool('refused', async () => {
      throw new SluiceError('egress_denied', { host: 'evil' })
    })
    const model = scriptedModel(calls(made), 'I see')
    const { text, results, state } = await play(agentOf(model, [look, broken, refusing]))
    assert.equal(text, 'I see')
    assert.equal(results.length, 1)
    assert.match(results[0]!.content as string, words)
    assert.equal(results[0]!.role === 'tool' && results[0]!.failed, true)
    assert.match(state.usedTools[0]!.error!, words)
  })

test('runLoop() limits the calls of one turn', async () => {
  const many = Array.from({ length: 40 }, (_, id): [string, object] => ['look', { id }])
  const { state, results } = await play(agentOf(scriptedModel(calls(...many), 'done')))
  assert.equal(results.length, 40)
  const left = state.usedTools.filter(({ error }) => error !== undefined)
  assert.equal(left.length, 8)
  assert.match(left[0]!.error!, /^Not called: no more than 32/)
})

test('runLoop() waits for a slow client', async () => {
  let reading = 0
  const emit = async () => {
    reading++
    assert.equal(reading, 1, 'one event at a time')
    await new Promise((resolve) => setImmediate(resolve))
    reading--
  }
  const model = scriptedModel(
    { thinking: 'hm', text: 'one two', ...calls(['look', { id: 1 }]) },
    'three four',
  )
  assert.equal((await runLoop(agentOf(model), start(), emit, never)).text, 'three four')
})

test('runLoop() converts the input of a model to the types of the schema', async () => {
  const seen: JsonObject[] = []
  const keep = tool('keep', async (input) => {
    seen.push(input)
    return { output: '' }
  })
  await play(agentOf(scriptedModel(calls(['keep', { id: '5', name: 7 }]), 'ok'), [keep]))
  assert.deepEqual(seen, [{ id: 5, name: '7' }])
})

test('runLoop() throws an error that is not a SluiceError', async () => {
  const buggy = tool('buggy', async () => assert.fail('a bug'))
  await assert.rejects(play(agentOf(scriptedModel(calls(['buggy', { id: 1 }])), [buggy])), /a bug/)
})

test('runLoop() gives the user a direct answer unchanged, and the model a failed one [openapi:return-direct]', async () => {
  const direct = tool('direct', async ({ id }) => ({ output: `{"id": ${id}}`, failed: id === 1 }), {
    returnDirect: true,
  })
  const model = scriptedModel(calls(['direct', { id: 1 }]), calls(['direct', { id: 2 }], ['look', { id: 3 }]))
  const { text, tokens } = await play(agentOf(model, [direct, look]))
  assert.deepEqual([text, tokens], ['{"id": 2}', '{"id": 2}'])
})

for (const [name, limits, words] of [
  ['too many steps', { steps: 2 }, 'Agent stopped due to max iterations.'],
  ['too many tokens', { tokens: 10 }, 'Agent stopped because it used more than 10 tokens.'],
  ['too much time', { milliseconds: 50 }, 'Agent stopped because it took longer than 0.05 seconds.'],
] as const)
  test(`runLoop() ends after ${name} with a text that names the limit`, async () => {
    const again = { ...calls(['look', { id: 1 }]), tokens: 6 }
    const model = scriptedModel(again, again, 'milliseconds' in limits ? 'silence' : again)
    const { text, tokens, state } = await play(
      agentOf(model, [look], { limits: { ...DEFAULT_LOOP_LIMITS, ...limits } }),
    )
    assert.deepEqual([text, tokens], [words, words])
    assert.equal(state.usedTools.length, 2, 'the calls that were made are reported')
  })

test('runLoop() ends at once when the client disconnects, in the model and in a tool', async () => {
  for (const where of ['model', 'tool']) {
    const gone = new AbortController()
    const hang = tool('hang', (_, signal) => {
      setImmediate(() => gone.abort())
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      )
    })
    const model = scriptedModel(where === 'model' ? 'silence' : calls(['hang', { id: 1 }]))
    if (where === 'model') setImmediate(() => gone.abort())
    await assert.rejects(play(agentOf(model, [hang]), start(), gone.signal), { code: 'cancelled' })
  }
})

test('runLoop() emits no tokens of a JSON answer', async () => {
  const answerSchema = { name: 'answer', schema: { type: 'object' } }
  const { text, tokens } = await play(agentOf(scriptedModel('{"a": 1}'), [], { answerSchema }))
  assert.deepEqual([text, tokens], ['{"a": 1}', ''])
})

const unsafe = (done: unknown[]) =>
  tool(
    'remove',
    async ({ id }) => {
      done.push(id)
      return { output: `removed ${id}` }
    },
    { unsafe: true },
  )

test('runLoop() waits for approval of each call, and makes no call without it', async () => {
  const done: unknown[] = []
  const made = calls(
    ['remove', { id: 1 }],
    ['look', { id: 2 }],
    ['remove', { id: 3 }],
    ['remove', { id: 'x' }],
  )
  const model = scriptedModel(made, 'so be it')
  const agent = agentOf(model, [unsafe(done), look], { needsApproval: ({ unsafe }) => unsafe === true })

  const first = await play(agent)
  assert.equal(first.waiting?.input, '{"id":1}')
  assert.deepEqual([done, first.state.usedTools.map(({ tool }) => tool)], [[], ['look', 'remove']])

  const kept = JSON.parse(JSON.stringify(first.state))
  const second = await play(agent, applyDecision(kept, false, 'not that one'))
  assert.equal(second.waiting?.input, '{"id":3}')
  assert.deepEqual(done, [])

  const third = await play(agent, applyDecision(second.state, true, undefined))
  assert.deepEqual([third.text, done], ['so be it', [3]])
  assert.deepEqual(
    third.results.map(({ content }) => content),
    [
      'The user did not allow this call. The user says: not that one',
      'seen 2',
      'removed 3',
      third.results[3]!.content,
    ],
  )
  assert.match(third.results[3]!.content as string, /does not fit/)
})

test('toolsByName() numbers two tools with the same name', () => {
  const long = 'x'.repeat(64)
  const named = toolsByName([look, look, tool(long, look.call), tool(long, look.call)])
  assert.deepEqual([...named.keys()], ['look', 'look_2', long, `${'x'.repeat(62)}_2`])
  assert.equal(named.get('look_2')!.name, 'look_2')
})
