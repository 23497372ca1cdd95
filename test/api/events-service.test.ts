import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { buildEventApp } from '../../src/events/app.ts'
import { eventAddress, startEvents } from '../../src/events/main.ts'
import { EventStore } from '../../src/events/store.ts'
import { readConfig } from '../../src/kit/config.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { quietLog } from '../../src/kit/log.ts'
import { choir, JSON_TYPE, SEED, start } from '../fixtures/events.ts'

test('a chunked body is stopped at the limit and the connection stays of use [events:too-large]', async (t) => {
  const { port } = new URL(await start(t))
  const socket = connect(Number(port), '127.0.0.1')
  t.after(() => socket.destroy())
  socket.write(
    'POST /events HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  for (let sent = 0; sent < 150_000; sent += 10_000) socket.write(`2710\r\n${'x'.repeat(10_000)}\r\n`)
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 413 [\s\S]*\{"error":"[^"]+"\}$/)
  socket.write('0\r\n\r\nGET /events/1 HTTP/1.1\r\nhost: a\r\n\r\n')
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 [\s\S]*Tech Conference/)
})

test('what is not HTTP is refused with JSON and disturbs no other client', async (t) => {
  const url = await start(t)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('EHLO events\r\n\r\n')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 400 [\s\S]*\{"error":"/)
  assert.equal((await fetch(`${url}/events`)).status, 200)
})

test('an internal failure answers 500 without its details [events:failure]', async (t) => {
  const store = new EventStore()
  store.list = () => {
    throw new TypeError('cannot read secret at store.ts:30')
  }
  const app = buildEventApp({ store })
  t.after(() => app.close())
  const response = await fetch(`${await app.listen({ port: 0 })}/events`)
  assert.equal(response.status, 500)
  assert.deepEqual(await response.json(), { error: 'Internal server error' })
})

test('a restart brings back exactly the five events [events:seed]', async () => {
  const address = { host: '127.0.0.1', port: 0, log: quietLog }
  const first = await startEvents(address)
  await fetch(`${first.url}/events/1`, { method: 'DELETE' })
  await fetch(`${first.url}/events/2`, { method: 'PATCH', headers: JSON_TYPE, body: JSON.stringify(choir) })
  await fetch(`${first.url}/events`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(choir) })
  await first.close()

  const second = await startEvents(address)
  const events = await (await fetch(`${second.url}/events`)).json()
  await second.close()
  assert.deepEqual(events, SEED)
})

test('the service listens on PORT, and on 5566 where it is not set [events:port]', async () => {
  const directory = import.meta.dirname
  const probe = await startEvents({ host: '127.0.0.1', port: 0, log: quietLog })
  await probe.close()
  const { port: free } = new URL(probe.url)
  for (const [environment, expected] of [
    [{ PORT: free }, free],
    [{}, '5566'],
  ] as const) {
    const address = eventAddress(readConfig({ environment, directory }))
    try {
      const { url, close } = await startEvents({ ...address, log: quietLog })
      assert.equal(url, `http://127.0.0.1:${expected}`)
      assert.deepEqual(await (await fetch(`${url}/events`)).json(), SEED)
      await close()
    } catch (error) {
      // Another program of this machine may hold the port; that we asked for it is what counts.
      if (!(error instanceof SluiceError && error.code === 'port_taken')) throw error
      assert.equal(String(error.facts.port), expected)
    }
  }
})
