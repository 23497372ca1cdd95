import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ConversationAnswer, MessageAnswer } from '../../src/api/chat.ts'
import type { ExecutionAnswer } from '../../src/api/execution.ts'
import type { PredictionAnswer } from '../../src/api/prediction.ts'
import type { QueryAnswer } from '../../src/api/query-answer.ts'
import type { FieldAnswer } from '../../src/api/source.ts'
import { startEvents } from '../../src/events/main.ts'
import { isObject, type JsonObject } from '../../src/kit/json.ts'
import { quietLog } from '../../src/kit/log.ts'
import { start, step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { drawToolAgent, scriptedModel } from '../support/tool-agent.ts'
import { until } from '../support/until.ts'

/** What the studio asks a flow for, and what only managers get. */

const [platform, chat, events] = await Promise.all([
  makePlatform(),
  startChatServer(),
  startEvents({ host: '127.0.0.1', port: 0, log: quietLog }),
])
after(async () => {
  assert.deepEqual(chat.violations, [])
  chat.close()
  await events.close()
})

const TOKEN = 'token-of-the-event-service'
const model = scriptedModel(chat.url)

const agentNodes = (more: JsonObject = {}) =>
  drawToolAgent(
    chat.url,
    {
      requestsPostUrl: `${events.url}/events?api_key=${TOKEN}`,
      requestsPostName: 'create_event',
      requestsPostDescription: 'Creates an event',
      requestsPostHeaders: JSON.stringify({ Authorization: `Bearer ${TOKEN}`, 'X-Team': 'ops' }),
      requestsPostBodySchema: JSON.stringify({
        name: { type: 'string', required: true },
        date: { type: 'string', required: true },
        location: { type: 'string', required: true },
      }),
    },
    more,
  )

async function makeFlow(name: string, flowData: object): Promise<string> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name, flowData })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}
const agent = await makeFlow('Agent', agentNodes())
const careful = await makeFlow('Careful', agentNodes({ asksBeforeChanges: true }))

const FAIR = { name: 'Book fair', date: '2026-03-01T18:00:00Z', location: 'Bergen' }
const create = { calls: [{ name: 'create_event', input: { body: FAIR } }] }

const ask = (flow: string, body: JsonObject, key?: string) =>
  platform.call<PredictionAnswer>('POST', `/api/v1/prediction/${flow}`, { body, ...(key ? { key } : {}) })

/** The events of a streamed answer. */
async function stream(flow: string, body: JsonObject, key = ADMIN_KEY): Promise<JsonObject[]> {
  const response = await fetch(`${platform.url}/api/v1/prediction/${flow}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify({ ...body, streaming: true }),
  })
  assert.equal(response.status, 200)
  return (await response.text())
    .split('\n\n')
    .flatMap((frame) => /^data:(.*)$/m.exec(frame)?.[1] ?? [])
    .map((data) => JSON.parse(data) as JsonObject)
}

const messagesOf = async (flow: string, chatId: string) =>
  (await platform.manage<MessageAnswer[]>('GET', `/api/v1/chatmessage/${flow}?chatId=${chatId}`)).body

test('a manager gets the HTTP calls of tools without their secrets, a visitor gets none [agent:tool-facts]', async () => {
  chat.script(create, { text: 'Made.' }, create, { text: 'Made.' })
  const managed = await ask(agent, { question: 'Make it', chatId: 'managed' }, ADMIN_KEY)
  const visited = await ask(agent, { question: 'Make it', chatId: 'visited' })

  const { trace } = managed.body.usedTools![0]!
  const [call] = trace!.http!
  assert.deepEqual([call!.method, call!.status, call!.complete], ['POST', 201, true])
  assert.equal(call!.address, `${events.url}/events?api_key=••••`)
  assert.deepEqual(JSON.parse(call!.request.body), FAIR)
  assert.equal(call!.request.headers.Authorization, '••••')
  assert.equal(call!.request.headers['X-Team'], 'ops')
  assert.match(call!.response!.body, /"name":"Book fair"/)
  assert.match(call!.response!.headers['content-type']!, /json/)
  assert.ok(call!.bytes > 50 && trace!.ms! >= call!.ms && trace!.startedAt! > 1e12)
  assert.ok(!managed.text.includes(TOKEN))

  assert.deepEqual(Object.keys(visited.body.usedTools![0]!), ['tool', 'toolInput', 'toolOutput'])
  for (const chatId of ['managed', 'visited']) {
    const stored = (await messagesOf(agent, chatId)).at(-1)!
    assert.equal(stored.usedTools![0]!.trace?.http?.[0]?.status, 201)
  }
})

test('the stream of a manager has each tool result when it is there; that of a visitor is as before [agent:tool-facts]', async () => {
  chat.script(create, { text: 'Made.' }, create, { text: 'Made.' })
  const names = (frames: JsonObject[]) => frames.map(({ event }) => event)
  const managed = await stream(agent, { question: 'Make it', chatId: 's1' })
  assert.deepEqual(names(managed), [
    'calledTools',
    'toolResult',
    'start',
    'token',
    'usedTools',
    'metadata',
    'end',
  ])
  const visited = await stream(agent, { question: 'Make it', chatId: 's2' }, '')
  assert.deepEqual(names(visited), ['calledTools', 'start', 'token', 'usedTools', 'metadata', 'end'])
  assert.ok(!JSON.stringify(visited).includes('trace'))
})

test('a call that waits for approval shows a manager the request that it would send [agent:tool-facts]', async () => {
  chat.script(create, create)
  const managed = await ask(careful, { question: 'Make it', chatId: 'm' }, ADMIN_KEY)
  const visited = await ask(careful, { question: 'Make it', chatId: 'v' })
  const callOf = ({ action }: PredictionAnswer) => {
    const { input } = action!.data
    assert.ok(isObject(input) && Array.isArray(input.toolCalls))
    return input.toolCalls[0] as JsonObject
  }
  assert.partialDeepStrictEqual(callOf(managed.body).request, {
    method: 'POST',
    address: `${events.url}/events?api_key=••••`,
    body: JSON.stringify(FAIR),
  })
  assert.deepEqual(Object.keys(callOf(visited.body)), ['tool', 'toolInput'])
  assert.ok(!JSON.stringify(await messagesOf(careful, 'm')).includes(TOKEN))
})

test('the error event of a stream has the code, the status and the node; message and reason are stored [agent:stream-errors]', async () => {
  chat.script({ status: 400 })
  const frames = await stream(agent, { question: 'Hello', chatId: 'fails' })
  const error = frames.find(({ event }) => event === 'error')!
  assert.equal(typeof error.data, 'string')
  assert.partialDeepStrictEqual(error, { code: 'provider_failed', nodeId: 'toolAgent_0' })
  assert.equal(frames.at(-1)!.event, 'end')
  const stored = await messagesOf(agent, 'fails')
  assert.equal(stored.length, 1)
  assert.partialDeepStrictEqual(stored[0]!.failure, { code: 'provider_failed', nodeId: 'toolAgent_0' })

  chat.script({ cutAfter: 'The first half of' })
  await stream(agent, { question: 'Hello', chatId: 'breaks' })
  const [, part] = await messagesOf(agent, 'breaks')
  assert.equal(part?.content, 'The first half of')
  assert.equal(part?.failure?.code, 'provider_failed')
})

test('GET /chatflows/:id/conversations lists conversations with their first question [chat:conversations]', async () => {
  const list = async (query = '') =>
    (
      await platform.manage<{ data: ConversationAnswer[]; total: number }>(
        'GET',
        `/api/v1/chatflows/${careful}/conversations${query}`,
      )
    ).body
  const { data, total } = await list()
  assert.equal(total, 2)
  assert.partialDeepStrictEqual(data[0], { chatId: 'v', title: 'Make it', messages: 2, waits: true })
  assert.deepEqual((await list('?search=nothing')).data, [])
  assert.equal((await list('?page=2&limit=1')).data[0]!.chatId, 'm')
})

test('an execution can be seen while it runs, with the node that runs [agent:executions]', async () => {
  const flow = await makeFlow('Slow', {
    nodes: [
      start(),
      step('llmAgentflow_0', {
        llmModel: 'chatOpenAICustom',
        llmModelConfig: model,
        llmUserMessage: '{{question}}',
      }),
    ],
    edges: steps('startAgentflow_0 > llmAgentflow_0'),
  })
  const list = async (query: string) =>
    (
      await platform.manage<{ data: ExecutionAnswer[]; total: number }>(
        'GET',
        `/api/v1/executions?agentflowId=${flow}${query}`,
      )
    ).body.data
  chat.script('silence')
  const asked = stream(flow, { question: 'Hello', chatId: 'slow' })
  await until(() => chat.left() === 0)
  await until(async () => (await list('&state=INPROGRESS')).length === 1)
  const [running] = await list('&state=INPROGRESS')
  assert.ok(['startAgentflow_0', 'llmAgentflow_0'].includes(running!.executionData.at(-1)!.nodeId))
  await platform.manage('PUT', `/api/v1/chatmessage/abort/${flow}/slow`)
  await asked
  const [ended] = await list('')
  assert.equal(ended!.state, 'TERMINATED')
  assert.deepEqual(
    ended!.executionData.map(({ nodeId, status }) => [nodeId, status]),
    [
      ['startAgentflow_0', 'FINISHED'],
      ['llmAgentflow_0', 'TERMINATED'],
    ],
  )
  const { start: began, end, delta } = ended!.executionData[0]!.timeMetadata!
  assert.ok(end === began + delta && began > 1e12)
  const [short] = await list('&summary=true')
  assert.deepEqual([short!.executionData, short!.steps], [[], 2])
  assert.equal((await messagesOf(flow, 'slow')).at(-1)!.failure?.code, 'cancelled')
})

test('POST /vector/query explains scores, settings and time; GET /vector/fields lists what a filter can name [query:explain, query:fields]', async () => {
  const flow = await platform.flow({ name: 'Docs', overridable: ['files', 'metadata'] })
  await platform.upload(
    flow,
    { 'ferry.txt': 'The ferry to Bergen leaves at noon.', 'tea.txt': 'Tea is made of leaves.' },
    { metadata: JSON.stringify({ team: 'ops' }) },
  )
  const query = async (body: JsonObject) =>
    (await platform.manage<QueryAnswer>('POST', `/api/v1/vector/query/${flow}`, body)).body
  const plain = await query({ query: 'When does the ferry leave?' })
  assert.ok(!('explanation' in plain) && !('parts' in plain.docs[0]!))
  for (const more of [
    { rescore: true },
    { rescore: false },
    { fusion: 'rrf', rescore: false },
    { mode: 'keyword', rescore: false },
    { mode: 'vector', rescore: false },
    { weight: 0.9 },
  ]) {
    const { docs, explanation } = await query({ query: 'When does the ferry leave?', explain: true, ...more })
    for (const { score, rankedScore, ranks, parts } of docs) {
      const total = Object.values(parts!).reduce((sum: number, part) => sum + (part ?? 0), 0)
      assert.ok(Math.abs(total - score) < 1e-9, JSON.stringify(more))
      assert.equal(rankedScore, score)
      assert.ok(ranks!.combined >= 1)
      assert.equal('sentence' in parts!, explanation!.settings.rescore)
    }
    assert.partialDeepStrictEqual(explanation!.settings, { reranker: false, filtered: false, ...more })
    assert.ok(Object.values(explanation!.stages).every((ms) => ms !== undefined && ms >= 0))
  }
  const { body } = await platform.manage<{ data: FieldAnswer[]; sampled: number; total: number }>(
    'GET',
    `/api/v1/vector/fields/${flow}`,
  )
  assert.equal(body.total, 2)
  const source = body.data.find(({ field }) => field === 'source')!
  assert.deepEqual(source.values.toSorted(), ['ferry.txt', 'tea.txt'])
})

test('POST and GET /vector/query name the words that were read in another spelling, unless query or node have it off [query:spelling]', async () => {
  const flow = await platform.flow({ name: 'Spelling', overridable: ['files', 'spelling'] })
  await platform.upload(flow, {
    'ferry.txt': 'The ferry to Bergen leaves at noon.',
    'tea.txt': 'Tea is made of leaves.',
  })
  const url = `/api/v1/vector/query/${flow}`
  const post = async (body: JsonObject) => (await platform.manage<QueryAnswer>('POST', url, body)).body
  const readings = [{ word: 'Bergne', readAs: ['bergen'] }]
  const found = await post({ query: 'Bergne ferry', mode: 'keyword', highlight: true, explain: true })
  assert.deepEqual(found.readings, readings)
  assert.equal(found.explanation!.settings.spelling, true)
  // "ferry" and "Bergen" are marked.
  assert.equal(found.docs[0]!.highlight!.words.length, 2)
  const off = await post({ query: 'Bergne', mode: 'keyword', spelling: false, explain: true })
  assert.deepEqual([off.docs, off.readings, off.explanation!.settings.spelling], [[], undefined, false])
  assert.equal((await post({ query: 'Bergen', explain: true })).readings, undefined)
  assert.equal(
    (await post({ query: 'Bergne', mode: 'vector', explain: true })).explanation!.settings.spelling,
    false,
  )
  assert.equal((await post({ query: 'Bergne', overrideConfig: { spelling: false } })).readings, undefined)
  const both = await platform.manage<{ results: QueryAnswer[] }>('POST', url, {
    queries: ['Bergne', 'Bergen'],
  })
  assert.deepEqual(
    both.body.results.map((one) => one.readings),
    [readings, undefined],
  )
  const asked = await platform.manage<QueryAnswer>('GET', `${url}?q=Bergne&mode=keyword`)
  assert.deepEqual(asked.body.readings, readings)
  const none = await platform.manage<QueryAnswer>('GET', `${url}?q=Bergne&mode=keyword&spelling=false`)
  assert.deepEqual([none.body.docs, none.body.readings], [[], undefined])
})
