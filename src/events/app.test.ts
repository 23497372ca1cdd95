import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLog } from '../kit/log.ts'
import { buildEventApp, type EventAppOptions } from './app.ts'
import { BODY_LIMIT } from './body.ts'
import { EventStore } from './store.ts'

const details = { name: 'Choir', date: '2025-01-01T10:00:00Z', location: 'Bern' }

function build(t: TestContext, options: EventAppOptions = {}) {
  const app = buildEventApp(options)
  t.after(() => app.close())
  return app
}

test('a list of any length is answered whole and in order [events:list]', async (t) => {
  for (const length of [0, 1, 999, 1000, 1001, 2000, 2500]) {
    const events = Array.from({ length }, (_, index) => ({ id: String(index), ...details }))
    const answer = await build(t, { store: new EventStore(events) }).inject('/events')
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.deepEqual(answer.json(), events)
  }
})

test('an internal failure answers a generic sentence and is logged [events:failure]', async (t) => {
  const lines: string[] = []
  const log = createLog('error', { write: (line) => lines.push(line) })
  const store = new EventStore()
  store.find = () => {
    throw new Error('the inside of the service')
  }
  const answer = await build(t, { store, log }).inject('/events/1')
  assert.equal(answer.statusCode, 500)
  assert.deepEqual(answer.json(), { error: 'Internal server error' })
  assert.match(lines.join(''), /request-failed.*the inside of the service/)
})

test('a body may have the size of the limit, but not a byte more [events:too-large]', async (t) => {
  const app = build(t)
  const rest = JSON.stringify({ ...details, name: '' }).length
  const send = (bytes: number) =>
    app.inject({ method: 'POST', url: '/events', payload: { ...details, name: 'x'.repeat(bytes - rest) } })
  assert.equal((await send(BODY_LIMIT)).statusCode, 201)
  const refused = await send(BODY_LIMIT + 1)
  assert.equal(refused.statusCode, 413)
  assert.deepEqual(refused.json(), { error: 'Request body is larger than 100 kB' })
})

test('bytes that are not UTF-8 are not JSON, a byte order mark does no harm [events:bad-json]', async (t) => {
  const app = build(t)
  const send = (payload: Buffer) =>
    app.inject({ method: 'POST', url: '/events', headers: { 'content-type': 'application/json' }, payload })
  const broken = await send(Buffer.from(JSON.stringify({ ...details, name: 'Café' }), 'latin1'))
  assert.equal(broken.statusCode, 400)
  assert.deepEqual(broken.json(), { error: 'Request body is not valid JSON' })
  assert.equal((await send(Buffer.from(`\ufeff${JSON.stringify(details)}`))).statusCode, 201)
})

test('a refused request is not logged', async (t) => {
  const lines: string[] = []
  const app = build(t, { log: createLog('debug', { write: (line) => lines.push(line) }) })
  await app.inject({
    method: 'POST',
    url: '/events',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  })
  await app.inject({ method: 'POST', url: '/events', headers: { 'content-type': '?' }, payload: '{}' })
  await app.inject('/%zz')
  assert.deepEqual(lines, [])
})
