import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { documentFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { form, makePlatform } from '../support/platform.ts'
import { drawing, SEED, tries } from './support.ts'

/** Two keys with pins share a flow. One tries to read and to change what the other has, by all that a request can name. */

const [platform, model] = await Promise.all([makePlatform({}, { servers: 1 }), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'What is the rent?' }

const enabled = (name: string) => ({ name, label: name, type: 'string', enabled: true })
const inputs = [
  'files',
  'addMetadata',
  'omitMetadataKeys',
  'filter',
  'topK',
  'namespace',
  'sourceIdKey',
  'cleanup',
]
const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
  name: 'Shared',
  flowData: documentFlow(model.url),
  apiConfig: {
    originals: true,
    overrideConfig: { status: true, nodes: { '*': inputs.map(enabled), store: inputs.map(enabled) } },
  },
})
assert.equal(made.status, 200, made.text)
const flow = made.body.id
const keyOf = async (tenant: string) =>
  (
    await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
      ...{ keyName: tenant, flows: [flow], pins: { tenant } },
    })
  ).body.apiKey
const [acme, globex] = [await keyOf('acme'), await keyOf('globex')]

const CHAT = 'chat-of-globex'
const upload = (
  key: string | undefined,
  files: Record<string, string>,
  fields: Record<string, string> = {},
) =>
  platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
    body: form(files, fields),
    ...(key === undefined ? {} : { key }),
  })
/** What no answer to Acme may have. */
const SECRETS = ['GLOBEXWORD', 'ALLWORD', 'CHATWORD']
for (const [key, name, text, fields] of [
  [globex, 'rent.txt', 'The rent of GLOBEXWORD is 900.', {}],
  [globex, 'globex-only.txt', 'The rent of GLOBEXWORD is also 901.', {}],
  [globex, 'rent.txt', 'The rent of CHATWORD is 902.', { chatId: CHAT }],
  [undefined, 'all.txt', 'The rent of ALLWORD is 903.', {}],
] as const) {
  const loaded = await upload(key, { [name]: text }, fields)
  assert.equal(loaded.status, 200, loaded.text)
}
assert.equal((await upload(acme, { 'rent.txt': 'The rent of ACMEWORD is 700.' })).status, 200)

const MARK = '\u001f'
const FENCE = '\u001e'
const SOURCES = [
  ...['rent.txt', 'globex-only.txt', 'all.txt', '%', '_ent.txt', '*', '', `${MARK}rent.txt`],
  ...[`${MARK}${FENCE}globex${MARK}rent.txt`, `${MARK}${flow}${MARK}"${CHAT}"${MARK}rent.txt`],
]
const CHATS = [CHAT, 'a chat of its own', '', `${CHAT}"${MARK}`, '%', '__proto__']
const FILTERS: JsonObject[] = [
  ...[
    { tenant: 'globex' },
    { tenant: { $exists: true } },
    { tenant: { $ne: 'acme' } },
    { tenant: { $in: ['globex'] } },
  ],
  ...[
    { $or: [{ tenant: 'globex' }, { tenant: 'acme' }] },
    { $not: { tenant: 'acme' } },
    { $or: [] },
    { $and: [] },
  ],
  ...[
    { 'tenant.': 'globex' },
    { flowise_chatId: CHAT },
    { flowise_chatId: { $exists: true } },
    { source: 'rent.txt' },
  ],
  ...[
    { $not: { $and: [{ tenant: 'acme' }, { tenant: 'globex' }] } },
    { __proto__: { tenant: 'globex' } },
    {},
  ],
]
const OVERRIDES: JsonObject[] = [
  ...[{}, { namespace: 'another' }, { namespace: '' }, { namespace: { store: flow } }, { topK: 1000 }],
  ...[
    { addMetadata: { tenant: 'globex' } },
    { addMetadata: { flowise_chatId: CHAT } },
    { omitMetadataKeys: '*' },
  ],
  ...[
    { omitMetadataKeys: 'tenant' },
    { sourceIdKey: 'tenant' },
    { cleanup: 'full' },
    { filter: { tenant: 'globex' } },
  ],
  ...[
    { filter: '{"tenant":"globex"}' },
    { pins: { tenant: 'globex' } },
    { fence: 'globex' },
    { sessionId: CHAT },
  ],
  ...[{ vars: { tenant: 'globex' } }, { confirmFullCleanup: true, cleanup: 'full' }],
]
const PINS = ['tenant=globex', 'tenant=acme', 'tenant=', 'other=1', 'tenant=acme&pin=tenant=globex', '']

const draw = drawing()
const maybe = (field: string, list: readonly unknown[]): JsonObject =>
  draw([true, false]) ? ({ [field]: draw(list) } as JsonObject) : {}
const inQuery = (fields: JsonObject) =>
  Object.entries(fields)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    .join('&')
const inForm = (fields: JsonObject) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
const place = () => ({ ...maybe('source', SOURCES), ...maybe('chatId', CHATS), ...maybe('pin', PINS) })
const narrowing = () => ({ ...place(), ...maybe('filter', FILTERS), ...maybe('overrideConfig', OVERRIDES) })
const file = () => ({ [draw(SOURCES.slice(0, 3))]: 'The rent of ACMEWORD is planted.' })

type Call = { method: string; path: string; body?: JsonObject | FormData }

/** Each try is one of these, with what it names drawn anew. */
const ATTACKS: (() => Call)[] = [
  () => ({
    method: 'GET',
    path: `vector/sources/${flow}?limit=50&${inQuery({ ...place(), ...maybe('search', SOURCES) })}`,
  }),
  () => ({ method: 'GET', path: `vector/sources/${flow}?limit=50&removed=true&${inQuery(place())}` }),
  () => ({
    method: 'GET',
    path: `vector/chunks/${flow}?limit=50&${inQuery({ ...place(), ...maybe('search', ['rent', '%', 'GLOBEX']) })}`,
  }),
  () => ({
    method: 'GET',
    path: `vector/sources/${flow}/text?${inQuery({ source: draw(SOURCES), ...place() })}`,
  }),
  () => ({
    method: 'GET',
    path: `vector/sources/${flow}/original?${inQuery({ source: draw(SOURCES), ...place() })}`,
  }),
  () => ({ method: 'GET', path: `vector/fields/${flow}?${inQuery(place())}` }),
  () => ({ method: 'GET', path: `vector/failed/${flow}?${inQuery(place())}` }),
  () => ({ method: 'GET', path: `vector/query/${flow}?q=rent&topK=50&${inQuery(narrowing())}` }),
  () => ({ method: 'POST', path: `vector/query/${flow}`, body: { query: 'rent', topK: 50, ...narrowing() } }),
  () => ({
    method: 'POST',
    path: `prediction/${flow}`,
    body: { question: 'What is the rent?', ...narrowing() },
  }),
  () => ({
    method: 'POST',
    path: `vector/upsert/${flow}`,
    body: form(file(), inForm({ ...maybe('chatId', CHATS), ...draw(OVERRIDES) })),
  }),
  () => ({
    method: 'POST',
    path: `vector/upsert/${flow}?${inQuery(place())}`,
    body: form(file(), inForm({ overrideConfig: draw(OVERRIDES) })),
  }),
  () => ({
    method: 'POST',
    path: `vector/dry-run/${flow}?async=false`,
    body: form(file(), inForm({ ...maybe('chatId', CHATS), ...draw(OVERRIDES) })),
  }),
  () => ({ method: 'DELETE', path: `vector/upsert/${flow}?${inQuery(narrowing())}` }),
  () => ({ method: 'DELETE', path: `vector/upsert/${flow}`, body: narrowing() }),
  () => ({
    method: 'DELETE',
    path: `vector/upsert/${flow}`,
    body: { sources: SOURCES, ...maybe('chatId', CHATS) },
  }),
  () => ({ method: 'POST', path: `vector/sources/${flow}/restore`, body: { sources: SOURCES } }),
  () => ({ method: 'POST', path: `vector/refresh/${flow}?${inQuery(place())}`, body: {} }),
  () => ({ method: 'POST', path: `vector/reindex/${flow}`, body: {} }),
]

test(`a key with pins reads and changes nothing beyond them, whatever its request names (seed ${SEED}) [keys:pins:query, keys:pins:upsert]`, async () => {
  let answered = 0
  for (let number = 0; number < tries(120); number++) {
    const { method, path, body } = draw(ATTACKS)()
    const { status, text } = await platform.call(method, `/api/v1/${path}`, {
      key: acme,
      ...(body ? { body } : {}),
    })
    const sent = body instanceof FormData ? JSON.stringify([...body].map(String)) : JSON.stringify(body ?? {})
    const shown = `try ${number}, ${method} ${path} ${sent}: ${status} ${text.slice(0, 500)}`
    assert.ok(status < 500, shown)
    // A client sees what it has sent; of GLOBEX it has sent the beginning.
    for (const secret of SECRETS) assert.ok(!text.includes(secret), shown)
    if (status < 300) answered++
  }
  assert.ok(answered > tries(120) / 4, `${answered} were answered`)
  const found = async (key: string | undefined, more: JsonObject = {}) =>
    (
      await platform.call('POST', `/api/v1/vector/query/${flow}`, {
        body: { query: 'rent', topK: 100, ...more },
        ...(key === undefined ? {} : { key }),
      })
    ).text
  const [theirs, chat] = [await found(globex), await found(globex, { chatId: CHAT })]
  for (const text of [theirs, chat])
    assert.equal(text.match(/"pageContent":"[^"]*GLOBEXWORD/g)?.length, 2, text)
  assert.match(chat, /CHATWORD/)
  assert.match(await found(undefined), /ALLWORD/)
  for (const text of [theirs, chat]) assert.doesNotMatch(text, /ACMEWORD/)
})
