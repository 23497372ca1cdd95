import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { addressOf, call, failureOf, messageOf, onServerEvent, ServerFailure } from './call.ts'

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function events(t: TestContext): string[] {
  const seen: string[] = []
  t.after(onServerEvent((event) => seen.push(event)))
  return seen
}

test('call() sends JSON and gives the answer', async (t) => {
  const url = await serve(t, (request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => response.end(JSON.stringify([request.method, request.url, body])))
  })
  assert.deepEqual(
    await call(`${url}/a`, { method: 'PUT', body: { b: 1 }, query: { c: 'd e', f: undefined } }),
    ['PUT', '/a?c=d+e', '{"b":1}'],
  )
})

test('call() throws what the server says, and reports the end of a session', async (t) => {
  const url = await serve(t, (_, response) => {
    response
      .writeHead(401)
      .end(JSON.stringify({ message: 'Unauthorized', code: 'unauthorized', hint: 'Sign in' }))
  })
  const seen = events(t)
  await assert.rejects(call(url), (error: ServerFailure) => {
    assert.deepEqual(
      [error.status, error.code, messageOf(error)],
      [401, 'unauthorized', 'Unauthorized. Sign in'],
    )
    return true
  })
  assert.deepEqual(seen, ['answer', 'signed-out'])
  await assert.rejects(call(url, { anonymous: true }), ServerFailure)
  assert.deepEqual(seen, ['answer', 'signed-out', 'answer'])
})

test('call() reports a server that does not answer', async (t) => {
  const seen = events(t)
  await assert.rejects(call('http://127.0.0.1:1/'), { status: 0, code: 'no_answer' })
  assert.deepEqual(seen, ['no-answer'])
})

test('failureOf() has a sentence for an answer that is not JSON', () => {
  assert.equal(failureOf(418, '<html>').message, 'The server answered with status 418')
})

test('call() takes the page of a proxy that does not reach the server for no answer', async (t) => {
  const url = await serve(t, (_, response) => void response.writeHead(502).end('<html>Bad Gateway</html>'))
  const seen = events(t)
  await assert.rejects(call(url), { status: 0, code: 'no_answer' })
  assert.deepEqual(seen, ['no-answer'])
})

test('call() says that an answer which breaks off is none, and that one which is not JSON is not of this server', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/page') return void response.end('<html>')
    response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy())
  })
  await assert.rejects(call(`${url}/broken`), { status: 0, code: 'no_answer' })
  await assert.rejects(call(`${url}/page`), { code: 'failed', message: /not one of this server/ })
})

test('call() reports that a page is outdated where it changes what is gone or newer, and not where it only asks', async (t) => {
  const url = await serve(t, (request, response) => {
    const status = Number(request.url?.slice(1))
    response.writeHead(status).end(JSON.stringify({ message: 'Variable 1 not found', code: 'gone' }))
  })
  const seen = events(t)
  await assert.rejects(call(`${url}/404`, { method: 'DELETE' }), ServerFailure)
  await assert.rejects(call(`${url}/412`, { method: 'PUT', body: {} }), ServerFailure)
  assert.deepEqual(seen, ['answer', 'outdated', 'answer', 'outdated'])
  await assert.rejects(call(`${url}/404`, { method: 'POST', body: {} }), ServerFailure)
  await assert.rejects(call(`${url}/404`), ServerFailure)
  await assert.rejects(call(`${url}/409`, { method: 'PUT', body: {} }), ServerFailure)
  assert.deepEqual(seen.slice(4), ['answer', 'answer', 'answer'])
})

test('addressOf() leaves out what is undefined', () => {
  assert.equal(addressOf('/a', { b: undefined }), '/a')
  assert.equal(addressOf('/a', { b: true, c: 2 }), '/a?b=true&c=2')
})
