import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { untilEqual } from '../support/until.ts'

const [platform, silent] = await Promise.all([makePlatform({ ACCESS_LOG: 'true' }), makePlatform()])

/** The line of the request with an id, once its answer is complete. */
async function lineOf(id: string) {
  const found = () => platform.log.filter(({ event, facts }) => event === 'request' && facts.request === id)
  await untilEqual(() => found().length, 1)
  const { level, facts } = found()[0]!
  assert.equal(level, 'info')
  return facts
}

const withId = (id: string) => ({ headers: { 'x-request-id': id } })

test('ACCESS_LOG writes one line for each request: method, pattern of the route, status, time, bytes, key, id [server:access-log]', async () => {
  const { apiKey } = await platform.key({ scopes: ['query'] })
  await platform.call('POST', '/api/v1/vector/query/quickstart?secret=in-the-query', {
    ...withId('one'),
    key: apiKey,
    body: { query: 'the-question-of-the-test' },
  })
  const { ms, bytes, ...facts } = await lineOf('one')
  assert.deepEqual(facts, {
    request: 'one',
    method: 'POST',
    route: '/api/v1/vector/query/:flowId',
    flow: 'quickstart',
    flowId: (await platform.call<{ id: string }>('GET', '/api/v1/chatflows/quickstart', { key: ADMIN_KEY }))
      .body.id,
    status: 200,
    caller: 'a key',
  })
  assert.ok(Number(ms) > 0 && Number(bytes) > 100)
  await platform.call('GET', '/api/v1/variables', { ...withId('two'), key: ADMIN_KEY })
  assert.equal((await lineOf('two')).caller, 'ADMIN_KEY')
  await platform.call('GET', '/api/v1/variables', { ...withId('three'), key: 'sl_a-wrong-key-of-the-test' })
  assert.partialDeepStrictEqual(await lineOf('three'), { caller: 'an unknown key', status: 401 })
  await platform.call('GET', '/api/v1/verify/apikey/sl_a-key-in-the-path', withId('four'))
  assert.equal((await lineOf('four')).route, '/api/v1/verify/apikey/:key')
  await platform.call('GET', '/nowhere/secret-path', withId('five'))
  assert.partialDeepStrictEqual(await lineOf('five'), { caller: 'no key', status: 404 })
  const log = JSON.stringify(platform.log)
  for (const secret of [apiKey, ADMIN_KEY, 'in-the-query', 'the-question', 'sl_a-', 'secret-path'])
    assert.ok(!log.includes(secret), secret)
})

test('an access log is off by default [server:access-log]', async () => {
  await silent.call('GET', '/api/v1/ping')
  await silent.call('GET', '/api/v1/ping')
  assert.ok(!silent.log.some(({ event }) => event === 'request'))
})
