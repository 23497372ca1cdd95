import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startWatched } from '../support/stalls/watched-server.ts'

/** What is promised on a quiet machine is 100 ms; tests run on busy ones. */
const MOST_MS = 1500

const corpus = process.env.SLUICE_CORPUS

if (corpus === undefined) {
  test('evil files meet a watched server', (t) => t.diagnostic('not run: SLUICE_CORPUS is not set'))
} else {
  test('a server answers others while each hostile file of the corpus arrives [limits:event-loop]', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sluice-stalls-'))
    const server = await startWatched(path.join(folder, 'data'))
    t.after(async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const evil = path.join(corpus, 'docs/evil')
    let longest = { block: 0, name: '' }
    for (const name of readdirSync(evil)) {
      await server.longestBlock()
      const form = new FormData()
      form.append('files', new File([readFileSync(path.join(evil, name))], name))
      const response = await fetch(`${server.url}/api/v1/vector/upsert/quickstart`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.adminKey}` },
        body: form,
      })
      await response.arrayBuffer()
      assert.ok(response.status < 500, `${name}: ${response.status}`)
      const block = await server.longestBlock()
      if (block > longest.block) longest = { block, name }
    }
    t.diagnostic(`longest block ${Math.round(longest.block)} ms, ${longest.name}`)
    assert.ok(longest.block < MOST_MS, `${longest.name} blocked the event loop for ${longest.block} ms`)
  })
}
