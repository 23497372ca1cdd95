import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { reference } from '../support/flow-drawing.ts'
import { makePlatform } from '../support/platform.ts'
import { oldFlow, oldModel, oldNode, oldTable, startNode } from '../support/version-1-flows.ts'

const [platform, chat] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
})

type Row = {
  nodeId: string | null
  input: string | null
  severity: string
  what: string
  instead: string | null
}
type Imported = { flow: { id: string; type: string }; report: { runs: string; rows: Row[] } }
type Answer = {
  text: string
  message?: string
  code?: string
  action?: { data: { nodeId: string } }
  usedTools?: { tool: string }[]
  agentFlowExecutedData: { nodeLabel: string; data: { state?: JsonObject } }[]
}

const take = async (flow: object): Promise<Imported> => {
  const { status, text, body } = await platform.manage<Imported>(
    'POST',
    '/api/v1/chatflows/import?name=Old',
    flow,
  )
  assert.equal(status, 200, text)
  return body
}
const storeSteps = async (nodes: object[], edges: object[]): Promise<string> => {
  const flow = { name: 'Twin', flowData: { nodes, edges }, type: 'AGENTFLOW' }
  const { status, text, body } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', flow)
  assert.equal(status, 200, text)
  return body.id
}
const ask = async (flow: string, body: object): Promise<Answer> => {
  const answer = await platform.call<Answer>('POST', `/api/v1/prediction/${flow}`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const refused = (rows: Row[]) =>
  rows.filter(({ severity }) => severity === 'unsupported' || severity === 'needed')
const agent = (id: string, from: string[], more: object = {}) =>
  oldNode(id, { agentName: id, sequentialNode: from.map(reference), ...more })
const model = { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none' }

/** What the models were asked since a call, without what belongs to a protocol. */
const askedSince = (from: number) =>
  chat.calls.slice(from).map(({ body }) => ({
    messages: body.messages,
    tools: body.tools,
    shape: body.response_format,
  }))

test('a version 1 agent holds a conversation: memory, state that is appended to, a tool that a person approves [flow:import]', async () => {
  const { flow, report } = await take(
    oldFlow(
      [
        oldModel(chat.url),
        oldNode('agentMemory_0', { databaseType: 'sqlite' }),
        oldNode('seqState_0', {
          stateMemoryUI: oldTable([{ key: 'seen', type: 'Append', defaultValue: '' }]),
        }),
        startNode({ agentMemory: reference('agentMemory_0'), state: reference('seqState_0') }),
        oldNode('currentDateTime_0', {}),
        agent('seqAgent_0', ['seqStart_0'], {
          agentName: 'Clerk',
          systemMessagePrompt: 'You work at {place}. Seen: {seen}',
          promptValues: '{"place":"the harbour","seen":"$flow.state.seen"}',
          tools: [reference('currentDateTime_0')],
          interrupt: true,
          updateStateMemoryUI: oldTable([{ key: 'seen', value: '$flow.output.content' }]),
        }),
        oldNode('seqEnd_0', { sequentialNode: reference('seqAgent_0') }),
      ],
      [
        ['seqStart_0', 'seqAgent_0'],
        ['seqAgent_0', 'seqEnd_0'],
      ],
    ),
  )
  assert.equal(flow.type, 'AGENTFLOW')
  assert.deepEqual([report.runs, refused(report.rows)], ['yes', []])

  const tool = 'current_date_time'
  chat.script({ calls: [{ name: tool, input: {} }] })
  const waiting = await ask(flow.id, { question: 'What time is it?', chatId: 'clerk' })
  assert.ok(waiting.action)
  assert.deepEqual((chat.calls.at(-1)!.body.messages as JsonObject[]).slice(0, 2), [
    { role: 'system', content: 'You work at the harbour. Seen: []' },
    { role: 'user', content: 'What time is it?' },
  ])
  chat.script({ text: 'Noon.' })
  const first = await ask(flow.id, { chatId: 'clerk', humanInput: { type: 'proceed' } })
  assert.equal(first.text, 'Noon.')
  assert.deepEqual(
    first.usedTools?.map(({ tool: name }) => name),
    [tool],
  )

  chat.script({ text: 'Rain.' })
  const second = await ask(flow.id, { question: 'And the weather?', chatId: 'clerk' })
  assert.equal(second.text, 'Rain.')
  assert.deepEqual(chat.calls.at(-1)!.body.messages, [
    { role: 'system', content: 'You work at the harbour. Seen: ["Noon."]' },
    { role: 'user', content: 'What time is it?' },
    // The wait for a person is a part of the conversation.
    { role: 'assistant', content: waiting.text },
    { role: 'user', content: '' },
    { role: 'assistant', content: 'Noon.' },
    { role: 'user', content: 'And the weather?' },
  ])
  const kept = second.agentFlowExecutedData.findLast(({ data }) => data.state?.seen)?.data.state?.seen
  assert.equal(kept, '["Noon.","Rain."]')
})

test('branches that part and meet answer like their twin of version 2', async () => {
  const { flow } = await take(
    oldFlow(
      [
        oldModel(chat.url),
        startNode(),
        ...[
          ['A', 'seqStart_0'],
          ['B', 'seqAgent_0'],
          ['C', 'seqAgent_0'],
          ['D', 'seqAgent_1', 'seqAgent_2'],
        ].map(([name, ...from], index) =>
          agent(`seqAgent_${index}`, from, {
            agentName: `Agent${name}`,
            systemMessagePrompt: `Only reply "I am ${name}"`,
          }),
        ),
        oldNode('seqEnd_0'),
      ],
      [
        ['seqStart_0', 'seqAgent_0'],
        ['seqAgent_0', 'seqAgent_1'],
        ['seqAgent_0', 'seqAgent_2'],
        ['seqAgent_2', 'seqAgent_3'],
        ['seqAgent_1', 'seqAgent_3'],
        ['seqAgent_3', 'seqEnd_0'],
      ],
    ),
  )
  const twin = await storeSteps(
    [
      step('startAgentflow_0', { startInputType: 'chatInput', startEphemeralMemory: true }),
      ...['A', 'B', 'C', 'D'].map((name, index) =>
        step(`agentAgentflow_${index}`, {
          agentModel: 'chatOpenAICustom',
          agentModelConfig: model,
          agentMessages: [{ role: 'system', content: `Only reply "I am ${name}"` }],
          agentEnableMemory: true,
        }),
      ),
    ],
    steps(
      'startAgentflow_0 > agentAgentflow_0',
      'agentAgentflow_0 > agentAgentflow_1',
      'agentAgentflow_0 > agentAgentflow_2',
      'agentAgentflow_1 > agentAgentflow_3',
      'agentAgentflow_2 > agentAgentflow_3',
    ),
  )
  await assertLikeTwin(flow.id, twin, () =>
    chat.script({ text: 'I am A' }, { text: 'I am B' }, { text: 'I am C' }, { text: 'I am D' }),
  )
})

test('a supervisor with workers answers like its twin of version 2, and a worker calls its tool', async () => {
  const { flow, report } = await take({
    nodes: [
      oldModel(chat.url),
      oldNode('supervisor_0', {
        supervisorName: 'Boss',
        model: reference('chatOpenAICustom_0'),
        recursionLimit: 10,
      }),
      oldNode('currentDateTime_0'),
      oldNode('worker_0', {
        workerName: 'Clock Keeper',
        workerPrompt: 'You know the time at {company}.',
        promptValues: { company: 'Otters Inc' },
        tools: [reference('currentDateTime_0')],
        supervisor: reference('supervisor_0'),
      }),
      oldNode('worker_1', {
        workerName: 'Poet',
        workerPrompt: 'You write verses.',
        supervisor: reference('supervisor_0'),
      }),
    ],
    edges: [],
  })
  assert.equal(report.runs, 'yes')
  const team = 'clock_keeper, poet'
  const worker = (id: string, prompt: string, tools: object[]) =>
    step(id, {
      agentModel: 'chatOpenAICustom',
      agentModelConfig: model,
      agentMessages: [
        {
          role: 'system',
          content: `${prompt}\nWork autonomously according to your specialty, using the tools available to you. Do not ask for clarification. Your other team members (and other teams) will collaborate with you with their own specialties. You are chosen for a reason! You are one of the following team members: ${team}.`,
        },
      ],
      agentTools: tools,
      agentEnableMemory: true,
      agentUserMessage: '{{ $flow.state.instruction }}',
      agentUpdateState: [{ key: 'last', value: '{{ output }}' }],
    })
  const value1 = '{{ $flow.state.next }}'
  const twin = await storeSteps(
    [
      step('startAgentflow_0', {
        startInputType: 'chatInput',
        startEphemeralMemory: true,
        startState: ['next', 'instruction', 'last'].map((key) => ({ key, value: '' })),
      }),
      step('llmAgentflow_0', {
        llmModel: 'chatOpenAICustom',
        llmModelConfig: model,
        llmMessages: [
          {
            role: 'system',
            content: `You are a supervisor tasked with managing a conversation between the following workers: ${team}.\nGiven the following user request, respond with the worker to act next.\nEach worker will perform a task and respond with their results and status.\nWhen finished, respond with FINISH.\nSelect strategically to minimize the number of steps taken.`,
          },
        ],
        llmEnableMemory: true,
        llmUserMessage: `Given the conversation above, who should act next? Or should we FINISH? Select one of: FINISH, ${team}`,
        llmReturnResponseAs: 'assistantMessage',
        llmStructuredOutput: [
          { key: 'reasoning', type: 'string' },
          { key: 'next', type: 'enum', enumValues: `FINISH, ${team}` },
          {
            key: 'instructions',
            type: 'string',
            description: 'The specific instructions of the sub-task the next role should accomplish.',
          },
        ],
        llmUpdateState: [
          { key: 'next', value: '{{ output.next }}' },
          { key: 'instruction', value: '{{ output.instructions }}' },
        ],
      }),
      step('conditionAgentflow_0', {
        conditions: [
          { type: 'string', value1, operation: 'equal', value2: 'clock_keeper' },
          { type: 'string', value1, operation: 'equal', value2: 'poet' },
        ],
      }),
      worker('agentAgentflow_0', 'You know the time at Otters Inc.', [
        { agentSelectedTool: 'currentDateTime', agentSelectedToolConfig: {} },
      ]),
      worker('agentAgentflow_1', 'You write verses.', []),
      step('loopAgentflow_0', { loopBackToNode: 'llmAgentflow_0', maxLoopCount: 5 }),
      step('directReplyAgentflow_0', { directReplyMessage: '{{ $flow.state.last }}' }),
    ],
    steps(
      'startAgentflow_0 > llmAgentflow_0',
      'llmAgentflow_0 > conditionAgentflow_0',
      'conditionAgentflow_0 0> agentAgentflow_0',
      'conditionAgentflow_0 1> agentAgentflow_1',
      'conditionAgentflow_0 2> directReplyAgentflow_0',
      'agentAgentflow_0 > loopAgentflow_0',
      'agentAgentflow_1 > loopAgentflow_0',
    ),
  )
  const next = (name: string, instructions: string) => ({
    text: JSON.stringify({ reasoning: 'It fits', next: name, instructions }),
  })
  const answer = await assertLikeTwin(flow.id, twin, () =>
    chat.script(
      next('clock_keeper', 'Say the time'),
      { calls: [{ name: 'current_date_time', input: {} }] },
      { text: 'It is noon.' },
      next('poet', 'Make it a verse'),
      { text: 'Noon, soon the moon.' },
      next('FINISH', 'Done'),
    ),
  )
  assert.equal(answer.text, 'Noon, soon the moon.')

  // A supervisor that asks for workers for ever is stopped by the count, and the answer is that of the last worker.
  chat.otherwise = ({ body }) => (body.response_format ? next('poet', 'Again') : { text: 'Another verse.' })
  const endless = await ask(flow.id, { question: 'Verses!', chatId: 'endless' })
  chat.otherwise = undefined
  assert.equal(endless.text, 'Another verse.')
  assert.equal(endless.agentFlowExecutedData.filter(({ nodeLabel }) => nodeLabel === 'Poet').length, 6)
})

/** Asks an imported flow and its twin: models get the same, tools are called alike, and the answers are one. */
async function assertLikeTwin(imported: string, twin: string, script: () => void): Promise<Answer> {
  const answers: { answer: Answer; asked: unknown }[] = []
  for (const flow of [imported, twin]) {
    script()
    const from = chat.calls.length
    const answer = await ask(flow, { question: 'Who is there?', chatId: `chat-${flow}` })
    assert.equal(chat.left(), 0)
    answers.push({ answer, asked: withoutTimes(askedSince(from)) })
  }
  const [first, second] = answers
  assert.deepEqual(first!.asked, second!.asked)
  assert.equal(first!.answer.text, second!.answer.text)
  assert.deepEqual(
    first!.answer.usedTools?.map(({ tool }) => tool),
    second!.answer.usedTools?.map(({ tool }) => tool),
  )
  return first!.answer
}

/** The results of a clock and the ids of calls differ. */
const withoutTimes = (calls: ReturnType<typeof askedSince>): unknown =>
  calls.map(({ messages, ...more }) => ({
    ...more,
    messages: (messages as JsonObject[]).map(({ role, content, tool_calls: asked }) => ({
      role,
      content: role === 'tool' ? 'a time' : content,
      calls: Array.isArray(asked) ? asked.length : 0,
    })),
  }))

test('conditions, loops and ends of version 1: the answer is the last message, whatever chooses the end', async () => {
  const { flow, report } = await take(
    oldFlow(
      [
        oldModel(chat.url),
        startNode(),
        oldNode('seqLLMNode_0', { llmNodeName: 'Writer', systemMessagePrompt: 'Write.' }),
        oldNode(
          'seqCondition_0',
          {
            conditionName: 'Long enough',
            conditionUI: oldTable([
              {
                variable: '$flow.state.messages.length',
                operation: 'Less Than or Equal To',
                value: '3',
                output: 'Go On',
              },
            ]),
          },
          ['Go On', 'End'],
        ),
        oldNode('seqLoop_0', { loopToName: 'Writer' }),
        oldNode(
          'seqConditionAgent_0',
          {
            conditionAgentName: 'Judge',
            systemMessagePrompt: 'Judge the text.',
            conditionAgentStructuredOutput: oldTable([
              { key: 'verdict', type: 'Enum', enumValues: 'good, bad' },
            ]),
            conditionUI: oldTable([
              { variable: '$flow.output.verdict', operation: 'Is', value: 'bad', output: 'Apologise' },
            ]),
          },
          ['Apologise', 'End'],
        ),
        oldNode('seqLLMNode_1', { llmNodeName: 'Apology', systemMessagePrompt: 'Say sorry.' }),
        oldNode('seqEnd_0'),
      ],
      [
        ['seqStart_0', 'seqLLMNode_0'],
        ['seqLLMNode_0', 'seqCondition_0'],
        ['seqCondition_0', 'seqLoop_0', 'Go On'],
        ['seqCondition_0', 'seqConditionAgent_0', 'End'],
        ['seqConditionAgent_0', 'seqLLMNode_1', 'Apologise'],
        ['seqConditionAgent_0', 'seqEnd_0', 'End'],
      ],
    ),
  )
  assert.deepEqual(refused(report.rows), [])
  chat.script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: '{"output":"good"}' })
  assert.equal((await ask(flow.id, { question: 'A text', chatId: 'good' })).text, 'Three.')
  chat.script({ text: '1' }, { text: '2' }, { text: '3' }, { text: '{"output":"bad"}' }, { text: 'Sorry.' })
  assert.equal((await ask(flow.id, { question: 'A text', chatId: 'bad' })).text, 'Sorry.')
})

test('a state that code writes is as code of version 1 expects it, and keys that it leaves out keep their values', async () => {
  const code = `const calls = $flow.output.usedTools ?? []
if ($flow.state.plan.length === 0) return {}
return { plan: $flow.state.plan.slice(1), past: [[$flow.state.plan[0], $flow.output.content]], count: $flow.state.messages.length + calls.length }`
  const { flow, report } = await take(
    oldFlow(
      [
        oldModel(chat.url),
        oldNode('seqState_0', {
          stateMemoryUI: oldTable([
            { key: 'plan', type: 'Replace', defaultValue: '["eat","sleep"]' },
            { key: 'past', type: 'Append', defaultValue: '' },
            { key: 'count', type: 'Replace', defaultValue: '' },
            { key: 'kept', type: 'Replace', defaultValue: 'as it was' },
          ]),
        }),
        startNode({ state: reference('seqState_0') }),
        agent('seqAgent_0', ['seqStart_0'], {
          agentName: 'Doer',
          humanMessagePrompt: '{task}',
          promptValues: '{"task":"$flow.state.plan[0]"}',
          selectedUpdateStateMemoryTab_seqAgent_0: 'updateStateMemoryCode_seqAgent_0',
          updateStateMemoryCode: code,
        }),
        oldNode('seqEnd_0'),
      ],
      [
        ['seqStart_0', 'seqAgent_0'],
        ['seqAgent_0', 'seqEnd_0'],
      ],
    ),
  )
  assert.deepEqual(refused(report.rows), [])
  chat.script({ text: 'Ate.' })
  const { text, agentFlowExecutedData } = await ask(flow.id, { question: 'Go', chatId: 'doer' })
  assert.equal(text, 'Ate.')
  assert.partialDeepStrictEqual((chat.calls.at(-1)!.body.messages as JsonObject[]).at(-1), { content: 'eat' })
  assert.deepEqual(agentFlowExecutedData.at(-1)!.data.state, {
    plan: '["sleep"]',
    past: '[["eat","Ate."]]',
    count: '2',
    kept: 'as it was',
  })
})

test('what version 1 has and steps have not is named with what to use instead, and so is a drawing without a way', async () => {
  const { report } = await take(
    oldFlow(
      [
        oldModel(chat.url),
        startNode(),
        agent('seqAgent_0', ['seqStart_0'], { messageHistory: 'return []' }),
        oldNode('seqLLMNode_0', { llmNodeName: 'Asker', systemMessagePrompt: 'Ask {nobody}' }),
        oldNode('seqLoop_0', { loopToName: 'Nowhere' }),
      ],
      [
        ['seqStart_0', 'seqAgent_0'],
        ['seqStart_0', 'seqLLMNode_0'],
        ['seqLLMNode_0', 'seqLoop_0'],
      ],
    ),
  )
  assert.equal(report.runs, 'no')
  const lines = report.rows.map(({ nodeId, input, severity }) => `${severity} ${nodeId} ${input}`)
  for (const line of [
    'unsupported seqAgent_0 messageHistory',
    'unsupported seqLoop_0 loopToName',
    'needed llmAgentflow_0 systemMessagePrompt',
  ])
    assert.ok(lines.includes(line), `${line} in ${lines.join('; ')}`)

  const many = Array.from({ length: 5000 }, (_, index) => oldNode(`seqAgent_${index}`))
  const refusals = [
    [oldFlow([oldModel(chat.url), agent('seqAgent_0', [])], []), /neither a Start node nor a supervisor/],
    [
      oldFlow(
        [startNode(), agent('seqAgent_0', []), agent('seqAgent_1', [])],
        [
          ['seqStart_0', 'seqAgent_0'],
          ['seqAgent_0', 'seqAgent_1'],
          ['seqAgent_1', 'seqAgent_0'],
        ],
      ),
      /lead in a circle: seqAgent_0, seqAgent_1/,
    ],
    [oldFlow(many, []), /it has 5,000 nodes/],
    [{ nodes: [oldNode('supervisor_0', { supervisorName: 'Alone' })], edges: [] }, /Alone has no workers/],
    [
      { nodes: [oldNode('supervisor_0'), oldNode('supervisor_1')], edges: [] },
      /it has 2 supervisors: supervisor_0, supervisor_1/,
    ],
  ] as const
  for (const [flow, expected] of refusals) {
    const { status, body } = await platform.manage<{ code: string; message: string }>(
      'POST',
      '/api/v1/chatflows/import',
      flow,
    )
    assert.deepEqual([status, body.code], [400, 'flow_invalid'])
    assert.match(body.message, expected)
  }
})
