import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { LARGE_REQUESTS, startWithManyChunks } from '../support/stalls/many-chunks.ts'

/** As for hostile inputs: 100 ms are promised on a quiet machine, and tests run on busy ones. */
const MOST_MS = 1500

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-many-chunks-'))
const server = await startWithManyChunks(path.join(folder, 'data'))
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

for (const { name, method = 'GET', path: address, body } of LARGE_REQUESTS)
  test(`a server answers others while it looks at 200,000 chunks: ${name} [limits:event-loop]`, async (t) => {
    await server.longestBlock()
    const response = await fetch(`${server.url}/api/v1/${address}`, {
      method,
      headers: {
        authorization: `Bearer ${server.adminKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const block = await server.longestBlock()
    t.diagnostic(`longest block ${Math.round(block)} ms`)
    assert.equal(response.status, 200, text)
    assert.ok(block < MOST_MS, `the event loop was blocked for ${Math.round(block)} ms`)
  })
