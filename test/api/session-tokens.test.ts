import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { temporaryDatabase } from '../support/store.ts'
import { apiKeyStore } from '../../src/db/repositories/api-keys.ts'
import { sessionStore } from '../../src/db/repositories/sessions.ts'
import type { ApiKeyRow } from '../../src/contract/api-key-store.ts'
import type { Log } from '../../src/kit/log.ts'
import { createSessions } from '../../src/server/sessions.ts'

const MINUTE = 60_000

/** Sessions over a real database, and a clock that a test moves. */
function open(t: TestContext) {
  const clock = { now: 1_000_000 }
  const events: string[] = []
  const note = (event: string) => void events.push(event)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const database = temporaryDatabase(t)
  const keys = apiKeyStore(database.sql)
  const open = (secret: string) =>
    createSessions({ sessions: sessionStore(database.sql), keys, secret }, log, () => clock.now)
  return { clock, events, keys, sessions: open('secret'), open }
}

test('createSessions() takes a code once, within five minutes [studio:session]', async (t) => {
  const { clock, sessions } = open(t)
  const [first, second] = [await sessions.newCode(), await sessions.newCode()]
  const { token } = await sessions.beginWithCode(first)
  assert.ok(await sessions.find(token))
  await assert.rejects(sessions.beginWithCode(first), { code: 'sign_in_invalid' })
  clock.now += 5 * MINUTE
  await assert.rejects(sessions.beginWithCode(second), { code: 'sign_in_invalid' })
  await assert.rejects(sessions.beginWithCode('made up'), { code: 'sign_in_invalid' })
})

test('createSessions() replaces a token after ten minutes, once for parallel requests [studio:session]', async (t) => {
  const { clock, sessions } = open(t)
  const { token } = await sessions.begin(null)
  clock.now += 10 * MINUTE - 1
  assert.equal((await sessions.find(token))?.token, undefined)
  clock.now += 1
  const found = await Promise.all([sessions.find(token), sessions.find(token), sessions.find(token)])
  assert.ok(found.every((one) => one !== undefined))
  const replaced = found.flatMap((one) => one?.token ?? [])
  assert.equal(replaced.length, 1)
  assert.ok(await sessions.find(token))
  assert.ok(await sessions.find(replaced[0]!))
})

test('createSessions() accepts an old token until the new one was used, and a minute more [studio:session]', async (t) => {
  const { clock, events, sessions } = open(t)
  const { token } = await sessions.begin(null)
  clock.now += 10 * MINUTE
  const next = (await sessions.find(token))!.token!
  // The answer with the new token was lost, or arrives late: the old token gets the same one again.
  clock.now += 2 * MINUTE
  const again = (await sessions.find(token))!.token!
  assert.equal(again, next)
  assert.ok(await sessions.find(again))
  clock.now += MINUTE - 1
  assert.ok(await sessions.find(token))
  clock.now += 1
  assert.deepEqual(events, [])
  assert.equal(await sessions.find(token), undefined)
  assert.deepEqual(events, ['session-token-reused'])
  assert.equal(await sessions.find(again), undefined)
})

test('createSessions() gives the same new token on every member, and after a start [studio:session]', async (t) => {
  const { clock, events, sessions, open: openMember } = open(t)
  const { token } = await sessions.begin(null)
  clock.now += 10 * MINUTE
  const next = (await sessions.find(token))!.token!
  clock.now += 2 * MINUTE
  assert.equal((await openMember('secret').find(token))?.token, next)
  // Without the secret the new token cannot be made from the old one: it is replaced.
  const replaced = (await openMember('another secret').find(token))?.token
  assert.ok(replaced !== undefined && replaced !== next)
  assert.ok(await sessions.find(replaced))
  assert.deepEqual(events, [])
})

test('createSessions() ends a session when a token is used that was replaced several times [studio:session]', async (t) => {
  const { clock, events, sessions } = open(t)
  const { token: first } = await sessions.begin(null)
  let latest = first
  for (let times = 0; times < 3; times++) {
    clock.now += 10 * MINUTE
    latest = (await sessions.find(latest))!.token!
  }
  assert.ok(await sessions.find(latest))
  assert.equal(await sessions.find('made up'), undefined)
  assert.ok(await sessions.find(latest))
  assert.equal(await sessions.find(first), undefined)
  assert.deepEqual(events, ['session-token-reused'])
  assert.equal(await sessions.find(latest), undefined)
})

test('createSessions() ends a session after twelve hours without use, and after seven days [studio:session]', async (t) => {
  const { clock, sessions } = open(t)
  let { token } = await sessions.begin(null)
  const unused = await sessions.begin(null)
  const begun = clock.now
  while (clock.now < begun + 7 * 24 * 60 * MINUTE - 11 * 60 * MINUTE) {
    clock.now += 11 * 60 * MINUTE
    const found = await sessions.find(token)
    assert.ok(found)
    token = found.token ?? token
  }
  assert.equal(await sessions.find(unused.token), undefined)
  clock.now = begun + 7 * 24 * 60 * MINUTE
  assert.equal(await sessions.find(token), undefined)
})

test('createSessions() signs out one browser, and all [studio:session]', async (t) => {
  const { sessions } = open(t)
  const [one, two, three] = await Promise.all([
    sessions.begin(null),
    sessions.begin(null),
    sessions.begin(null),
  ])
  await sessions.end(one.session.id)
  assert.equal(await sessions.find(one.token), undefined)
  const code = await sessions.newCode()
  assert.equal(await sessions.endAll(), 2)
  for (const { token } of [two, three]) assert.equal(await sessions.find(token), undefined)
  await assert.rejects(sessions.beginWithCode(code), { code: 'sign_in_invalid' })
})

test('createSessions() ends a session with the key that it began with [studio:session]', async (t) => {
  const { clock, keys, sessions } = open(t)
  const key = (id: string, changes: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
    ...{
      id,
      name: id,
      scopes: ['manage'],
      flows: [],
      pins: {},
      quotas: {},
      createdAt: 1,
      expiresAt: null,
      lastUsedAt: null,
    },
    hash: new Uint8Array(32).fill(id.charCodeAt(0)),
    ...changes,
  })
  await keys.insert(key('deleted'))
  await keys.insert(key('narrowed'))
  await keys.insert(key('expiring', { expiresAt: clock.now + MINUTE }))
  const tokens = new Map<string, string>()
  for (const id of ['deleted', 'narrowed', 'expiring']) tokens.set(id, (await sessions.begin(id)).token)
  for (const token of tokens.values()) assert.ok(await sessions.find(token))
  await keys.remove('deleted')
  await keys.update(key('narrowed', { scopes: ['query'] }))
  clock.now += MINUTE
  for (const [id, token] of tokens) assert.equal(await sessions.find(token), undefined, id)
  // A key that gets its scope back does not bring the session back.
  await keys.update(key('narrowed'))
  assert.equal(await sessions.find(tokens.get('narrowed')!), undefined)
})
