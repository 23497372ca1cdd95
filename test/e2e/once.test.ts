import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createFileParser } from '../../src/formats/pool.ts'
import { hashEmbedder } from '../support/hash-embedder.ts'
import { load, uploadsOf } from '../support/loading.ts'
import { sharedStores } from '../support/store.ts'

test('a text that several files bring side by side is embedded once, though they have to wait for room [upsert:idempotent]', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-once-'))
  const parser = createFileParser({ readable: [folder], size: 4 })
  t.after(async () => {
    await parser.close()
    rmSync(folder, { recursive: true, force: true })
  })
  // So large that a fraction of one file fills the room before the embedder.
  const lines = Array.from({ length: 250 }, (_, n) => JSON.stringify({ text: `line ${n} `.repeat(5000) }))
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(path.join(folder, `${name}.jsonl`), lines.join('\n'))
  const embedder = hashEmbedder({ limits: { texts: 4, bytes: 1_000_000 } })
  const store = sharedStores().stores.open('once')
  const uploads = uploadsOf(folder)
  const { numAdded } = await load({ store, embedder, parser, uploads, cleanup: 'none', whole: true })
  assert.equal(numAdded, 4 * lines.length)
  assert.equal(embedder.embedded().length, lines.length)
})
