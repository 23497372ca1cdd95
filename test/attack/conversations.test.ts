import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { form, makePlatform } from '../support/platform.ts'
import { drawing, SEED, tries } from './support.ts'

/** Two keys of one closed flow use the same few chat ids, in any order and by every route. */

const [platform, model] = await Promise.all([makePlatform({}, { servers: 1 }), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'What is the rent?' }

const scopes = ['predict', 'upsert', 'query']
const keys = [await platform.key({ scopes }), await platform.key({ scopes })]
const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
  name: 'Closed',
  flowData: documentFlow(model.url),
  apiConfig: { ...overridable('files', 'addMetadata', 'filter'), originals: true },
  apikeyid: keys[0]!.id,
})
const flow = made.body.id
await platform.manage('PUT', `/api/v1/apikey/${keys[1]!.id}`, { keyName: 'two', flows: [flow] })

/** What a key loads and asks has its word, which the other one must never see in an answer. */
const WORDS = ['ADAWORD', 'BOBWORD'] as const
const CHATS = ['one', 'two', 'three', 'four', 'five', 'six']

const draw = drawing()
type Call = { method: string; path: string; body?: JsonObject | FormData; begins?: boolean }
const text = (who: number) => `The rent of ${WORDS[who]} is 700.`
const question = (who: number) => `What is the rent of ${WORDS[who]}?`

const CALLS: ((who: number, chatId: string) => Call)[] = [
  (who, chatId) => ({
    ...{ method: 'POST', path: `vector/upsert/${flow}`, begins: true },
    body: form({ [`${WORDS[who]}.txt`]: text(who) }, { chatId }),
  }),
  (who, chatId) => ({
    ...{ method: 'POST', path: `vector/upsert/${flow}`, begins: true },
    body: form(
      { [`${WORDS[who]}.txt`]: text(who) },
      { addMetadata: JSON.stringify({ flowise_chatId: chatId }) },
    ),
  }),
  (who, chatId) => ({
    ...{ method: 'POST', path: `prediction/${flow}`, begins: true },
    body: { question: question(who), chatId },
  }),
  (who, sessionId) => ({
    ...{ method: 'POST', path: `prediction/${flow}`, begins: true },
    body: { question: question(who), overrideConfig: { sessionId } },
  }),
  (_, chatId) => ({ method: 'GET', path: `vector/query/${flow}?q=rent&topK=50&chatId=${chatId}` }),
  (_, chatId) => ({
    method: 'POST',
    path: `vector/query/${flow}`,
    body: { query: 'rent', topK: 50, chatId },
  }),
  (_, chatId) => ({ method: 'GET', path: `vector/sources/${flow}?limit=50&chatId=${chatId}` }),
  (_, chatId) => ({ method: 'GET', path: `vector/chunks/${flow}?limit=50&chatId=${chatId}` }),
  (who, chatId) => ({
    ...{ method: 'GET', path: `vector/sources/${flow}/text?source=${WORDS[1 - who]}.txt&chatId=${chatId}` },
  }),
  (who, chatId) => ({
    ...{
      method: 'GET',
      path: `vector/sources/${flow}/original?source=${WORDS[1 - who]}.txt&chatId=${chatId}`,
    },
  }),
  (who, chatId) => ({
    ...{ method: 'DELETE', path: `vector/upsert/${flow}`, body: { source: `${WORDS[1 - who]}.txt`, chatId } },
  }),
  (_, chatId) => ({
    ...{
      method: 'DELETE',
      path: `vector/upsert/${flow}`,
      body: { filter: { flowise_chatId: chatId }, chatId },
    },
  }),
  (_, chatId) => ({ method: 'PUT', path: `chatmessage/abort/${flow}/${chatId}` }),
]

test(`of two keys that use the same chat ids, the first has each conversation, and the other sees nothing of it (seed ${SEED}) [chat:files:owner, predict:session]`, async () => {
  const owners = new Map<string, number>()
  let refused = 0
  for (let number = 0; number < tries(90); number++) {
    const [who, chatId] = [draw([0, 1]), draw(CHATS)]
    const { begins, method, path, body } = draw(CALLS)(who, chatId)
    const owner = owners.get(chatId)
    const answer = await platform.call(method, `/api/v1/${path}`, {
      key: keys[who]!.apiKey,
      ...(body ? { body } : {}),
    })
    const shown = `try ${number}, ${WORDS[who]} in ${chatId} of ${WORDS[owner ?? 2]}: ${method} ${path} ${answer.status} ${answer.text.slice(0, 500)}`
    assert.ok(answer.status < 500, shown)
    // Its own request may have named a file of the other: that is all.
    assert.doesNotMatch(answer.text, new RegExp(`rent of ${WORDS[1 - who]}`), shown)
    if (owner === 1 - who && !path.includes('abort')) {
      assert.equal(answer.status, 403, shown)
      refused++
    } else if (owner === undefined && begins) {
      assert.equal(answer.status, 200, shown)
      owners.set(chatId, who)
    } else assert.notEqual(answer.status, 403, shown)
  }
  assert.ok(refused > tries(90) / 5, `${refused} were refused`)
})
