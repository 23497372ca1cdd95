import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { room, start } from '../support/program.ts'
import { untilEqual } from '../support/until.ts'

const ENVIRONMENT = { ADMIN_KEY: 'the-management-key-of-the-tests', DRAIN_SECONDS: '3600' }

/** A request on a connection that is kept. */
async function ask(agent: Agent, url: string): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
  return answer
}

test('after SIGTERM the server is not ready, takes requests, and ends each connection with its answer; a second signal ends it at once [server:drain]', async (t) => {
  const { url, kill, ended } = await start(t, ['start', '--data-dir', 'data'], {
    directory: room(t),
    environment: ENVIRONMENT,
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const before = await ask(agent, `${url}/healthz`)
  before.resume()
  assert.notEqual(before.headers.connection, 'close')
  // Longer than proxies keep theirs.
  assert.equal(before.headers['keep-alive'], 'timeout=72')
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  kill('SIGTERM')
  await untilEqual(async () => (await fetch(`${url}/readyz`)).status, 503)
  const ready = (await (await fetch(`${url}/readyz`)).json()) as { code: string; dependencies: object[] }
  assert.equal(ready.code, 'stopping')
  assert.partialDeepStrictEqual(ready.dependencies[0], { name: 'database', state: 'ok' })
  // On the connection of before, and on a new one.
  for (const place of ['/healthz', '/api/v1/ping', '/docs']) {
    const answer = await ask(agent, url + place)
    assert.ok((await text(answer)).length > 0)
    assert.equal(answer.headers.connection, 'close')
    assert.ok(answer.statusCode! < 500, `${place}: ${answer.statusCode}`)
  }
  // The server takes what comes within a quarter of a second for the same signal.
  const again = setInterval(() => kill('SIGTERM'), 100)
  t.after(() => clearInterval(again))
  assert.equal(await ended, 130)
})

test('after SIGINT the server does not wait [server:drain]', async (t) => {
  const { kill, ended } = await start(t, ['start', '--data-dir', 'data'], {
    directory: room(t),
    environment: ENVIRONMENT,
  })
  kill('SIGINT')
  assert.equal(await ended, 0)
})

test('a request that came before SIGTERM, and a refused one, end their connections too [server:drain]', async (t) => {
  const { url, kill } = await start(t, ['start', '--data-dir', 'data'], {
    directory: room(t),
    environment: ENVIRONMENT,
  })
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const upload = request(`${url}/api/v1/vector/upsert/quickstart`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  upload.write('--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nThe rent')
  await once(upload, 'socket')
  // The server has its headers once it has answered another request that was sent later.
  await (await fetch(`${url}/readyz`)).text()
  kill('SIGTERM')
  await untilEqual(async () => (await fetch(`${url}/readyz`)).status, 503)
  upload.end(' is 700.\r\n--b--\r\n')
  const [loaded] = (await once(upload, 'response')) as [IncomingMessage]
  assert.match(await text(loaded), /"numAdded":1/)
  assert.deepEqual([loaded.statusCode, loaded.headers.connection], [200, 'close'])
  for (const [place, status] of [
    ['/readyz', 503],
    ['/nothing', 404],
    ['/api/v1/chatflows', 401],
  ] as const) {
    const refused = await ask(agent, url + place)
    await text(refused)
    assert.deepEqual([refused.statusCode, refused.headers.connection], [status, 'close'], place)
  }
})
