import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { heldFlow } from '../support/held-flow.ts'
import { form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { openSocket } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

const provider = await startProviderServer()
after(() => provider.close())
const platform = await makePlatform({ ANSWER_WAIT_S: '1' }, { servers: 1 })
const flow = await heldFlow(platform.manage, provider, 'held')
const loaded = await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
  body: form({ 'a.txt': 'Otters swim.' }, {}),
})
assert.equal(loaded.status, 200, loaded.text)

/** Where Linux lists connections. */
const CONNECTIONS = '/proc/net/tcp'
const skip = existsSync(CONNECTIONS) ? false : `${CONNECTIONS} is not there`

/** More than the buffers of a connection hold. */
const ANSWERS = 100

test('a client that does not read its answers is closed, one that waits for its answer is not [limits:answers]', {
  skip,
}, async () => {
  provider.calls.length = 0
  provider.hold(0)
  const asked = platform.query(flow, { query: 'otters' })
  await until(() => provider.calls.length === 1)
  const silent = await openSocket(platform.url)
  silent.on('error', () => {})
  silent.pause()
  silent.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(ANSWERS))
  await until(() => connectionsOf(silent.localPort!) === 0)
  silent.resume()
  await once(silent, 'close')
  provider.release()
  assert.equal((await asked).status, 200)
})

/** How many connections from a port the server has. The client itself sees the end only once it reads. */
function connectionsOf(port: number): number {
  const ending = (of: number) => `:${of.toString(16).toUpperCase().padStart(4, '0')}`
  const own = ending(Number(new URL(platform.url).port))
  const rows = readFileSync(CONNECTIONS, 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
  // The side of the server: its remote address is our port, and its state is established (01). Another server may have a client with
  // the same port.
  return rows.filter(
    ([, local, remote, state]) => local?.endsWith(own) && remote?.endsWith(ending(port)) && state === '01',
  ).length
}
