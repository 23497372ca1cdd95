import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { embedOffThread } from './embed-off-thread.ts'
import { StaticModel } from './static-model.ts'

const MODEL = fileURLToPath(new URL('../../models/sluice-static-256-v1.bin', import.meta.url))

test('embedOffThread() gives the vectors of the model, text by text, for batches that are sent together', async () => {
  const model = await StaticModel.load(MODEL)
  const embed = embedOffThread(MODEL)
  const batches = [['a first text', '', 'Größe 漢字 🎈'], [], ['word '.repeat(10_000)]]
  const answers = await Promise.all(batches.map((texts) => embed(texts)))
  for (const [at, texts] of batches.entries()) {
    const { numbers, tokens } = answers[at]!
    assert.deepEqual(
      texts.map((_, i) => numbers.slice(i * model.dimensions, (i + 1) * model.dimensions)),
      texts.map((text) => model.embed(text)),
    )
    assert.equal(
      tokens,
      texts.reduce((sum, text) => sum + model.tokens(text).length, 0),
    )
  }
})

test('embedOffThread() rejects where the model cannot be read', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'model-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'model.bin')
  await assert.rejects(embedOffThread(file)(['text']))
  await copyFile(MODEL, file)
  assert.equal((await embedOffThread(file)(['text'])).tokens, 1)
})
