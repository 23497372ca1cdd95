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
  assert.equal(failureOf(502, '<html>').message, 'The server answered with status 502')
})

test('addressOf() leaves out what is undefined', () => {
  assert.equal(addressOf('/a', { b: undefined }), '/a')
  assert.equal(addressOf('/a', { b: true, c: 2 }), '/a?b=true&c=2')
})
