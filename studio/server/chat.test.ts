import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { streamAnswer } from './chat.ts'
import type { StreamedEvent } from './event-frames.ts'

/** Asks a server that answers like this; gives the events. The server is called by addresses without a host, as on a page. */
async function ask(t: TestContext, answer: RequestListener, signal?: AbortSignal): Promise<StreamedEvent[]> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const call = globalThis.fetch
  t.mock.method(globalThis, 'fetch', (path: string, init: RequestInit) =>
    call(`http://127.0.0.1:${port}${path}`, init),
  )
  const events: StreamedEvent[] = []
  const body = { chatId: 'c', question: 'Why?' }
  await streamAnswer('f', body, (event) => events.push(event), signal ? { signal } : {})
  return events
}

test('streamAnswer() gives an answer that comes whole as events', async (t) => {
  const events = await ask(t, (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ text: 'So', chatId: 'c' }))
  })
  assert.deepEqual(
    events.map(({ event }) => event),
    ['token', 'metadata', 'end'],
  )
})

for (const [name, status, type] of [
  ['a stream', 200, 'text/event-stream'],
  ['a whole answer', 200, 'application/json'],
  ['a refusal', 400, 'application/json'],
] as const) {
  const begin: RequestListener = (_, response) =>
    response.writeHead(status, { 'content-type': type, 'content-length': 100 }).flushHeaders()

  test(`streamAnswer() says that ${name} broke off`, (t) =>
    assert.rejects(
      ask(t, (request, response) => {
        begin(request, response)
        response.write('{', () => response.destroy())
      }),
      { code: 'connection_lost', message: 'The connection broke before the answer ended' },
    ))

  test(`streamAnswer() says that ${name} was left`, (t) => {
    const stop = new AbortController()
    return assert.rejects(
      ask(
        t,
        (request, response) => {
          begin(request, response)
          setTimeout(() => stop.abort(), 50)
        },
        stop.signal,
      ),
      { code: 'left' },
    )
  })
}
