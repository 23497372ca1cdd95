import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RunAnswer } from '../../src/api/run.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { start, step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawDocumentChat } from '../support/document-chat.ts'
import { makePlatform, MORE_SERVERS } from '../support/platform.ts'
import { drawToolAgent, scriptedModel } from '../support/tool-agent.ts'
import { startToolServer } from '../support/tool-server.ts'

/** An answer is done again from one of its steps, with what the record has of the others. */

const [platform, chat, tools] = await Promise.all([
  makePlatform({}, { servers: MORE_SERVERS }),
  startChatServer(),
  startToolServer(),
])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
  tools.close()
})

async function makeFlow(name: string, flowData: object): Promise<string> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name, flowData })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}
const post = {
  requestsPostUrl: tools.url,
  requestsPostName: 'write_text',
  requestsPostDescription: 'Writes a text',
  requestsPostMaxOutputLength: '100000',
}
const drawing = (more: JsonObject = {}) => drawToolAgent(chat.url, post, more)
const agent = await makeFlow('Agent', drawing())
const write = (note: string) => ({ calls: [{ name: 'write_text', input: { body: { note } } }] })

type Again = { runId: string; chatId: string; text: string; message: string }
const ask = (question: string, chatId: string, flow = agent) =>
  platform.manage<JsonObject>('POST', `/api/v1/prediction/${flow}`, { question, chatId })
const again = (id: unknown, body: JsonObject) =>
  platform.manage<Again>('POST', `/api/v1/runs/${id}/again`, body)
const record = async (id: unknown) => (await platform.manage<RunAnswer>('GET', `/api/v1/runs/${id}`)).body
/** The texts of the messages of the last call of the model. */
const lastMessages = () =>
  (chat.calls.at(-1)!.body.messages as { role: string; content: string }[]).map(({ content }) => content)

chat.script(write('one'), { text: 'It is written.' })
const first = await ask('Write one', 'first')
const { executionId } = first.body
assert.equal(first.status, 200, first.text)

test('a run is done again from a later step with another input: neither model nor tool is called for the steps before it [runs:again]', async () => {
  const [calls, written] = [chat.calls.length, tools.bodies.length]
  chat.script({ text: 'It was refused.' })
  const { status, text, body } = await again(executionId, { from: 3, input: 'HTTP 403 Forbidden' })
  assert.equal(status, 200, text)
  assert.equal(body.text, 'It was refused.')
  assert.deepEqual([chat.calls.length - calls, tools.bodies.length - written], [1, 0])
  assert.deepEqual(lastMessages().at(-1), 'HTTP 403 Forbidden')
  const run = await record(body.runId)
  assert.notEqual(body.runId, executionId)
  assert.deepEqual(
    run.spans.map(({ kind, output, recorded }) => [kind, output?.slice(0, 15), recorded]),
    [
      ['model', '', true],
      ['tool', (await record(executionId)).spans[1]!.output!.slice(0, 15), true],
      ['model', 'It was refused.', undefined],
    ],
  )
  assert.notEqual(body.chatId, 'first')
})

test('from a step on tools have their recorded answers; a call without one ends the run, or calls the tool where that is asked for [runs:again, runs:not-again]', async () => {
  const written = tools.bodies.length
  chat.script(write('one'), { text: 'The same.' })
  assert.equal((await again(executionId, { from: 1 })).body.text, 'The same.')
  assert.equal(tools.bodies.length, written)

  chat.script(write('two'))
  const refused = await again(executionId, { from: 1, question: 'Write two' })
  assert.equal(refused.status, 409)
  assert.match(refused.body.message, /cannot be repeated: write_text has no recorded answer to this input/)
  assert.equal(tools.bodies.length, written)

  chat.script(write('two'), { text: 'Two.' })
  assert.equal(
    (await again(executionId, { from: 1, question: 'Write two', tools: 'missing' })).body.text,
    'Two.',
  )
  assert.deepEqual(lastMessages().includes('Write two'), true)
  assert.equal(tools.bodies.length, written + 1)

  chat.script(write('one'), { text: 'Live.' })
  assert.equal((await again(executionId, { from: 1, tools: 'live' })).body.text, 'Live.')
  assert.equal(tools.bodies.length, written + 2)
})

test('a tool gets another input, where it may be called [runs:again]', async () => {
  const input = { body: { note: 'other' } }
  const refused = await again(executionId, { from: 2, input })
  assert.equal(refused.status, 409)
  assert.equal((await again(executionId, { from: 2, input: 'a text' })).status, 409)
  chat.script({ text: 'Other.' })
  const { body, text } = await again(executionId, { from: 2, input, tools: 'missing' })
  assert.equal(body.text, 'Other.', text)
  assert.equal(tools.bodies.at(-1), '{"note":"other"}')
})

test('a run that is done again has the messages before its question, and leaves the conversation as it is [runs:again]', async () => {
  chat.script({ text: 'First answer.' }, { text: 'Second answer.' })
  await ask('First question', 'talk')
  const second = await ask('Second question', 'talk')
  await (async () => {
    chat.script({ text: 'Later answer.' })
    await ask('Later question', 'talk')
  })()
  chat.script({ text: 'Again.' })
  const { body } = await again(second.body.executionId, { from: 1 })
  assert.equal(body.text, 'Again.')
  assert.deepEqual(lastMessages().slice(-3), ['First question', 'First answer.', 'Second question'])
  const stored = await platform.manage<unknown[]>('GET', `/api/v1/chatmessage/${agent}?chatId=talk`)
  assert.equal(stored.body.length, 6)
})

test('what cannot be done again says why: a later drawing, a wait, a long text, a step that is not there, a job [runs:not-again]', async () => {
  const changed = await makeFlow('Changed', drawing())
  chat.script(write('one'), { text: 'Written.' })
  const asked = await ask('Write one', 'changed', changed)
  const other = drawing({})
  Object.assign(other.nodes[0]!.data.inputs, { modelName: 'another' })
  await platform.manage('PUT', `/api/v1/chatflows/${changed}`, { flowData: JSON.stringify(other) })
  const differs = await again(asked.body.executionId, { from: 3 })
  assert.equal(differs.status, 409)
  assert.match(
    differs.body.message,
    /Step 1 of the record is model \S+scripted at .*another at .*: the drawing has changed since/,
  )

  const careful = await makeFlow('Careful', drawing({ asksBeforeChanges: true }))
  chat.script(write('one'))
  const waiting = await ask('Write one', 'waits', careful)
  chat.script({ text: 'Done.' })
  const action = waiting.body.action as { data: { nodeId: string } }
  await platform.manage('POST', `/api/v1/prediction/${careful}`, {
    question: 'Yes',
    chatId: 'waits',
    humanInput: { type: 'proceed', startNodeId: action.data.nodeId },
  })
  const waited = await record(waiting.body.executionId)
  assert.deepEqual(
    waited.spans.map(({ notAgain }) => notAgain?.slice(0, 16)),
    [undefined, 'a person decided', 'a person decided', 'a person decided'],
  )
  assert.match((await again(waited.id, { from: 4 })).body.message, /a person decided before it/)

  tools.answer = 'x'.repeat(20_000)
  chat.script(write('long'), { text: 'Long.' })
  const long = await ask('Write long', 'long')
  tools.answer = undefined
  assert.match((await again(long.body.executionId, { from: 3 })).body.message, /too long to be kept whole/)
  assert.match((await again(executionId, { from: 9 })).body.message, /it has no step 9/)
  const job = await platform.upload('quickstart', { 'a.txt': 'A text.' })
  const { jobId } = job.body as unknown as { jobId: string }
  assert.match((await again(jobId, { from: 1 })).body.message, /a job, which is started again as a whole/)
  assert.equal((await again('nothing', { from: 1 })).status, 404)
})

test('an agent flow is done again from a node: an HTTP node before it is not called, its output is the recorded one [runs:again]', async () => {
  const flow = await makeFlow('Steps', {
    nodes: [
      start(),
      step('httpAgentflow_0', { method: 'POST', url: tools.url, bodyType: 'raw', body: 'sent' }),
      step('llmAgentflow_0', {
        llmModel: 'chatOpenAICustom',
        llmModelConfig: scriptedModel(chat.url),
        llmUserMessage: '{{question}}: {{httpAgentflow_0.output.http.data}}',
      }),
    ],
    edges: steps('startAgentflow_0 > httpAgentflow_0', 'httpAgentflow_0 > llmAgentflow_0'),
  })
  chat.script({ text: 'Seen.' })
  const { body } = await ask('What came', 'steps', flow)
  assert.equal(body.text, 'Seen.')
  const run = await record(body.executionId)
  const node = run.spans.find(({ nodeId, kind }) => kind === 'node' && nodeId === 'llmAgentflow_0')!
  assert.deepEqual(
    run.lines.map(({ from, to, count }) => [from, to, count]),
    [
      ['startAgentflow_0', 'httpAgentflow_0', 1],
      ['httpAgentflow_0', 'llmAgentflow_0', 1],
    ],
  )
  const written = tools.bodies.length
  const recorded = `call ${written}`
  chat.script({ text: 'Seen again.' })
  assert.equal((await again(run.id, { from: node.id })).body.text, 'Seen again.')
  assert.equal(tools.bodies.length, written)
  assert.ok(lastMessages().at(-1)!.includes(recorded), lastMessages().at(-1))
  chat.script({ text: 'Otherwise.' })
  assert.equal((await again(run.id, { from: node.id, input: 'Another text' })).body.text, 'Otherwise.')
  assert.equal(lastMessages().at(-1), 'Another text')
  chat.script({ text: 'Live.' })
  assert.equal((await again(run.id, { from: 1, tools: 'live' })).body.text, 'Live.')
  assert.equal(tools.bodies.length, written + 1)
})

test('an answer to a key with pins is not done again: a manager would find other documents [runs:not-again]', async () => {
  const flow = await makeFlow('Pinned', drawDocumentChat(chat.url))
  const made = await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
    ...{ keyName: 'pinned', scopes: ['predict'], flows: [flow], pins: { tenant: 'acme' } },
  })
  const { apiKey } = made.body
  chat.script({ text: 'I know nothing of it.' })
  const body = { question: 'How do otters sleep?', chatId: 'pinned' }
  const asked = await platform.call('POST', `/api/v1/prediction/${flow}`, { body, key: apiKey })
  assert.equal(asked.status, 200, asked.text)
  const runs = await platform.manage<{ data: { id: string }[] }>('GET', `/api/v1/runs?flowId=${flow}`)
  const refused = await again(runs.body.data[0]!.id, { from: 1 })
  assert.equal(refused.status, 409)
  assert.match(refused.body.message, /limited to the pins of a key/)
})
