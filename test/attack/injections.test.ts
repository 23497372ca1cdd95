import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'
import { drawing, SEED, tries } from './support.ts'

/** Names, ids and texts that mean something to whoever takes them for code: a path, a header, a query, a template, an object. */

const [platform, model] = await Promise.all([
  makePlatform({}, { servers: 1, embedded: true }),
  startChatServer(),
])
after(() => model.close())
model.otherwise = { text: 'What is the rent?' }
const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
  name: 'Open',
  flowData: documentFlow(model.url),
  apiConfig: { ...overridable('files', 'addMetadata', 'filter'), originals: true },
})
const flow = made.body.id
const secret = await platform.manage('POST', '/api/v1/variables', {
  name: 'hidden',
  value: 'HIDDENWORD',
  type: 'static',
})
assert.equal(secret.status, 200, secret.text)
const plain = await platform.upload(flow, { 'plain.txt': 'The rent of PLAINWORD is 700.' })
assert.equal(plain.status, 200, plain.text)

const HOSTILE = [
  ...[
    '../../../../tmp/evil',
    '..\\..\\evil',
    '/etc/passwd',
    'a/../../b',
    '%2e%2e%2f%2e%2e%2fevil',
    '....//evil',
    '.',
    '..',
  ],
  ...[
    'a\r\nset-cookie: evil=1',
    'a\nx-evil: 1',
    'a%0d%0ax-evil:%201',
    "a'; DROP TABLE flows; --",
    '" OR ""="',
    '%',
    '_',
    '%%',
    '*',
  ],
  ...[
    '\\',
    '\\%',
    "'",
    '"',
    '`id`',
    '$(id)',
    '; id',
    '| id',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
  ],
  ...[
    '{{$vars.hidden}}',
    '{{question}}',
    '$' + '{process.env.ADMIN_KEY}',
    '#{7*7}',
    '<script>alert(1)</script>',
    '{{constructor.constructor}}',
  ],
  ...[
    '\0',
    'a\0.txt',
    '\ud800',
    '\u202egnp.exe',
    '\u001f',
    '\u001e',
    '\ufeff',
    '😀'.repeat(60),
    'x'.repeat(300),
    ' ',
    '',
  ],
  ...[
    '1e999',
    'NaN',
    '-1',
    '9007199254740993',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    'con',
    'file:///etc/passwd',
  ],
]

const draw = drawing()
const hostile = () => draw([draw(HOSTILE), `${draw(HOSTILE)}${draw(HOSTILE)}`.slice(0, 400)])
const encoded = () => encodeURIComponent(hostile().toWellFormed())
/** Fields of an object, own ones also where they have the names of those that all objects have. */
const object = (): JsonObject =>
  JSON.parse(
    `{${JSON.stringify(hostile().toWellFormed())}:${JSON.stringify(draw([hostile(), 1, null, true]))}}`,
  ) as JsonObject
const polluting = () =>
  JSON.parse(
    `{"__proto__":${JSON.stringify(object())},"constructor":{"prototype":{"polluted":1}}}`,
  ) as JsonObject
const json = () => draw([object, polluting])()

type Call = { method: string; path: string; body?: JsonObject | FormData; headers?: Record<string, string> }
const at = (method: string, where: string, body?: JsonObject | FormData): Call => ({
  method,
  path: where,
  ...(body ? { body } : {}),
})

const CALLS: (() => Call)[] = [
  () =>
    at(
      'POST',
      `vector/upsert/${flow}`,
      form({ [hostile() || 'a']: `Words with ${hostile().toWellFormed()}.` }),
    ),
  () =>
    at(
      'POST',
      `vector/upsert/${flow}`,
      form({ 'a.txt': 'Words.' }, { [hostile().toWellFormed() || 'a']: hostile().toWellFormed() }),
    ),
  () =>
    at('POST', `vector/upsert/${flow}`, form({ 'a.txt': 'Words.' }, { addMetadata: JSON.stringify(json()) })),
  () => at('POST', `vector/query/${flow}`, { query: hostile().toWellFormed() || 'x', filter: json() }),
  () =>
    at('POST', `vector/query/${flow}`, {
      query: 'rent',
      overrideConfig: json(),
      chatId: hostile().slice(0, 200),
    }),
  () =>
    at(
      'GET',
      `vector/query/${flow}?q=${encoded() || 'x'}&filter=${encodeURIComponent(JSON.stringify(json()))}`,
    ),
  () => at('GET', `vector/sources/${flow}?search=${encoded()}&sort=${encoded()}`),
  () => at('GET', `vector/sources/${flow}?search=${encoded()}`),
  () => at('GET', `vector/sources/${flow}/text?source=${encoded()}`),
  () => at('GET', `vector/sources/${flow}/original?source=${encoded()}`),
  () => at('GET', `vector/chunks/${flow}?source=${encoded()}&search=${encoded()}`),
  () => at('DELETE', `vector/upsert/${flow}`, { source: hostile() || 'no such' }),
  () =>
    at('POST', `prediction/${flow}`, {
      question: hostile().toWellFormed() || 'x',
      overrideConfig: { vars: json(), ...json() },
    }),
  () =>
    at('POST', `prediction/${flow}`, {
      question: 'x',
      history: [{ role: 'userMessage', content: hostile().toWellFormed() }],
    }),
  () => at('GET', `chatflows/${encoded() || 'x'}`),
  () => at('GET', `jobs/${encoded() || 'x'}`),
  () => at('GET', `jobs/${encoded() || 'x'}/files?search=${encoded()}`),
  () => at('GET', `chatmessage/${encoded() || 'x'}?chatId=${encoded()}`),
  () => at('GET', `chatflows/${flow}/conversations?search=${encoded()}`),
  () => at('GET', `get-upload-file?chatflowId=${encoded()}&fileName=${encoded()}`),
  () =>
    at('POST', 'leads', {
      chatflowid: flow,
      chatId: hostile().slice(0, 200),
      name: hostile().toWellFormed(),
    }),
  () =>
    at('POST', 'chatflows', {
      name: hostile().toWellFormed(),
      flowData: { nodes: [json()], edges: [json()] },
    }),
  () => ({
    ...at('GET', 'ping'),
    headers: { 'x-request-id': hostile().replace(/[^\x20-\x7e]/g, ''), 'x-forwarded-host': 'evil.example' },
  }),
]

/** The texts of the names in the data directory, which no request may choose. */
const names = () => readdirSync(platform.dataDirectory, { recursive: true, encoding: 'utf8' })

test(`no name, id or text of a request is taken for a path, a header, a query, a template or a type (seed ${SEED}) [server:fuzz]`, async () => {
  for (let number = 0; number < tries(150); number++) {
    const { method, path: where, body, headers } = draw(CALLS)()
    const answer = await platform.call(method, `/api/v1/${where}`, {
      key: ADMIN_KEY,
      ...(body ? { body } : {}),
      ...(headers ? { headers } : {}),
    })
    const sent = body instanceof FormData ? JSON.stringify([...body].map(String)) : JSON.stringify(body ?? {})
    const shown = `try ${number}, ${method} ${where} ${sent}: ${answer.status} ${answer.text.slice(0, 800)}`
    assert.ok(answer.status < 500, shown)
    // A value of a variable, a file of this machine, a place in the program.
    assert.doesNotMatch(answer.text, /HIDDENWORD|root:x:0|node:internal|\.ts:\d+/, shown)
    assert.ok(!answer.text.includes(platform.dataDirectory), shown)
    for (const name of ['set-cookie', 'x-evil']) assert.equal(answer.headers.get(name), null, shown)
    assert.ok(!('polluted' in {}) && Object.keys(Object.prototype).length === 0, shown)
  }
  for (const name of names()) assert.doesNotMatch(name, /evil|passwd|script/, name)
  for (const place of ['/tmp/evil', path.join(platform.dataDirectory, '..', 'evil')])
    assert.ok(!existsSync(place), place)
  // What was there is there: no wildcard and no statement has removed it.
  const found = await platform.query(flow, { query: 'the rent of PLAINWORD' })
  assert.ok(found.body.docs.some(({ pageContent }) => pageContent.includes('PLAINWORD')))
})

test('a template in a document stays text: no model gets the value of a variable by it [server:fuzz]', async () => {
  await platform.upload(flow, {
    'template.txt': 'The rent of the template is {{$vars.hidden}} and {{question}}.',
  })
  const asked = await platform.call('POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'What is the rent of the template {{$vars.hidden}}?' },
  })
  assert.equal(asked.status, 200, asked.text)
  const sent = JSON.stringify(model.calls.map(({ body }) => body))
  assert.match(sent, /rent of the template is \{\{\$vars\.hidden\}\}/)
  assert.doesNotMatch(sent, /HIDDENWORD/)
})
