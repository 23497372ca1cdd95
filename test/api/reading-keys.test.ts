import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'A secret answer.' }

const makeFlow = async (row: object) =>
  (await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name: 'A flow', ...row })).body.id

const makeKey = async (scopes: string[], flows: string[]) =>
  (
    await platform.manage<{ apiKey: string; id: string }>('POST', '/api/v1/apikey', {
      keyName: 'a key',
      scopes,
      flows,
    })
  ).body

const drawing = conversationFlow(model.url)
const [, , chain] = drawing.nodes as { data: { inputs: Record<string, string> } }[]
chain!.data.inputs.systemMessagePrompt = 'You are in {{$vars.city}}.'
const owner = await makeKey(['predict'], [])
const flow = await makeFlow({ flowData: drawing, apikeyid: owner.id })
const [ours, theirs, narrow, stranger] = await Promise.all([
  makeKey(['predict'], [flow]),
  makeKey(['predict'], [flow]),
  makeKey(['upsert'], [flow]),
  makeKey(['predict'], []),
])

const read = (path: string, key?: string) =>
  platform.call<{ content: string; role: string }[] & { code: string }>('GET', path, {
    ...(key === undefined ? {} : { key }),
  })

const ask = (chatId: string, key: string) =>
  platform.call('POST', `/api/v1/prediction/${flow}`, { key, body: { question: `Of ${chatId}`, chatId } })

test('GET /chatmessage gives a key the messages of a conversation of its own, and of no other', async () => {
  assert.equal((await ask('chat-ours', ours.apiKey)).status, 200)
  assert.equal((await ask('chat-theirs', theirs.apiKey)).status, 200)
  const { status, body, text } = await read(`/api/v1/chatmessage/${flow}?chatId=chat-ours`, ours.apiKey)
  assert.equal(status, 200, text)
  assert.deepEqual(
    body.map(({ role, content }) => [role, content]),
    [
      ['userMessage', 'Of chat-ours'],
      ['apiMessage', 'A secret answer.'],
    ],
  )
  assert.match(text, /"executionId":null/)
  const other = await read(`/api/v1/chatmessage/${flow}?chatId=chat-theirs`, ours.apiKey)
  assert.deepEqual([other.status, other.body.code], [403, 'session_taken'])
  const all = await read(`/api/v1/chatmessage/${flow}`, ours.apiKey)
  assert.deepEqual([all.status, all.body.code], [400, 'body_invalid'])
  for (const [key, expected] of [
    [narrow.apiKey, 403],
    [stranger.apiKey, 401],
    [undefined, 401],
  ] as const)
    assert.equal((await read(`/api/v1/chatmessage/${flow}?chatId=chat-ours`, key)).status, expected)
  assert.ok((await platform.manage<object[]>('GET', `/api/v1/chatmessage/${flow}`)).body.length >= 4)
})

test('GET /variables gives a key the names of those that its flows use, and no value', async () => {
  for (const name of ['city', 'hidden'])
    await platform.manage('POST', '/api/v1/variables', { name, value: 'sk-of-the-owner', type: 'static' })
  const mine = await read('/api/v1/variables', ours.apiKey)
  assert.deepEqual(
    (mine.body as unknown as { name: string; value: string; type: string }[]).map(({ name, value, type }) => [
      name,
      value,
      type,
    ]),
    [['city', '', 'static']],
  )
  assert.ok(!mine.text.includes('sk-of-the-owner'))
  assert.deepEqual((await read('/api/v1/variables', stranger.apiKey)).body, [])
  assert.match((await platform.manage('GET', '/api/v1/variables')).text, /sk-of-the-owner/)
})

test('GET /nodes is for the holders of a key', async () => {
  assert.equal((await read('/api/v1/nodes', stranger.apiKey)).status, 200)
  assert.equal((await read('/api/v1/nodes/chatOpenAI', stranger.apiKey)).status, 200)
  assert.equal((await read('/api/v1/nodes')).status, 401)
})
