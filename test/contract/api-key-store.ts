import assert from 'node:assert/strict'
import type { ApiKeyRow } from '../../src/contract/api-key-store.ts'
import { untilEqual } from '../support/until.ts'
import { insertFlows, type MakeRepositories, promisesOf } from './repositories.ts'

const keyRow = (id: string, changes: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  id,
  name: `Key ${id}`,
  hash: new Uint8Array(32).fill(id.charCodeAt(0)),
  scopes: ['query'],
  flows: [],
  pins: {},
  quotas: {},
  createdAt: 1,
  expiresAt: null,
  lastUsedAt: null,
  ...changes,
})

/** What every store of API keys promises; run by each implementation. */
export function apiKeyStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the ApiKeyStore`, make)

  promises('finds a key by its id and by its hash, with every field', async ({ keys }) => {
    const row = keyRow('a', {
      scopes: ['upsert', 'manage'],
      flows: ['flow-1', 'flow-2'],
      quotas: { chunks: 10, questions: 5 },
      pins: { tenant: 'acme', region: 'é"🙂' },
      createdAt: 7,
      expiresAt: 9,
    })
    await keys.insert(row)
    await keys.insert(keyRow('b'))
    assert.deepEqual(await keys.find('a'), row)
    assert.deepEqual(await keys.findByHash(row.hash), row)
    assert.equal(await keys.find('none'), undefined)
    assert.equal(await keys.findByHash(new Uint8Array(32)), undefined)
  })

  promises('lists keys, the oldest first', async ({ keys }) => {
    assert.deepEqual(await keys.list(), [])
    await keys.insert(keyRow('a', { createdAt: 2 }))
    await keys.insert(keyRow('b', { createdAt: 1 }))
    const listed = await keys.list()
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['b', 'a'],
    )
  })

  promises('updates name, scopes, flows, quotas and expiry, and keeps hash and pins', async ({ keys }) => {
    const row = keyRow('a', { pins: { tenant: 'acme' } })
    await keys.insert(row)
    const changed = {
      ...{ ...row, name: 'New', scopes: ['predict' as const], flows: ['flow'] },
      ...{ quotas: { bytes: 7 }, expiresAt: 9 },
    }
    await keys.update({ ...changed, hash: new Uint8Array(32), pins: {}, createdAt: 5, lastUsedAt: 5 })
    assert.deepEqual(await keys.find('a'), changed)
    await keys.update({ ...changed, expiresAt: null })
    assert.equal((await keys.find('a'))?.expiresAt, null)
  })

  promises(
    'take() counts an amount up to the limit of a day, each quota apart [keys:quotas]',
    async ({ keys }) => {
      for (const id of ['a', 'b']) await keys.insert(keyRow(id))
      const take = (amount: number, more = {}) =>
        keys.take({ id: 'a', quota: 'bytes', amount, max: 10, day: 5, ...more })
      assert.deepEqual(await take(11), { used: 0, isRefused: true })
      assert.deepEqual(await take(6), { used: 6, isRefused: false })
      assert.deepEqual(await take(5), { used: 6, isRefused: true })
      assert.deepEqual(await take(4), { used: 10, isRefused: false })
      assert.deepEqual(await take(1, { quota: 'questions' }), { used: 1, isRefused: false })
      assert.deepEqual(await take(1, { id: 'b' }), { used: 1, isRefused: false })
      assert.deepEqual(await keys.used('a', 5), { bytes: 10, questions: 1 })
      assert.deepEqual(await take(3, { day: 6 }), { used: 3, isRefused: false })
      assert.deepEqual(
        await take(8),
        { used: 3, isRefused: true },
        'a clock that is behind begins no day again',
      )
      assert.deepEqual(await keys.used('a', 6), { bytes: 3, questions: 0 })
      await keys.remove('a')
      assert.deepEqual(await keys.used('a', 6), { bytes: 0, questions: 0 })
      assert.equal((await keys.used('b', 5)).bytes, 1)
    },
  )

  promises(
    'take() never gives more than the limit to calls at the same time [keys:quotas]',
    async ({ keys }) => {
      await keys.insert(keyRow('a'))
      const asked = Array.from({ length: 20 }, () =>
        keys.take({ id: 'a', quota: 'questions', amount: 3, max: 31, day: 5 }),
      )
      const taken = (await Promise.all(asked)).filter(({ isRefused }) => !isRefused)
      assert.deepEqual([taken.length, (await keys.used('a', 5)).questions], [10, 30])
    },
  )

  promises('replaces the hash of a key and nothing else', async ({ keys }) => {
    const row = keyRow('a')
    await keys.insert(row)
    const hash = new Uint8Array(32).fill(7)
    assert.equal(await keys.rotate('a', hash), true)
    assert.deepEqual(await keys.find('a'), { ...row, hash })
    assert.equal(await keys.findByHash(row.hash), undefined)
    assert.equal((await keys.findByHash(hash))?.id, 'a')
    assert.equal(await keys.rotate('none', hash), false)
  })

  promises('notes the last use of one key', async ({ keys }) => {
    const now = 1_700_000_040_000
    for (const id of ['a', 'b']) await keys.insert(keyRow(id))
    keys.noteUse('a', now)
    await untilEqual(async () => (await keys.find('a'))?.lastUsedAt, now)
    assert.equal((await keys.find('b'))?.lastUsedAt, null)
  })

  promises('binds flows to a new key in the same write', async (repositories) => {
    const { keys, flows } = repositories
    await insertFlows(repositories, 'one', 'two', 'three')
    await keys.insert(keyRow('a', { createdAt: 9 }), ['one', 'two'])
    const bound = await flows.boundTo('a')
    assert.deepEqual(bound.map(({ id }) => id).sort(), ['one', 'two'])
    assert.equal((await flows.find('one'))?.updatedAt, 9)
    assert.equal((await flows.find('three'))?.apiKeyId, null)
  })

  promises(
    'makes no key and binds nothing where one of the flows is missing or bound',
    async (repositories) => {
      const { keys, flows } = repositories
      await insertFlows(repositories, 'one', 'two')
      await keys.insert(keyRow('a'), ['two'])
      await assert.rejects(keys.insert(keyRow('b'), ['one', 'none']), { code: 'flow_not_found' })
      await assert.rejects(keys.insert(keyRow('b'), ['one', 'two']), { code: 'flow_bound' })
      assert.equal(await keys.find('b'), undefined)
      assert.equal((await flows.find('one'))?.apiKeyId, null)
      assert.equal((await flows.find('two'))?.apiKeyId, 'a')
    },
  )

  promises(
    'removes a key once; a flow bound to it stays bound, and a new key can take it over',
    async (repositories) => {
      const { keys, flows } = repositories
      await insertFlows(repositories, 'one')
      await keys.insert(keyRow('a'), ['one'])
      assert.deepEqual([await keys.remove('a'), await keys.remove('a')], [true, false])
      assert.equal(await keys.findByHash(keyRow('a').hash), undefined)
      assert.equal((await flows.find('one'))?.apiKeyId, 'a')
      await keys.insert(keyRow('b'), ['one'])
      assert.equal((await flows.find('one'))?.apiKeyId, 'b')
    },
  )
}
