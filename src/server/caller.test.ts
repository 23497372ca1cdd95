import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { ApiKeyRow, ApiKeyStore } from '../contract/api-key-store.ts'
import type { SessionRow } from '../contract/session-store.ts'
import { secretHash } from '../kit/key-secret.ts'
import { ANYBODY, ownerOfJobs, presentedKey, RequestCaller } from './caller.ts'
import { createKeyGuesses } from './door/key-guesses.ts'

const NOW = Date.UTC(2026, 10, 27)
const session = { id: 'session' } as unknown as SessionRow

const rowOf = (secret: string, more: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  ...{ id: `id of ${secret}`, name: `name of ${secret}`, hash: secretHash(secret), scopes: ['query'] },
  ...{ flows: [], pins: {}, quotas: {}, createdAt: 0, expiresAt: null, lastUsedAt: null },
  ...more,
})

/** Keys in memory; `lookUps` counts what a request costs, `used` are the ids of keys that were noted as used, with the time. */
function desk(t: TestContext, rows: ApiKeyRow[], { wrongAMinute = 2, metricsKey = '' } = {}) {
  t.mock.timers.enable({ apis: ['Date'], now: NOW })
  const desk = { rows, lookUps: 0, used: [] as unknown[], isAway: false }
  const keys = {
    async findByHash(hash: Uint8Array) {
      desk.lookUps++
      if (desk.isAway) throw new Error('away')
      return desk.rows.find((row) => Buffer.compare(row.hash, hash) === 0)
    },
    noteUse: (id: string, now: number) => void desk.used.push([id, now]),
  } as unknown as ApiKeyStore
  const check = {
    adminKeyHash: secretHash('root'),
    metricsKeyHash: metricsKey ? secretHash(metricsKey) : undefined,
    keys,
    guesses: createKeyGuesses(wrongAMinute, () => 0),
  }
  const callerOf = (secret?: string, address = '203.0.113.9') => new RequestCaller(check, secret, address)
  return Object.assign(desk, { callerOf })
}

test('presentedKey() reads a key with the word Bearer or without', () => {
  for (const authorization of ['Bearer abc', 'bearer   abc ', 'abc', ' abc '])
    assert.equal(presentedKey({ authorization }), 'abc')
  for (const authorization of [undefined, '', ' ', 'Bearer  '])
    assert.equal(presentedKey(authorization === undefined ? {} : { authorization }), undefined)
  assert.equal(presentedKey({ authorization: 'Bearerabc' }), 'Bearerabc')
})

test('ownerOfJobs() is the key, or the flow for callers without one', () => {
  assert.equal(ownerOfJobs('key 1', { id: 'flow 1' }), 'key:key 1')
  assert.equal(ownerOfJobs(ANYBODY, { id: 'flow 1' }), 'flow:flow 1')
})

test('identify() knows ADMIN_KEY, managers and other keys, and notes their use', async (t) => {
  const { callerOf, rows, used } = desk(t, [rowOf('a'), rowOf('m', { scopes: ['query', 'manage'] })])
  assert.deepEqual(await callerOf('root').identify(), { admin: true })
  assert.deepEqual(await callerOf('a').identify(), { admin: false, key: rows[0] })
  assert.deepEqual(await callerOf('m').identify(), { admin: true, key: rows[1] })
  assert.equal(await callerOf('strange').identify(), undefined)
  assert.equal(await callerOf().identify(), undefined)
  assert.deepEqual(used, [
    ['id of a', NOW],
    ['id of m', NOW],
  ])
})

test('identify() takes a studio session for a manager, unless a key is presented', async (t) => {
  const { callerOf } = desk(t, [rowOf('a')])
  const [studio, withKey, withWrongKey] = [callerOf(), callerOf('a'), callerOf('strange')]
  for (const caller of [studio, withKey, withWrongKey]) caller.session = session
  assert.deepEqual(await studio.identify(), { admin: true })
  assert.equal((await withKey.identify())?.admin, false)
  assert.equal(await withWrongKey.identify(), undefined)
})

test('identify() does not know a key from the moment at which it expires', async (t) => {
  const { callerOf } = desk(t, [rowOf('over', { expiresAt: NOW }), rowOf('still', { expiresAt: NOW + 1 })])
  assert.equal(await callerOf('over').identify(), undefined)
  assert.equal((await callerOf('still').identify())?.key?.name, 'name of still')
  const { code, facts } = await callerOf('over').refusal()
  assert.deepEqual([code, facts], ['key_expired', { at: new Date(NOW).toISOString() }])
})

test('a request looks its key up once, and counts as one guess', async (t) => {
  const all = desk(t, [rowOf('a')], { wrongAMinute: 2 })
  const caller = all.callerOf('strange')
  for (let n = 0; n < 5; n++) assert.equal(await caller.identify(), undefined)
  assert.equal(await caller.name(), ANYBODY)
  assert.equal(all.lookUps, 1)
  await all.callerOf('also strange').identify()
  await assert.rejects(all.callerOf('the third').identify(), { code: 'too_many_keys' })
  assert.equal(all.lookUps, 2)
  // Another address has its own.
  assert.equal(await all.callerOf('the third', '203.0.113.10').identify(), undefined)
})

test('a right key is no guess, and a look-up that failed is one', async (t) => {
  const all = desk(t, [rowOf('a')], { wrongAMinute: 1 })
  for (let n = 0; n < 3; n++) assert.ok(await all.callerOf('a').identify())
  all.isAway = true
  await assert.rejects(all.callerOf('b').identify(), { message: 'away' })
  all.isAway = false
  await assert.rejects(all.callerOf('b').identify(), { code: 'too_many_keys' })
})

test('withKey() is the same sender with the key of a body', async (t) => {
  const all = desk(t, [rowOf('a')], { wrongAMinute: 1 })
  assert.equal((await all.callerOf().withKey('a').identify())?.key?.id, 'id of a')
  await all.callerOf().withKey('wrong').identify()
  await assert.rejects(all.callerOf().withKey('wrong again').identify(), { code: 'too_many_keys' })
})

test('hasMetricsKey is of the presented key alone, where there is a METRICS_KEY', async (t) => {
  const with_ = desk(t, [], { metricsKey: 'm' })
  assert.deepEqual(
    ['m', 'n', undefined].map((secret) => with_.callerOf(secret).hasMetricsKey),
    [true, false, false],
  )
  assert.equal(with_.callerOf().metricsNeedKey, true)
})

test('without a METRICS_KEY nobody has it', (t) => {
  const { callerOf } = desk(t, [])
  assert.equal(callerOf('m').hasMetricsKey, false)
  assert.equal(callerOf('m').metricsNeedKey, false)
})

test('lookAgain() notices that a known key is gone or has expired meanwhile', async (t) => {
  const all = desk(t, [rowOf('a'), rowOf('b')])
  const [gone, expired, kept] = [all.callerOf('a'), all.callerOf('b'), all.callerOf('b')]
  for (const caller of [gone, expired, kept]) await caller.key()
  assert.equal(await kept.lookAgain(), true)
  assert.equal(all.lookUps, 4)
  all.rows = [rowOf('b', { expiresAt: NOW - 1 })]
  await assert.rejects(gone.lookAgain(), { code: 'key_invalid' })
  await assert.rejects(expired.lookAgain(), { code: 'key_expired' })
})

test('lookAgain() does nothing for callers without a known key of their own, and within the time that is given', async (t) => {
  const all = desk(t, [rowOf('a')])
  const callers = [all.callerOf(), all.callerOf('strange'), all.callerOf('root'), all.callerOf('a')]
  for (const caller of callers) await caller.name()
  const before = all.lookUps
  for (const caller of callers) assert.equal(await caller.lookAgain(600_000), false)
  for (const caller of callers.slice(0, 3)) assert.equal(await caller.lookAgain(), false)
  assert.equal(await all.callerOf('a').lookAgain(), false)
  assert.equal(all.lookUps, before)
})

test('lookAgain() looks a key up that was looked up so long ago, or longer', async (t) => {
  const all = desk(t, [rowOf('a')])
  let time = 5000
  t.mock.method(performance, 'now', () => time)
  const caller = all.callerOf('a')
  await caller.key()
  time += 99
  await caller.key()
  assert.equal(await caller.lookAgain(100), false)
  time += 1
  assert.equal(await caller.lookAgain(100), true)
  assert.equal(await caller.lookAgain(100), false)
  time += 100
  assert.equal(await caller.lookAgain(100), true)
  assert.equal(all.lookUps, 3)
})

test('name() differs for each key, and is one for all that are not known', async (t) => {
  const { callerOf } = desk(t, [rowOf('a'), rowOf('m', { scopes: ['manage'] })])
  const names = async (...secrets: (string | undefined)[]) =>
    Promise.all(secrets.map((secret) => callerOf(secret).name()))
  assert.deepEqual(await names('a', 'm', 'root', 'strange', undefined), [
    'id of a',
    ...['manager', 'manager', ANYBODY, ANYBODY],
  ])
  const studio = callerOf()
  studio.session = session
  assert.equal(await studio.name(), 'manager')
})

test('key() is the row of a known key', async (t) => {
  const { callerOf, rows } = desk(t, [rowOf('a')])
  assert.deepEqual(await callerOf('a').key(), rows[0])
  for (const secret of ['strange', 'root', undefined]) assert.equal(await callerOf(secret).key(), undefined)
})

test('fence() is of the pins of the key; an expired key with pins is refused, since an open flow would answer without them', async (t) => {
  const pins = { tenant: 'acme' }
  const all = desk(t, [
    rowOf('a'),
    rowOf('p', { pins, quotas: { chunks: 7 } }),
    rowOf('over', { pins, expiresAt: NOW - 1 }),
    rowOf('free', { expiresAt: NOW - 1 }),
  ])
  const fence = await all.callerOf('p').fence()
  assert.deepEqual([fence?.pins, fence?.mostChunks], [pins, 7])
  for (const secret of ['a', 'root', 'strange', 'free', undefined])
    assert.equal(await all.callerOf(secret).fence(), undefined)
  await assert.rejects(all.callerOf('over').fence(), { code: 'key_expired' })
})

test('forAudit() names the key, also one that has expired', async (t) => {
  const { callerOf } = desk(t, [rowOf('a'), rowOf('over', { expiresAt: NOW - 1 })])
  for (const [secret, caller, keyId] of [
    ['a', 'name of a', 'id of a'],
    ['over', 'name of over', 'id of over'],
    ['root', 'ADMIN_KEY', null],
    ['strange', 'an unknown key', null],
    [undefined, 'no key', null],
  ] as const)
    assert.deepEqual(await callerOf(secret).forAudit(), { caller, keyId })
  const studio = callerOf()
  studio.session = session
  assert.deepEqual(await studio.forAudit(), { caller: 'studio session', keyId: null })
})

test('refusal() says whether a key is missing, unknown, or not of the flow', async (t) => {
  const { callerOf } = desk(t, [rowOf('a')])
  for (const [secret, code] of [
    [undefined, 'unauthorized'],
    ['strange', 'key_invalid'],
    ['a', 'key_invalid'],
  ] as const)
    assert.equal((await callerOf(secret).refusal()).code, code)
})
