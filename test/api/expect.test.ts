import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExpectedAnswer } from '../../src/api/expected.ts'
import type { QueryAnswer } from '../../src/api/query-answer.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { ADMIN_KEY, makePlatform, MORE_SERVERS } from '../support/platform.ts'

/** What a query says of a document or a chunk that its answer should have. */

const platform = await makePlatform({}, { servers: MORE_SERVERS })
const flow = await platform.flow({
  name: 'Expected',
  overridable: ['files', 'addMetadata'],
  splitter: { chunkSize: 200, chunkOverlap: 0 },
})
const ABOUT = ['ferry', 'train', 'bus', 'boat', 'plane', 'tram', 'bicycle', 'horse', 'sledge', 'balloon']
for (const [at, what] of ABOUT.entries())
  await platform.upload(
    flow,
    { [`${what}.txt`]: `The ${what} to Bergen leaves at ${at + 1} o’clock from the harbour.` },
    { addMetadata: JSON.stringify({ number: at, tenant: at % 2 === 0 ? 'acme' : 'beta' }) },
  )
const CHAT = 'chat-of-anna'
await platform.upload(flow, { 'rent.txt': 'The rent of the harbour is 700.' }, { chatId: CHAT })
const QUESTION = 'When does the ferry to Bergen leave?'
const path = `/api/v1/vector/query/${flow}`

const asked = async (body: object, key?: string): Promise<QueryAnswer & { expected: ExpectedAnswer }> => {
  const answer = await platform.call<QueryAnswer>('POST', path, {
    key: key ?? ADMIN_KEY,
    body: { query: QUESTION, ...body },
  })
  assert.equal(answer.status, 200, answer.text)
  const { expected } = answer.body
  assert.ok(expected)
  return { ...answer.body, expected }
}
const plain = (body: JsonObject) => platform.manage<QueryAnswer>('POST', path, { query: QUESTION, ...body })
const withoutTimes = ({ docs }: QueryAnswer) => docs

test('an expected document that is in the answer is told with its place; the answer is the same [query:expect]', async () => {
  const found = await asked({ expect: { source: 'ferry.txt' }, topK: 3 })
  const { expected } = found
  assert.deepEqual(
    [expected.found, expected.place, expected.step, expected.reason, expected.remedy],
    [true, 1, null, 'It is hit 1.', null],
  )
  assert.equal(expected.chunk!.source, 'ferry.txt')
  const { body } = await plain({ topK: 3 })
  assert.deepEqual(withoutTimes(found), withoutTimes(body))
  assert.equal('expected' in body, false)
})

test('a document below topK is told with its place, and topK shows it [query:expect]', async () => {
  const { body } = await plain({ topK: 10 })
  const last = body.docs[6]!
  const { expected, docs } = await asked({ expect: { chunk: last.id }, topK: 2, explain: true })
  assert.equal(docs.length, 2)
  assert.equal(expected.found, false)
  assert.ok(expected.step === 'topK' || expected.step === 'rescoring', `${expected.step}`)
  const { change } = expected
  assert.ok(change)
  assert.equal(expected.remedy?.startsWith(`It is hit ${change.place} with ${change.setting}`), true)
  const again = await asked({ expect: { chunk: last.id }, topK: 2, [change.setting]: change.to })
  assert.deepEqual([again.expected.found, again.expected.place], [true, change.place])
  const { parts, rankedScore } = expected.explanation!
  const sum = Object.values(parts!).reduce((all: number, one) => all + (one ?? 0), 0)
  assert.ok(Math.abs(sum - rankedScore!) < 1e-12)
})

test('a filter, a threshold and another conversation are told; what is not stored is no error [query:expect]', async () => {
  const filtered = (await asked({ expect: { source: 'bus.txt' }, filter: { number: 7 }, topK: 20 })).expected
  assert.deepEqual([filtered.step, filtered.fields], ['filter', ['number']])
  assert.equal(filtered.change?.setting, 'filter')
  const { expected } = await asked({ expect: { source: 'horse.txt' }, minScore: 0.99 })
  assert.equal(expected.step, 'threshold')
  const [{ had, needed } = { had: null, needed: null }] = expected.measured
  assert.ok(had! < needed! && needed === 0.99)
  const rent = (await asked({ expect: { source: 'rent.txt' } })).expected
  assert.deepEqual([rent.step, rent.reason], ['conversation', 'It belongs to another conversation.'])
  assert.equal((await asked({ expect: { source: 'rent.txt' }, chatId: CHAT, topK: 20 })).expected.found, true)
  for (const expect of [{ source: 'no-such.txt' }, { chunk: '0b2ae1f6-6d4b-5d8a-9c1e-3f1d2c4b5a69' }]) {
    const none = (await asked({ expect })).expected
    assert.deepEqual([none.found, none.step, none.chunk, none.change], [false, 'notStored', null, null])
  }
})

test('a key with pins reads the same of a document outside its pins and of one that is not stored [query:expect, keys:pins:query]', async () => {
  const pinned = { keyName: 'acme', scopes: ['query'], flows: [flow], pins: { tenant: 'acme' } }
  const { apiKey } = (await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', pinned)).body
  const own = await asked({ expect: { source: 'bus.txt' }, explain: true }, apiKey)
  assert.notEqual(own.expected.step, 'notStored')
  assert.deepEqual([own.words, own.docs.some(({ terms }) => terms)], [undefined, false])
  const { body } = await plain({ topK: 20 })
  const other = body.docs.find(({ metadata }) => metadata.source === 'train.txt')!
  const unknown = (await asked({ expect: { source: 'no-such.txt' } }, apiKey)).expected
  for (const expect of [{ source: 'train.txt' }, { chunk: other.id }, { source: 'rent.txt' }])
    assert.deepEqual((await asked({ expect }, apiKey)).expected, unknown)
})

test('a key that is not of the management knows nothing of files in conversations of others [query:expect]', async () => {
  const { apiKey } = await platform.key({ scopes: ['query'], flows: [flow] })
  const unknown = (await asked({ expect: { source: 'no-such.txt' } }, apiKey)).expected
  assert.deepEqual((await asked({ expect: { source: 'rent.txt' } }, apiKey)).expected, unknown)
})

test('expect with both, with neither, with nothing in it, or with several queries is refused [query:expect]', async () => {
  for (const body of [
    { query: 'x', expect: { source: 'a', chunk: 'b' } },
    { query: 'x', expect: {} },
    { query: 'x', expect: { source: '' } },
    { query: 'x', expect: { chunk: '' } },
    { query: 'x', expect: 'ferry.txt' },
    { query: 'x', expect: { source: 'a'.repeat(5000) } },
    { queries: ['x'], expect: { source: 'a' } },
  ]) {
    const { status, body: refused } = await platform.call<{ code: string; message: string }>('POST', path, {
      body,
    })
    assert.deepEqual([status, refused.code], [400, 'body_invalid'], JSON.stringify(body))
    assert.match(refused.message, /expect/)
  }
})

test('explain names the words of the question with their rarity, and their shares of each hit [query:explain]', async () => {
  const { body } = await plain({ explain: true })
  const { words, docs } = body
  assert.deepEqual(
    words!.map(({ word, holders }) => [word, holders === null]),
    [
      ['When', true],
      ['does', true],
      ['the', true],
      ['ferry', false],
      ['to', true],
      ['Bergen', false],
      ['leave', false],
    ],
  )
  assert.equal(words!.find(({ word }) => word === 'ferry')!.holders, 1)
  const [first] = docs
  assert.equal(first!.terms![0]!.word, 'ferry')
  for (const { terms, scores } of docs) {
    const sum = terms!.reduce((all, { score }) => all + score, 0)
    assert.ok(Math.abs(sum - (scores.keyword ?? 0)) < 1e-5)
    const shares = terms!.reduce((all, { share }) => all + share, 0)
    assert.ok(Math.abs(shares - (terms!.length > 0 ? 1 : 0)) < 1e-6)
  }
})
