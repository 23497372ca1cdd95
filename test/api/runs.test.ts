import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { ExecutionAnswer, SpanAnswer } from '../../src/api/execution.ts'
import type { PredictionAnswer } from '../../src/api/prediction.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { start, step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawDocumentChat } from '../support/document-chat.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { drawToolAgent, scriptedModel } from '../support/tool-agent.ts'
import { until } from '../support/until.ts'

/** Every answer leaves a record of its run: what was called, how long it took, and why it failed. */

const SECRET = 'token-of-the-tool-server'
/** A server with a long text, which repeats the header of its caller. */
const tools = createServer((request, response) => {
  response.setHeader('content-type', 'text/plain')
  response.end(`${request.headers.authorization} ${'x'.repeat(1_048_576)}`)
}).listen(0, '127.0.0.1')

const [platform, chat] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
  tools.close()
})

const model = scriptedModel(chat.url)
const address = () => `http://127.0.0.1:${(tools.address() as AddressInfo).port}/text`

const agentNodes = (more: JsonObject = {}) =>
  drawToolAgent(
    chat.url,
    {
      requestsPostUrl: address(),
      requestsPostName: 'write_text',
      requestsPostDescription: 'Writes a text',
      requestsPostHeaders: JSON.stringify({ Authorization: `Bearer ${SECRET}` }),
      requestsPostMaxOutputLength: '1000000',
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
const documents = await makeFlow('Documents', drawDocumentChat(chat.url))
assert.equal((await platform.manage('POST', `/api/v1/vector/upsert/${documents}`, {})).status, 200)

const write = { calls: [{ name: 'write_text', input: { body: { note: 'short' } } }] }

const ask = (flow: string, body: JsonObject, key?: string) =>
  platform.call<PredictionAnswer>('POST', `/api/v1/prediction/${flow}`, { body, ...(key ? { key } : {}) })
const list = async (query: string) =>
  (await platform.manage<{ data: ExecutionAnswer[]; total: number }>('GET', `/api/v1/executions?${query}`))
    .body
/** The only run of a session. */
async function runOf(sessionId: string): Promise<ExecutionAnswer> {
  const { data, total } = await list(`sessionId=${sessionId}`)
  assert.equal(total, 1)
  return data[0]!
}
const kinds = ({ spans }: ExecutionAnswer) => spans.map(({ kind, status }) => `${kind} ${status}`)

test('an answer of a tool agent leaves a run with tokens, tool calls and times on one axis; a long output is cut and says so [runs:every-answer, runs:bounded]', async () => {
  chat.script(write, { text: 'Written.' })
  const question = `Write a\n  text, ${'please '.repeat(40)}`
  const { body, text, status } = await ask(agent, { question, chatId: 'tools' }, ADMIN_KEY)
  assert.equal(status, 200, text)
  const run = await runOf('tools')
  assert.equal(body.executionId, run.id)
  assert.partialDeepStrictEqual(run, { kind: 'CHATFLOW', agentflowId: agent, state: 'FINISHED', steps: 3 })
  assert.match(run.title, /^Write a text, please [^\n]{1,110}…$/)
  assert.deepEqual(kinds(run), ['model FINISHED', 'tool FINISHED', 'model FINISHED'])
  const [first, call, last] = run.spans as [SpanAnswer, SpanAnswer, SpanAnswer]
  assert.match(first.name, /scripted/)
  assert.ok(first.inputTokens! > 0 && last.outputTokens! > 0)
  assert.partialDeepStrictEqual(call, {
    name: 'write_text',
    input: { body: { note: 'short' } },
    httpStatus: 200,
  })
  assert.match(call.output!, /… \(cut: it has 1,0\d\d,\d\d\d characters\)$/)
  assert.ok(call.output!.length < 16_100)
  assert.ok(!JSON.stringify(run).includes(SECRET))
  const whole = Date.parse(run.updatedDate) - Date.parse(run.createdDate)
  let before = 0
  for (const { offset, ms } of run.spans) {
    assert.ok(offset >= before - 5 && offset + ms! <= whole + 5, `${offset} + ${ms} of ${whole}`)
    before = offset + ms!
  }
  assert.deepEqual(
    run.executionData.map(({ nodeId, status, data }) => [nodeId, status, data.output]),
    [['toolAgent_0', 'FINISHED', { content: 'Written.' }]],
  )
  const [short] = (await list('sessionId=tools&summary=true')).data
  assert.deepEqual([short!.spans, short!.executionData, short!.steps], [[], [], 3])
})

test('an answer from documents leaves the search with its sources and scores, and the rephrasing [runs:every-answer]', async () => {
  chat.script({ text: 'They hold hands.' }, { text: 'Do otters sleep?' }, { text: 'Yes.' })
  await ask(documents, { question: 'How do otters sleep?', chatId: 'docs' })
  const first = await runOf('docs')
  assert.deepEqual(kinds(first), ['search FINISHED', 'model FINISHED'])
  await ask(documents, { question: 'Really?', chatId: 'docs' })
  const run = (await list('sessionId=docs&search=REALLY')).data[0]!
  assert.deepEqual(kinds(run), ['model FINISHED', 'search FINISHED', 'model FINISHED'])
  const [rephrasing, search] = run.spans as [SpanAnswer, SpanAnswer]
  assert.equal(rephrasing.purpose, 'rephrase the question')
  assert.partialDeepStrictEqual(search, { query: 'Do otters sleep?', hits: 1 })
  assert.equal(search.sources!.length, 1)
  assert.equal(typeof search.sources![0]!.score, 'number')
})

test('streamed answers, those in the protocol of OpenAI and those over MCP leave runs; visitors get no id of them [runs:every-answer]', async () => {
  chat.otherwise = { text: 'They hold hands.' }
  const streamed = await fetch(`${platform.url}/api/v1/prediction/${documents}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Streamed?', chatId: 'stream', streaming: true }),
  })
  const frames = await streamed.text()
  assert.ok(!frames.includes('"event":"span"') && !frames.includes('executionId'), frames)
  const messages = [{ role: 'user', content: 'Over OpenAI?' }]
  const body = { model: documents, messages }
  assert.equal((await platform.call('POST', '/v1/chat/completions', { body })).status, 200)
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask', arguments: { question: 'Over MCP?' } },
  }
  const headers = { accept: 'application/json, text/event-stream' }
  const mcp = await platform.call('POST', `/api/v1/mcp/${documents}`, { body: call, headers })
  assert.equal(mcp.status, 200, mcp.text)
  chat.otherwise = undefined
  for (const title of ['Streamed?', 'Over OpenAI?', 'Over MCP?']) {
    const { data } = await list(`agentflowId=${documents}&search=${encodeURIComponent(title)}`)
    assert.deepEqual(
      data.map((run) => [run.title, run.state, ...kinds(run)]),
      [[title, 'FINISHED', 'search FINISHED', 'model FINISHED']],
    )
  }
})

test('a failed answer leaves a run with the code of its error, a stopped one and one whose client went are TERMINATED [runs:failures]', async () => {
  chat.script({ status: 400, body: `no, ${SECRET}` })
  const failed = await ask(agent, { question: 'Fail', chatId: 'fails' })
  assert.ok(failed.status >= 400)
  const run = await runOf('fails')
  assert.deepEqual(
    [run.state, run.failure?.code, run.failure?.nodeId],
    ['ERROR', 'provider_failed', 'toolAgent_0'],
  )
  assert.deepEqual([kinds(run), run.spans[0]!.error?.code], [['model ERROR'], 'provider_failed'])
  const stored = await platform.manage<JsonObject[]>('GET', `/api/v1/chatmessage/${agent}?chatId=fails`)
  assert.equal(stored.body[0]!.executionId, run.id)

  chat.script('silence', 'silence')
  const stopped = ask(agent, { question: 'Stop', chatId: 'stops' })
  const leaving = new AbortController()
  const left = fetch(`${platform.url}/api/v1/prediction/${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Leave', chatId: 'leaves' }),
    signal: leaving.signal,
  }).catch(() => undefined)
  await until(() => chat.left() === 0)
  // The record of a run can be read while it goes on, with the call that it waits for.
  await until(async () => (await list('sessionId=stops&state=INPROGRESS')).data[0]?.spans.length === 1)
  await platform.manage('PUT', `/api/v1/chatmessage/abort/${agent}/stops`)
  await stopped
  leaving.abort()
  await left
  for (const session of ['stops', 'leaves']) {
    await until(async () => (await list(`sessionId=${session}&state=TERMINATED`)).total === 1)
    const ended = await runOf(session)
    assert.deepEqual([ended.failure?.code, kinds(ended)], ['cancelled', ['model TERMINATED']])
  }
})

test('a run that waits for a person goes on as the same run, with the wait in it [runs:one-run]', async () => {
  chat.script(write)
  const asked = await ask(careful, { question: 'Write it', chatId: 'waits' }, ADMIN_KEY)
  const waiting = await runOf('waits')
  assert.deepEqual([waiting.state, kinds(waiting)], ['STOPPED', ['model FINISHED']])
  chat.script({ text: 'Written.' })
  const humanInput = { type: 'proceed', startNodeId: String(asked.body.action!.data.nodeId) }
  const decided = await ask(careful, { question: 'Yes', humanInput, chatId: 'waits' }, ADMIN_KEY)
  assert.equal(decided.body.executionId, waiting.id)
  const run = await runOf('waits')
  assert.deepEqual([run.state, run.title], ['FINISHED', 'Write it'])
  assert.deepEqual(kinds(run), ['model FINISHED', 'wait FINISHED', 'tool FINISHED', 'model FINISHED'])
  assert.deepEqual([run.spans.map(({ id }) => id), run.spans[1]!.decision], [[1, 2, 3, 4], 'proceed'])
  const again = await ask(careful, { question: 'Yes', humanInput, chatId: 'waits' })
  assert.ok(again.status >= 400)
  assert.equal((await runOf('waits')).state, 'FINISHED')
})

test('the run of an agent flow nests its model calls in its nodes; the list tells the kinds apart [runs:every-answer]', async () => {
  const flow = await makeFlow('Two steps', {
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
  chat.script({ text: 'Four.' })
  const answer = await ask(flow, { question: 'How many?', chatId: 'nested' })
  assert.equal(answer.status, 200, answer.text)
  const run = await runOf('nested')
  assert.equal(answer.body.executionId, run.id)
  assert.deepEqual(
    run.spans.map(({ id, parent, kind, name }) => [id, parent, kind, name.split('/')[0]]),
    [
      [1, undefined, 'node', 'startAgentflow_0'],
      [2, undefined, 'node', 'llmAgentflow_0'],
      [3, 2, 'model', run.spans[2]!.name.split('/')[0]],
    ],
  )
  const of = async (query: string) => new Set((await list(query)).data.map(({ kind }) => kind))
  assert.deepEqual([...(await of('kind=AGENTFLOW'))], ['AGENTFLOW'])
  assert.deepEqual([...(await of('kind=CHATFLOW&limit=5'))], ['CHATFLOW'])
  assert.equal((await platform.manage('GET', '/api/v1/executions?kind=ODD')).status, 400)
})

test('runs of chat flows go with their conversation, and are for managers alone [runs:kept, agent:executions]', async () => {
  const { id } = await runOf('tools')
  const { apiKey } = await platform.key({ scopes: ['predict', 'query', 'upsert'] })
  const byKey = await platform.call('GET', `/api/v1/executions/${id}`, { key: apiKey })
  assert.ok([401, 403].includes(byKey.status))
  await platform.manage('DELETE', `/api/v1/chatmessage/${agent}?chatId=tools`)
  assert.equal((await platform.manage('GET', `/api/v1/executions/${id}`)).status, 404)
  assert.equal((await list('sessionId=tools')).total, 0)
})
