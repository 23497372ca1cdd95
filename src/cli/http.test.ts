import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, serve } from '../../test/support/command-line.ts'
import { Failure } from './failure.ts'
import { type Body, connectTo, jsonBody } from './http.ts'

const failure = (message: string, hint?: string) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.deepEqual([error.message, error.hint], [message, hint])
  return true
}

test('connectTo() sends JSON with the key to /api/v1 and returns the answer', async (t) => {
  const url = await serve(t, async (request, response) => {
    const { method, url, headers } = request
    const body = (await bodyOf(request)).toString()
    response.end(
      JSON.stringify({ method, url, key: headers.authorization, length: headers['content-length'], body }),
    )
  })
  const client = connectTo(new URL(`${url}/behind/proxy`), { key: 'k' })
  assert.deepEqual(await client.send('POST', 'vector/query/a%2Fb', jsonBody({ query: 'ü' })), {
    method: 'POST',
    url: '/behind/proxy/api/v1/vector/query/a%2Fb',
    key: 'Bearer k',
    length: '14',
    body: '{"query":"ü"}',
  })
})

test('connectTo() sends a body without a length in chunks', async (t) => {
  const url = await serve(t, async (request, response) => {
    response.end(JSON.stringify([request.headers['transfer-encoding'], (await bodyOf(request)).length]))
  })
  const body: Body = {
    type: 'text/plain',
    length: undefined,
    async *chunks() {
      for (let n = 0; n < 100; n++) yield Buffer.alloc(1000)
    },
  }
  assert.deepEqual(await connectTo(new URL(url)).send('POST', 'x', body), ['chunked', 100_000])
})

test('connectTo() fails with the message and hint of the server', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(422).end('{"message": "a.pdf is protected", "hint": "take the password off"}')
  })
  await assert.rejects(
    connectTo(new URL(url)).send('GET', 'x'),
    failure('a.pdf is protected', 'take the password off'),
  )
})

test('connectTo() explains how to give a key where one is needed, and names the status of an answer without a message', async (t) => {
  const url = await serve(t, (request, response) => {
    response.writeHead(request.url!.endsWith('closed') ? 401 : 503).end('<html>')
  })
  const client = connectTo(new URL(url))
  await assert.rejects(
    client.send('GET', 'closed'),
    failure(
      'The server answered with status 401',
      'give an API key with --key or in SLUICE_KEY; to make one, run "sluice key new me --scope manage" on the machine of the server',
    ),
  )
  await assert.rejects(client.send('GET', 'x'), failure('The server answered with status 503'))
})

test('connectTo() stops sending when a refusal arrives before the end of the upload', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(413).end('{"message": "too large"}')
  })
  let sent = 0
  const endless: Body = {
    type: 'text/plain',
    length: undefined,
    async *chunks() {
      for (;;) {
        sent += 1
        yield Buffer.alloc(64 * 1024)
      }
    },
  }
  await assert.rejects(connectTo(new URL(url)).send('POST', 'x', endless), failure('too large'))
  const atRefusal = sent
  // The time of twenty other calls: enough to send more, were it not over.
  for (let call = 0; call < 20; call++)
    await assert.rejects(connectTo(new URL(url)).send('GET', 'x'), failure('too large'))
  assert.equal(sent, atRefusal)
})

test('connectTo() fails with the error of a body that cannot be produced', async (t) => {
  const url = await serve(t, async (request) => {
    await bodyOf(request).catch(() => {})
  })
  const broken: Body = {
    type: 'text/plain',
    length: 10,
    async *chunks() {
      yield Buffer.from('half')
      throw new Failure('a.txt became shorter')
    },
  }
  await assert.rejects(connectTo(new URL(url)).send('POST', 'x', broken), failure('a.txt became shorter'))
})

test('connectTo() has a message for a server that does not answer, closes the connection, or is not Sluice', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url!.endsWith('hang-up')) request.socket.destroy()
    else response.end('<html>')
  })
  const client = connectTo(new URL(url))
  await assert.rejects(client.send('GET', 'page'), /is not JSON: it may not be a Sluice server/)
  await assert.rejects(client.send('GET', 'hang-up'), /closed the connection before it answered/)
  // No server listens at port 1 (reserved for tcpmux).
  await assert.rejects(
    connectTo(new URL('http://127.0.0.1:1')).send('GET', 'x'),
    failure(
      'No server answers at http://127.0.0.1:1',
      'start one with "sluice start", or give its address with --url',
    ),
  )
})

test('connectTo() stops when its signal is aborted', async (t) => {
  const stop = new AbortController()
  const url = await serve(t, () => stop.abort())
  await assert.rejects(
    connectTo(new URL(url), { signal: stop.signal }).send('GET', 'x'),
    failure('Interrupted'),
  )
})
