import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { report } from './call.ts'
import { loadPart } from './load-part.ts'

/** Lets requests to paths reach a server, as in a page of it. */
function pageOf(url: string): () => void {
  const { fetch } = globalThis
  globalThis.fetch = (path, init) => fetch(new URL(String(path), url), init)
  return () => {
    globalThis.fetch = fetch
  }
}

test('loadPart() waits while the server does not answer, and loads after its next answer', async (t) => {
  t.after(pageOf('http://127.0.0.1:1'))
  let tries = 0
  const loaded = loadPart(async () => {
    if (++tries === 1) throw new Error('the file does not come')
    return 'part'
  })
  // The first answer comes after the failed request to the server.
  const timer = setInterval(() => report('answer'), 1)
  assert.equal(await loaded, 'part')
  clearInterval(timer)
  assert.equal(tries, 2)
})

test('loadPart() gives up where the server answers and the file is not there', async (t) => {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close().closeAllConnections())
  t.after(pageOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  let tries = 0
  await assert.rejects(
    loadPart(async () => {
      tries++
      throw new Error('gone')
    }),
    /gone/,
  )
  assert.equal(tries, 3)
})
