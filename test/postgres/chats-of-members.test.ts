import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { readConfig } from '../../src/kit/config.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { quietLog } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { start as startStep, step, steps } from '../support/agent-drawing.ts'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { newPostgres } from '../support/postgres.ts'
import { room, start as startProgram } from '../support/program.ts'
import { newBucketUrl } from '../support/s3-server.ts'
import { until, untilEqual } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL', 'the S3 server of the tests')

/** Conversations whose requests go to different servers over one database. */

const ADMIN_KEY = 'the-management-key-of-the-tests'

const [{ address, drop }, model, bucket] = await Promise.all([
  newPostgres(),
  startChatServer(),
  newBucketUrl(),
])
const settings = {
  ...{ DATABASE_URL: address, BLOB_URL: bucket, ADMIN_KEY },
  SECRET_KEY: 'the-secret-of-the-test-nodes',
}
const folders = [1, 2].map(() => mkdtempSync(path.join(tmpdir(), 'sluice-chat-node-')))
const members: { url: string; close(): Promise<void> }[] = []
for (const directory of folders) {
  const flags = { PORT: '0', DATA_DIR: directory, ...settings }
  members.push(await startPlatform(readConfig({ flags, environment: {}, directory }), quietLog))
}
const database = await openPostgres(address)
after(async () => {
  await Promise.all(members.map((member) => member.close()))
  await database.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await drop()
  model.close()
})
const [one, two] = members.map(({ url }) => url) as [string, string]

type Told = { headers?: Record<string, string>; body?: object }

function send(url: string, method: string, place: string, { headers, body }: Told = {}): Promise<Response> {
  return fetch(url + place, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

async function call<Body = JsonObject>(url: string, method: string, place: string, body?: object) {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` }
  const response = await send(url, method, place, { headers, ...(body ? { body } : {}) })
  const text = await response.text()
  return { status: response.status, text, body: (text.startsWith('<') ? {} : JSON.parse(text)) as Body }
}

async function makeFlow(flow: object): Promise<string> {
  const made = await call<{ id: string }>(one, 'POST', '/api/v1/chatflows', { name: 'A flow', ...flow })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}

const agentFlow = (...after: object[]) => ({
  nodes: [
    startStep(),
    step('llmAgentflow_0', {
      llmModel: 'chatOpenAICustom',
      llmModelConfig: { modelName: 'scripted', basepath: `${model.url}/v1`, openAIApiKey: 'none' },
      llmUserMessage: '{{question}}',
    }),
    ...after,
  ],
  edges: steps('startAgentflow_0 > llmAgentflow_0'),
})

type Prediction = { text: string; chatMessageId: string; executionId?: string; action?: Waiting }
type Waiting = { data: { nodeId: string } }
type Message = { id: string; content: string; feedback?: { rating: string } }

async function ask(url: string, flow: string, body: object): Promise<Prediction> {
  const answer = await call<Prediction>(url, 'POST', `/api/v1/prediction/${flow}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a chat that is stopped through another server sends abort and end, and keeps what was streamed [predict:stop]', async () => {
  const flow = await makeFlow({ flowData: conversationFlow(model.url) })
  model.script({ silentAfter: 'One two' })
  const response = await send(one, 'POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'Hi', chatId: 'stopped', streaming: true },
  })
  let text = ''
  let stopped: Promise<Response> | undefined
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes('two')) stopped ??= send(two, 'PUT', `/api/v1/chatmessage/abort/${flow}/stopped`)
  }
  assert.deepEqual(await (await stopped!).json(), { status: 200, message: 'Chat message aborted' })
  const frames = [...text.matchAll(/"event":"(\w+)"/g)].map(([, name]) => name)
  assert.deepEqual(frames.slice(-2), ['abort', 'end'], text)
  const stored = await call<Message[]>(two, 'GET', `/api/v1/chatmessage/${flow}?chatId=stopped`)
  assert.deepEqual(
    stored.body.map(({ content }) => content),
    ['Hi', 'One two'],
  )
  assert.deepEqual(await database.reader.all('SELECT id FROM chat_runs'), [])
})

test('a conversation goes on through another server: it remembers, and an answer can be rated there', async () => {
  const flow = await makeFlow({ flowData: conversationFlow(model.url) })
  model.script({ text: 'Hello Ada.' }, { text: 'Ada.' })
  const first = await ask(one, flow, { question: 'I am Ada.', chatId: 'goes on' })
  await ask(two, flow, { question: 'Who am I?', chatId: 'goes on' })
  const { messages } = model.calls.at(-1)!.body as { messages: { content: unknown }[] }
  const heard = JSON.stringify(messages)
  for (const text of ['I am Ada.', 'Hello Ada.', 'Who am I?']) assert.ok(heard.includes(text), heard)
  const rated = await call(two, 'POST', `/api/v1/feedback/${flow}`, {
    ...{ chatflowid: flow, chatId: 'goes on', messageId: first.chatMessageId, rating: 'THUMBS_UP' },
  })
  assert.equal(rated.status, 200, rated.text)
  const listed = await call<Message[]>(one, 'GET', `/api/v1/chatmessage/${flow}?chatId=goes on&feedback=true`)
  const message = listed.body.find(({ id }) => id === first.chatMessageId)
  assert.equal(message?.feedback?.rating, 'THUMBS_UP')
})

test('a run that waits for a person goes on through another server, once [agent:executions]', async () => {
  const drawing = agentFlow(
    step('humanInputAgentflow_0', {
      humanInputDescriptionType: 'fixed',
      humanInputDescription: 'Is that right?',
      humanInputEnableFeedback: false,
    }),
    step('directReplyAgentflow_0', { directReplyMessage: 'Then it is.' }),
  )
  const edges = steps(
    'llmAgentflow_0 > humanInputAgentflow_0',
    'humanInputAgentflow_0 0> directReplyAgentflow_0',
  )
  const flow = await makeFlow({
    type: 'AGENTFLOW',
    flowData: { ...drawing, edges: [...drawing.edges, ...edges] },
  })
  model.script({ text: 'Four weeks.' })
  const waiting = await ask(one, flow, { question: 'How long?', chatId: 'decides' })
  const humanInput = { type: 'proceed', startNodeId: waiting.action!.data.nodeId }
  const decide = (url: string) =>
    call<Prediction>(url, 'POST', `/api/v1/prediction/${flow}`, {
      ...{ question: 'Yes', humanInput, chatId: 'decides' },
    })
  const decided = await Promise.all([decide(two), decide(one), decide(two)])
  assert.deepEqual(decided.map(({ status }) => status).sort(), [200, 409, 409])
  const { body } = decided.find(({ status }) => status === 200)!
  assert.deepEqual([body.text, body.executionId], ['Then it is.', waiting.executionId])
})

test('a browser that signed in through one server is signed in at the others, until it signs out at one', async () => {
  const own = (url: string, cookie = '') => ({ origin: url, 'sec-fetch-site': 'same-origin', cookie })
  const session = '/api/v1/session'
  const { code } = (await call<{ code: string }>(one, 'POST', `${session}/codes`)).body
  const signedIn = await send(two, 'POST', session, { headers: own(two), body: { code } })
  assert.equal(signedIn.status, 200)
  assert.equal((await send(one, 'POST', session, { headers: own(one), body: { code } })).status, 401)
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const state = async (url: string) => {
    const answer = await send(url, 'GET', session, { headers: own(url, cookie) })
    return ((await answer.json()) as { signedIn: boolean }).signedIn
  }
  assert.deepEqual([await state(one), await state(two)], [true, true])
  await send(one, 'DELETE', session, { headers: own(one, cookie) })
  assert.deepEqual([await state(one), await state(two)], [false, false])
})

test('an execution of a server that is killed ends as lost; one of a living server goes on [runs:lost]', async (t) => {
  const flow = await makeFlow({ type: 'CHATFLOW', flowData: conversationFlow(model.url) })
  const program = await startProgram(t, ['start'], { directory: room(t), environment: settings })
  type Page = { data: { chatId: string; state: string; failure?: { code: string } }[] }
  const states = async () => {
    const { body } = await call<Page>(two, 'GET', `/api/v1/executions?agentflowId=${flow}`)
    return Object.fromEntries(
      body.data.map(({ chatId, state, failure }) => [chatId, `${state} ${failure?.code ?? ''}`.trim()]),
    )
  }
  model.script('silence', 'silence')
  const leaving = new AbortController()
  const begin = (url: string, chatId: string) => {
    const asked = fetch(`${url}/api/v1/prediction/${flow}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'How long?', chatId }),
      signal: leaving.signal,
    })
    asked.catch(() => {})
  }
  begin(one, 'lives')
  begin(program.url, 'dies')
  await untilEqual(states, { lives: 'INPROGRESS', dies: 'INPROGRESS' })
  program.kill('SIGKILL')
  await program.ended
  // What ten seconds do to the row of a server that says nothing any more; the other server writes its own again each second.
  await database.writer.run(`UPDATE chat_runs SET seen = seen - interval '10 seconds' WHERE chat_id = 'dies'`)
  await untilEqual(states, { lives: 'INPROGRESS', dies: 'TERMINATED lost' })
  leaving.abort()
  await until(async () => (await states()).lives === 'TERMINATED cancelled')
})
