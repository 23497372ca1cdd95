import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RunAnswer, RunHead } from '../../src/api/run.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawDocumentChat } from '../support/document-chat.ts'
import { heldFlow, longText } from '../support/held-flow.ts'
import { ADMIN_KEY, form, makePlatform, MORE_SERVERS } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { drawToolAgent } from '../support/tool-agent.ts'
import { startToolServer } from '../support/tool-server.ts'
import { until } from '../support/until.ts'

/** The records of runs: answers, jobs and queries in one form, on the nodes and lines of the drawing. */

const SECRET = 'token-of-the-tool-server'
const [platform, chat, provider, tools] = await Promise.all([
  makePlatform({}, { servers: MORE_SERVERS }),
  startChatServer(),
  startProviderServer(),
  startToolServer(),
])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
  provider.close()
  tools.close()
})

async function makeFlow(name: string, flowData: object): Promise<string> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name, flowData })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}
const agent = await makeFlow(
  'Agent',
  drawToolAgent(chat.url, {
    requestsPostUrl: tools.url,
    requestsPostName: 'write_text',
    requestsPostDescription: 'Writes a text',
    requestsPostHeaders: JSON.stringify({ Authorization: `Bearer ${SECRET}` }),
  }),
)
const documents = await makeFlow('Documents', drawDocumentChat(chat.url))
const loaded = await platform.manage<{ jobId: string }>('POST', `/api/v1/vector/upsert/${documents}`, {})
assert.equal(loaded.status, 200)

const write = (note: string) => ({ calls: [{ name: 'write_text', input: { body: { note } } }] })
const ask = (flow: string, question: string, chatId: string) =>
  platform.manage<JsonObject>('POST', `/api/v1/prediction/${flow}`, { question, chatId })
const record = async (id: string): Promise<RunAnswer> => {
  const { status, text, body } = await platform.manage<RunAnswer>('GET', `/api/v1/runs/${id}`)
  assert.equal(status, 200, text)
  return body
}
const list = async (flow: string) =>
  (await platform.manage<{ data: RunHead[] }>('GET', `/api/v1/runs?flowId=${flow}`)).body.data

test('the record of an answer has its turns with tokens, its calls, and what passed each line of the drawing, without secrets [runs:record]', async () => {
  chat.script(write('one'), write('two'), write('three'), write('four'), { text: 'Written four times.' })
  const { body } = await ask(agent, 'Write four texts', 'four')
  const run = await record(String(body.executionId))
  assert.partialDeepStrictEqual(run, {
    ...{ format: 'sluice-run-1', kind: 'answer', state: 'FINISHED', title: 'Write four texts' },
    ...{ drawing: 'same', flow: { id: agent, name: 'Agent' }, omittedSpans: 0 },
  })
  const nodes = new Map(run.nodes.map((node) => [node.id, node]))
  assert.equal(nodes.get('chatOpenAICustom_0')!.counts.turns, 5)
  assert.ok(nodes.get('chatOpenAICustom_0')!.counts.tokens! > 0)
  assert.equal(nodes.get('requestsPost_0')!.counts.calls, 4)
  assert.equal(nodes.get('toolAgent_0')!.state, 'FINISHED')
  const lines = new Map(run.lines.map((line) => [`${line.from} ${line.to}`, line]))
  const calls = lines.get('requestsPost_0 toolAgent_0')!
  assert.deepEqual([calls.count, calls.unit, calls.items.length], [4, 'calls', 3])
  assert.match(calls.items.at(-1)!.title, /write_text.*four/)
  assert.match(calls.items.at(-1)!.text, /call 4/)
  const turns = lines.get('chatOpenAICustom_0 toolAgent_0')!
  assert.deepEqual([turns.count, turns.items.at(-1)!.text], [5, 'Written four times.'])
  assert.deepEqual(run.spans.map(({ kind, nodeId }) => `${kind} ${nodeId}`).slice(0, 3), [
    'model chatOpenAICustom_0',
    'tool requestsPost_0',
    'model chatOpenAICustom_0',
  ])
  assert.equal(run.spans[0]!.calls![0]!.name, 'write_text')
  assert.ok(tools.seen.some((header) => header.includes(SECRET)))
  assert.ok(!JSON.stringify(run).includes(SECRET))
})

test('the record of an answer from documents explains its search, by the scores of both sides [runs:record]', async () => {
  chat.script({ text: 'They hold hands.' })
  const { body } = await ask(documents, 'How do otters sleep?', 'otters')
  const { executionId } = body
  const runs = await list(documents)
  assert.deepEqual([runs[0]!.kind, runs[1]!.kind, runs[1]!.title], ['answer', 'upsert', 'Upsert of 1 file'])
  const run = await record(executionId === undefined ? runs[0]!.id : String(executionId))
  const search = run.spans.find(({ kind }) => kind === 'search')!
  assert.equal(search.nodeId, 'store_0')
  assert.equal(typeof search.sources![0]!.vector, 'number')
  assert.equal(typeof search.sources![0]!.keyword, 'number')
  assert.match(search.sources![0]!.text!, /Otters hold hands/)
  const hits = run.lines.find(({ from }) => from === 'store_0')!
  assert.deepEqual([hits.to, hits.unit, hits.count], ['chain_0', 'hits', 1])
  assert.match(hits.items[0]!.text, /Otters/)
})

test('the record of an upsert has its nodes on one axis, counts on each line, and the last three items [runs:record]', async () => {
  const flow = await heldFlow(platform.manage, provider, 'Held')
  const texts = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.txt`, longText(name, 40)]))
  const { body } = await platform.upload(flow, texts)
  const run = await record((body as unknown as { jobId: string }).jobId)
  assert.partialDeepStrictEqual(run, { kind: 'upsert', state: 'FINISHED', title: 'Upsert of 3 files' })
  assert.deepEqual(run.spans.map(({ name }) => name.split(':')[0]).toSorted(), [
    ...['Compare', 'Embed', 'Read', 'Split', 'Store'],
  ])
  for (const { name, offset, ms, counts } of run.spans) {
    assert.ok(offset >= 0 && ms! >= 0 && offset + ms! <= run.ms! + 50)
    // The record manager counts what it knew before: nothing yet.
    assert.ok(name.startsWith('Compare') || Object.keys(counts!).length > 0)
  }
  const chunks = Number((body as unknown as JsonObject).numAdded)
  const read = run.lines.find(({ from, to }) => /Loader|file/i.test(from) && /Store/i.test(to))!
  assert.deepEqual([read.count, read.unit, read.items.length], [chunks, 'chunks', 3])
  assert.match(read.items.at(-1)!.title, /^[abc]\.txt #\d+, \d+ characters$/)
  assert.match(read.items.at(-1)!.text, /very long book/)
  const vectors = run.lines.find(({ unit }) => unit === 'vectors')!
  assert.equal(vectors.from, 'builtInEmbeddings_0')
  assert.ok(vectors.count > 0 && vectors.count <= chunks)
  const secondLoad = await platform.upload(flow, texts)
  const again = await record((secondLoad.body as unknown as { jobId: string }).jobId)
  assert.deepEqual(
    again.lines.filter(({ unit }) => unit === 'vectors'),
    [],
  )
})

test('the record of an upsert that goes on is there, and ends as stopped; its events end with it [runs:record]', async () => {
  const flow = await heldFlow(platform.manage, provider, 'Goes on')
  provider.hold(2)
  const started = await platform.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${flow}?async=true`, {
    key: ADMIN_KEY,
    body: form({ 'sea.txt': longText('sea', 400) }),
  })
  const id = started.body.jobId
  await until(async () => (await record(id)).lines.some(({ unit }) => unit === 'vectors'))
  const going = await record(id)
  assert.deepEqual([going.state, going.ms], ['INPROGRESS', null])
  assert.ok(going.nodes.some(({ state }) => state === 'INPROGRESS'))
  await platform.manage('POST', `/api/v1/jobs/${id}/cancel`)
  provider.release()
  await until(async () => (await record(id)).state === 'TERMINATED')
  const events = await platform.manage('GET', `/api/v1/runs/${id}/events`)
  assert.match(events.text, /event: run\ndata: \{"format":"sluice-run-1".*"state":"TERMINATED"/)
})

test('the record of an upsert that failed marks the node at which it did [runs:record]', async () => {
  const flow = await heldFlow(platform.manage, provider, 'Fails')
  provider.script({ status: 400 })
  const { status, body } = await platform.upload(flow, { 'sea.txt': 'A sea of words.' })
  assert.ok(status >= 400, JSON.stringify(body))
  const [newest] = await list(flow)
  const run = await record(newest!.id)
  assert.deepEqual([run.state, run.failure!.nodeId], ['ERROR', 'builtInEmbeddings_0'])
  assert.equal(run.nodes.find(({ id }) => id === 'builtInEmbeddings_0')!.state, 'ERROR')
  assert.equal(run.nodes.find(({ id }) => /Splitter/.test(id))!.state, 'FINISHED')
})

test('a query brings its record where it is asked for, and leaves none [runs:query-record]', async () => {
  const before = await list(documents)
  const body = { query: 'How do otters sleep?' }
  const plain = await platform.query(documents, body)
  assert.ok(!('run' in plain.body))
  const { run } = (await platform.query(documents, { ...body, record: true })).body as unknown as {
    run: RunAnswer
  }
  assert.partialDeepStrictEqual(run, { kind: 'query', state: 'FINISHED', title: 'How do otters sleep?' })
  assert.deepEqual([run.spans[0]!.kind, run.spans[0]!.nodeId, run.spans[0]!.hits], ['search', 'store_0', 1])
  assert.equal(run.spans[0]!.sources![0]!.score, plain.body.docs[0]!.score)
  assert.deepEqual(
    run.lines.map(({ from, to, count }) => [from, to, count]),
    [['embeddings_0', 'store_0', 1]],
  )
  assert.equal((await platform.manage('GET', `/api/v1/runs/${run.id}`)).status, 404)
  assert.equal((await list(documents)).length, before.length)
})

test('a record tells that the drawing has changed since, and goes with its conversation [runs:record]', async () => {
  chat.script({ text: 'Nothing to write.' })
  const { body } = await ask(agent, 'Anything?', 'drawn')
  const id = String(body.executionId)
  assert.equal((await record(id)).drawing, 'same')
  const stored = await platform.manage<{ flowData: string }>('GET', `/api/v1/chatflows/${agent}`)
  const drawing = JSON.parse(stored.body.flowData) as { nodes: { data: { label: string } }[] }
  drawing.nodes[0]!.data.label = 'Another model'
  await platform.manage('PUT', `/api/v1/chatflows/${agent}`, { flowData: JSON.stringify(drawing) })
  const changed = await record(id)
  assert.equal(changed.drawing, 'changed')
  // Its drawing of then is still known by the revision.
  assert.ok(changed.nodes.every(({ label }) => label !== 'Another model'))
  await platform.manage('PUT', `/api/v1/chatflows/${agent}`, { flowData: stored.body.flowData })
  await platform.manage('DELETE', `/api/v1/chatmessage/${agent}?chatId=drawn`)
  const gone = await platform.manage<{ message: string }>('GET', `/api/v1/runs/${id}`)
  assert.deepEqual([gone.status, /may have been deleted with its conversation/.test(gone.text)], [404, true])
})

test('records are for managers alone: a key of the flow and a key with pins get none, of their own runs neither [runs:record]', async () => {
  const { apiKey } = await platform.key({ scopes: ['predict', 'query', 'upsert'] })
  const [newest] = await list(documents)
  for (const path of [`runs?flowId=${documents}`, `runs/${newest!.id}`, `runs/${newest!.id}/events`])
    assert.equal((await platform.call('GET', `/api/v1/${path}`, { key: apiKey })).status, 403)
  const again = await platform.call('POST', `/api/v1/runs/${newest!.id}/again`, {
    key: apiKey,
    body: { from: 1 },
  })
  assert.equal(again.status, 403)
})
