import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { SluiceError } from './errors.ts'
import { serve } from './serve.ts'

const HOST = '127.0.0.1'

/** What Fastify offers, over a plain server. */
function appOf(listener: RequestListener = (_, response) => response.end('yes')) {
  const server = createServer(listener)
  return {
    server,
    closed: 0,
    async listen(address: { host: string; port: number }) {
      server.listen(address)
      await once(server, 'listening')
      return `http://${address.host}:${(server.address() as AddressInfo).port}`
    },
    async close() {
      this.closed++
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function served(t: TestContext, listener?: RequestListener, graceMs = 5000) {
  const app = appOf(listener)
  const service = await serve(app, { host: HOST, port: 0 }, graceMs)
  t.after(() => service.close())
  return { ...service, server: app.server, port: Number(new URL(service.url).port) }
}

const codeIs = (code: string) => (error: unknown) => error instanceof SluiceError && error.code === code

test('serve() takes a free port for 0 and gives it in the url', async (t) => {
  const { url, port } = await served(t)
  assert.ok(port > 0)
  assert.equal(await (await fetch(url)).text(), 'yes')
})

test('serve() throws port_taken and closes the application', async (t) => {
  const { port } = await served(t)
  const app = appOf()
  await assert.rejects(serve(app, { host: HOST, port }, 0), codeIs('port_taken'))
  assert.equal(app.closed, 1)
})

test('serve() throws address_unusable for an address of another machine', async () => {
  await assert.rejects(serve(appOf(), { host: '192.0.2.1', port: 0 }, 0), codeIs('address_unusable'))
})

test('close() lets a request under way finish', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const { url, close } = await served(t, async (_, response) => {
    arrived.resolve()
    await finish.promise
    response.end('late')
  })
  const answer = fetch(url).then((response) => response.text())
  await arrived.promise
  const closed = close()
  await assert.rejects(fetch(url))
  finish.resolve()
  assert.equal(await answer, 'late')
  await closed
})

test('close() cuts off what is not done after the grace', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const { url, close } = await served(t, () => arrived.resolve(), 1)
  const answer = assert.rejects(fetch(url))
  await arrived.promise
  await close()
  await answer
})

test('close() does not wait for a connection that was opened and never used', async (t) => {
  const { server, port, close } = await served(t, undefined, 3_600_000)
  const accepted = once(server, 'connection')
  const socket = connect(port, HOST)
  await accepted
  const gone = once(socket, 'close')
  await close()
  await gone
})
