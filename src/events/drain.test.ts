import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { watchConnections } from './drain.ts'

/** A server whose requests stay open until the test ends them, and a way to connect to it. */
async function open() {
  const server = createServer().listen(0, '127.0.0.1')
  const drain = watchConnections(server)
  await once(server, 'listening')
  const dial = async (text = ''): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const arrived = text ? once(server, 'request') : once(server, 'connection')
    if (text) socket.write(text)
    await arrived
    return socket
  }
  return { server, drain, dial }
}

test('watchConnections() ends unused connections at once and used ones after their answer', {
  timeout: 20_000,
}, async () => {
  const { server, drain, dial } = await open()
  const responses: ServerResponse[] = []
  server.on('request', (_request, response) => responses.push(response))
  const unused = await dial()
  const busy = await dial('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const closed = once(server, 'close')
  server.close()
  drain(60_000)
  await once(unused.resume(), 'close')
  responses[0]!.end('done')
  assert.match(String((await once(busy, 'data'))[0]), /done/)
  await closed
})

test('watchConnections() cuts off what has not ended after the grace', { timeout: 20_000 }, async () => {
  const { server, drain, dial } = await open()
  const stuck = await dial('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const closed = once(server, 'close')
  server.close()
  drain(0)
  await Promise.all([closed, once(stuck.resume(), 'close')])
})
