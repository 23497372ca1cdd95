import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { form, makePlatform } from '../support/platform.ts'

/** A conversation may begin with files, before its first question: whoever sends them is its owner. */

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'It is known.' }

const scopes = ['predict', 'upsert', 'query']
const newKey = (more = {}) => platform.key({ scopes, ...more })
const [ada, bob] = [await newKey(), await newKey()]

let flows = 0
async function closedFlow(keys = [ada, bob], more: JsonObject = {}): Promise<string> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: `Closed ${++flows}`,
    flowData: documentFlow(model.url),
    apiConfig: overridable('files', 'addMetadata', 'filter'),
    apikeyid: keys[0]!.id,
    ...more,
  })
  assert.equal(made.status, 200, made.text)
  const bound = { keyName: `key ${flows}`, flows: [made.body.id] }
  for (const { id } of keys.slice(1)) await platform.manage('PUT', `/api/v1/apikey/${id}`, bound)
  return made.body.id
}

const CHAT = 'a-chat-of-ada'
type Sent = { method: string; path: string; body?: JsonObject | FormData }

const load = (flow: string, key: string | undefined, text: string, fields: Record<string, string>) =>
  call(key, { method: 'POST', path: `vector/upsert/${flow}`, body: form({ 'rent.txt': text }, fields) })

/** Every call that reads, changes or continues a conversation. */
const callsOf = (flow: string, chatId: string): Sent[] => [
  { method: 'GET', path: `vector/sources/${flow}?chatId=${chatId}` },
  { method: 'GET', path: `vector/chunks/${flow}?chatId=${chatId}` },
  { method: 'GET', path: `vector/sources/${flow}/text?source=rent.txt&chatId=${chatId}` },
  { method: 'GET', path: `vector/query/${flow}?q=rent&chatId=${chatId}` },
  { method: 'POST', path: `vector/query/${flow}`, body: { query: 'rent', chatId } },
  {
    method: 'POST',
    path: `vector/dry-run/${flow}?async=false`,
    body: form({ 'rent.txt': 'A rent.' }, { chatId }),
  },
  { method: 'POST', path: `vector/upsert/${flow}`, body: form({ 'rent.txt': 'A rent of 1.' }, { chatId }) },
  { method: 'POST', path: `prediction/${flow}`, body: { question: 'What is the rent?', chatId } },
  {
    method: 'POST',
    path: `prediction/${flow}`,
    body: { question: 'What is the rent?', overrideConfig: { sessionId: chatId } },
  },
  {
    method: 'POST',
    path: `prediction/${flow}`,
    body: { question: 'What is the rent?', chatId, overrideConfig: { sessionId: 'a session of its own' } },
  },
  { method: 'DELETE', path: `vector/upsert/${flow}`, body: { source: 'rent.txt', chatId } },
]

const call = (key: string | undefined, { method, path, body }: Sent) =>
  platform.call(method, `/api/v1/${path}`, { ...(key ? { key } : {}), ...(body ? { body } : {}) })

async function refusedEverywhere(key: string | undefined, flow: string, chatId = CHAT) {
  for (const one of callsOf(flow, chatId)) {
    const { status, body } = await call(key, one)
    const name = `${one.method} ${one.path}`
    assert.partialDeepStrictEqual({ status, body }, { status: 403, body: { code: 'session_taken' } }, name)
  }
}

test('who loads files into a conversation before its first question owns it on every route [chat:files:owner]', async () => {
  const flow = await closedFlow()
  const begun = await load(flow, ada.apiKey, 'The rent of Ada is 700.', { chatId: CHAT })
  assert.equal(begun.status, 200, begun.text)
  await refusedEverywhere(bob.apiKey, flow)
  for (const one of callsOf(flow, CHAT)) {
    const { status, text } = await call(ada.apiKey, one)
    assert.ok(status < 300, `${one.method} ${one.path}: ${text}`)
  }
})

test('a manager who asks in such a conversation does not take it [chat:files:owner]', async () => {
  const flow = await closedFlow()
  await load(flow, ada.apiKey, 'The rent of Ada is 700.', { chatId: CHAT })
  const asked = await platform.manage('POST', `/api/v1/prediction/${flow}`, {
    question: 'Rent?',
    chatId: CHAT,
  })
  assert.equal(asked.status, 200, asked.text)
  const own = await call(ada.apiKey, callsOf(flow, CHAT).find(({ path }) => path.startsWith('prediction'))!)
  assert.equal(own.status, 200, own.text)
  await refusedEverywhere(bob.apiKey, flow)
})

test('metadata of a document do not lead into the conversation of another key [chat:files:owner]', async () => {
  const flow = await closedFlow()
  await load(flow, ada.apiKey, 'The rent of Ada is 700.', { chatId: CHAT })
  const addMetadata = JSON.stringify({ flowise_chatId: CHAT })
  const planted = await load(flow, bob.apiKey, 'The rent of Bob is 1.', { addMetadata })
  assert.partialDeepStrictEqual(planted, { status: 403, body: { code: 'session_taken' } })
  const query = { method: 'POST', path: `vector/query/${flow}`, body: { query: 'rent', chatId: CHAT } }
  assert.doesNotMatch((await call(ada.apiKey, query)).text, /Bob/)
  const compared = await call(bob.apiKey, {
    method: 'POST',
    path: `vector/dry-run/${flow}?async=false`,
    body: form({ 'rent.txt': 'The rent of Ada is 700.' }, { addMetadata }),
  })
  assert.match(compared.text, /session_taken/)
  // In a new conversation they begin it.
  const fresh = JSON.stringify({ flowise_chatId: 'chat-of-bob' })
  await load(flow, bob.apiKey, 'The rent of Bob is 2.', { addMetadata: fresh })
  await refusedEverywhere(ada.apiKey, flow, 'chat-of-bob')
})

test('in an open flow the files of a caller with pins are not for callers without a key [chat:files:owner]', async () => {
  const flow = await closedFlow([ada], { apikeyid: null })
  const pinned = await newKey({ pins: { tenant: 'acme' }, flows: [flow] })
  await load(flow, pinned.apiKey, 'The rent of Acme is 700.', { chatId: CHAT })
  await refusedEverywhere(undefined, flow)
  // Nor does a caller with pins take what all may continue.
  await load(flow, undefined, 'The rent of all is 5.', { chatId: 'open' })
  await refusedEverywhere(pinned.apiKey, flow, 'open')
  const open = await load(flow, undefined, 'The rent of all is 6.', { chatId: 'open' })
  assert.equal(open.status, 200, open.text)
})

test('an upload that is refused begins no conversation; deleted, a conversation is free again [chat:files:owner]', async () => {
  const flow = await closedFlow()
  const refused = await call(bob.apiKey, {
    method: 'POST',
    path: `vector/upsert/${flow}`,
    body: form({ 'a.txt': 'x' }, { chatId: CHAT, stopNodeId: 'no such node' }),
  })
  assert.ok(refused.status >= 400, refused.text)
  const begin = (key: string) => load(flow, key, 'A rent.', { chatId: CHAT })
  assert.equal((await begin(ada.apiKey)).status, 200)
  assert.equal((await begin(bob.apiKey)).status, 403)
  await platform.manage('DELETE', `/api/v1/chatmessage/${flow}?chatId=${CHAT}`)
  assert.equal((await begin(bob.apiKey)).status, 200)
  assert.equal((await begin(ada.apiKey)).status, 403)
})

test('of two keys that begin a conversation in the same moment, one has it [chat:files:owner]', async () => {
  const flow = await closedFlow()
  for (let round = 0; round < 6; round++) {
    const chatId = `round ${round}`
    const both = await Promise.all([
      load(flow, ada.apiKey, 'Of Ada.', { chatId }),
      call(bob.apiKey, { method: 'POST', path: `prediction/${flow}`, body: { question: 'What?', chatId } }),
    ])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted(),
      [200, 403],
      both.map(({ text }) => text).join(),
    )
  }
})
