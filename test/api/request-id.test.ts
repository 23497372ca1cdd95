import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import path from 'node:path'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform({ LOG_LEVEL: 'debug' }, { embedded: true })

const get = (url: string, id?: string) =>
  platform.call('GET', url, id === undefined ? {} : { headers: { 'x-request-id': id } })

test('every answer names its request in x-request-id: that of the client, or a new one [server:request-id]', async () => {
  for (const url of ['/healthz', '/nowhere', '/api/v1/chatflows', '/%zz']) {
    assert.equal((await get(url, 'trace-7:a')).headers.get('x-request-id'), 'trace-7:a', url)
    const made = (await get(url)).headers.get('x-request-id')!
    assert.match(made, /^[\w-]{16,}$/, url)
    assert.notEqual((await get(url, 'not well formed')).headers.get('x-request-id'), 'not well formed', url)
  }
})

test('every answer forbids browsers to guess its type, also where the router refuses the path', async () => {
  for (const url of ['/healthz', '/nowhere', '/api/v1/chatflows', '/%zz'])
    assert.equal((await get(url)).headers.get('x-content-type-options'), 'nosniff', url)
})

test('the log line of a failure names request, method and route, and the write that failed [server:request-id]', async () => {
  const database = new Connection(path.join(platform.dataDirectory, 'sluice.db'))
  // Every write of a variable fails from now on, inside the thread that writes.
  database.exec(
    `CREATE TRIGGER refuse BEFORE INSERT ON variables BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
  )
  database.close()
  const answer = await platform.manage<{ code: string }>('POST', '/api/v1/variables', {
    name: 'greeting',
    value: 'a secret value',
    type: 'static',
  })
  assert.deepEqual([answer.status, answer.body.code], [500, 'internal'])
  const request = answer.headers.get('x-request-id')!
  const lines = platform.log.filter(({ facts }) => facts.request === request)
  const trail = { request, method: 'POST', route: '/api/v1/variables' }
  assert.deepEqual(
    lines.map(({ event }) => event),
    ['internal-error', 'request-failed'],
  )
  for (const { facts } of lines) assert.partialDeepStrictEqual(facts, trail)
  assert.match(String(lines[0]!.facts.reason), /^the write \w+ failed: refused by the test/)
  assert.match(String(lines[0]!.facts.causes), /ERR_SQLITE_ERROR/)
  assert.ok(!JSON.stringify(platform.log).includes('a secret value'))
  assert.ok(!answer.text.includes('refused by the test'))
})
