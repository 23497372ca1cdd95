import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'
import { openSocket } from '../support/raw-http.ts'

const [platform, model] = await Promise.all([makePlatform({}, { servers: 1 }), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'One word after the other, and another one, until the end of it.', slow: 5 }

const talking = await platform.manage<{ id: string; slug: string }>('POST', '/api/v1/chatflows', {
  name: 'Talking',
  flowData: conversationFlow(model.url),
})
const loading = await platform.flow({ slug: 'loading', overridable: ['files', 'chunkSize', 'chunkOverlap'] })
const sentences = Array.from({ length: 400 }, (_, i) => `The otter number ${i} swims.`).join('\n')

async function runningJob(): Promise<string> {
  const form = new FormData()
  form.append('files', new File([sentences], 'otters.txt'))
  form.append('chunkSize', '40')
  form.append('chunkOverlap', '0')
  const path = `/api/v1/vector/upsert/${loading}?async=true`
  return (await platform.call<{ jobId: string }>('POST', path, { body: form })).body.jobId
}

/** The server closes the connection after its answer: a client that waits for more sees the end. */
const ONE_ANSWER = 'Host: localhost\r\nConnection: close\r\n'

const post = (path: string, body: object, more = '') => {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\n${ONE_ANSWER}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${more}\r\n${text}`
}
const question = { question: 'How do otters sleep?', streaming: true }
const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const MCP_HEADERS = 'Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n'

/** A request to each route that answers with much data or with a stream. */
const REQUESTS: Record<string, () => Promise<string> | string> = {
  'the events of a job': async () =>
    `GET /api/v1/jobs/${await runningJob()}/events HTTP/1.1\r\n${ONE_ANSWER}\r\n`,
  'a streamed prediction': () => post(`/api/v1/prediction/${talking.body.id}`, question),
  'a whole prediction': () =>
    post(`/api/v1/prediction/${talking.body.id}`, { ...question, streaming: false }),
  'a stream of OpenAI’s protocol': () =>
    post('/v1/chat/completions', {
      model: talking.body.slug,
      stream: true,
      messages: [{ role: 'user', content: 'How do otters sleep?' }],
    }),
  'a call of an MCP tool': () =>
    post(
      `/api/v1/mcp/${talking.body.id}`,
      message('tools/call', { name: 'ask', arguments: { question: 'How do otters sleep?' } }),
      MCP_HEADERS,
    ),
  'the stream that MCP offers to a GET': () =>
    `GET /api/v1/mcp/${talking.body.id} HTTP/1.1\r\n${ONE_ANSWER}${MCP_HEADERS}\r\n`,
  'a query': () => post(`/api/v1/vector/query/${loading}`, { query: 'otters', topK: 100 }),
  'an upsert that is waited for': () => post('/api/v1/vector/upsert/quickstart', {}),
  'an upload that does not arrive whole': () =>
    `POST /api/v1/vector/upsert/${loading} HTTP/1.1\r\n${ONE_ANSWER}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999\r\n\r\n--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nOtters`,
  'a body that does not arrive whole': () =>
    `POST /api/v1/prediction/${talking.body.id} HTTP/1.1\r\n${ONE_ANSWER}Content-Type: application/json\r\nContent-Length: 999\r\n\r\n{"question": "How`,
}

/** How many pieces of the answer a client takes before it goes away. */
const TAKEN = [0, 1, 2, 3]

/** How many pieces come at least, where the server sends no end: of a body that is not whole it waits for the rest. */
const PIECES: Record<string, number> = {
  'the stream that MCP offers to a GET': 1,
  'an upload that does not arrive whole': 0,
  'a body that does not arrive whole': 0,
}

/** The end of an answer that is sent in chunks; it may arrive in several pieces. */
const LAST_CHUNK = '\r\n0\r\n\r\n'

async function cut(request: string, pieces: number, reset: boolean): Promise<void> {
  const socket = await openSocket(platform.url)
  socket.on('error', () => {})
  const ended = once(socket, 'close')
  const taken = new Promise<void>((resolve) => {
    if (pieces === 0) return resolve()
    let count = 0
    let tail = ''
    socket.on('data', (data) => {
      count++
      tail = (tail + data).slice(-LAST_CHUNK.length)
      // The MCP library keeps the connection open after its stream: the last chunk is the end then.
      if (count === pieces || tail === LAST_CHUNK) resolve()
    })
  })
  socket.write(request)
  await Promise.race([taken, ended])
  if (reset) socket.resetAndDestroy()
  else socket.destroy()
  await ended
}

test('clients that cut the connection at any time leave no error in the log and a server that answers [server:client-leaves]', async () => {
  for (const [name, request] of Object.entries(REQUESTS))
    for (const pieces of TAKEN)
      for (const reset of [false, true])
        await cut(await request(), Math.min(pieces, PIECES[name] ?? pieces), reset)
  assert.equal((await platform.call('GET', '/readyz')).status, 200)
  // Everything is in the log once all work has ended.
  await platform.close()
  assert.deepEqual(
    platform.log.filter(({ level }) => level === 'error'),
    [],
  )
})
