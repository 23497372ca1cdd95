import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { HOSTILE_INPUTS, HOSTILE_SETTINGS } from '../support/stalls/hostile-inputs.ts'
import { startWatched } from '../support/stalls/watched-server.ts'

/**
 * What is promised on a quiet machine is 100 ms. Tests run on busy ones, beside other tests; what is mended here took
 * from 2 to 23 seconds.
 */
const MOST_MS = 1500

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-stalls-'))
const server = await startWatched(path.join(folder, 'data'), { settings: HOSTILE_SETTINGS })
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

for (const { name, send } of HOSTILE_INPUTS)
  test(`a server answers others while this arrives: ${name} [limits:event-loop]`, async (t) => {
    await server.longestBlock()
    const status = await send(server)
    const block = await server.longestBlock()
    t.diagnostic(`status ${status}, longest block ${Math.round(block)} ms`)
    assert.ok(status < 500, `status ${status}`)
    assert.ok(block < MOST_MS, `the event loop was blocked for ${Math.round(block)} ms`)
  })
