import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { SluiceError } from '../kit/errors.ts'
import { builtInEmbedder, loadBuiltInModel } from './builtin.ts'

const MODEL = new URL('../../models/sluice-static-256-v1.bin', import.meta.url)

async function modelFile(t: TestContext, change: (bytes: Buffer) => Buffer | undefined): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'model-'))
  t.after(() => rm(folder, { recursive: true }))
  const bytes = await readFile(MODEL)
  const file = path.join(folder, 'model.bin')
  await writeFile(file, change(bytes) ?? bytes)
  return file
}

const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, number, place) => sum + number * right[place]!, 0)

test('builtInEmbedder gives a vector per text, in order, and the same for a query', async () => {
  const embedder = builtInEmbedder()
  const vectors = await embedder.embed(['car', '', 'automobile', 'photosynthesis'])
  assert.equal(vectors.length, 4)
  assert.ok(vectors.every((vector) => vector.length === embedder.dimensions))
  assert.deepEqual(vectors[0], await embedder.embedQuery('car'))
  assert.ok(vectors[1]!.every((number) => number === 0))
  assert.ok(cosine(vectors[0]!, vectors[2]!) > cosine(vectors[0]!, vectors[3]!) + 0.2)
  assert.deepEqual(await embedder.embed([]), [])
})

test('builtInEmbedder gives the id of its model without reading it', () => {
  const { id, dimensions } = builtInEmbedder({ modelPath: 'nowhere.bin' })
  assert.equal(id, 'built-in/sluice-static-256-v1')
  assert.equal(dimensions, 256)
})

test('builtInEmbedder gives the same vectors for calls at the same time as for single calls', async () => {
  const embedder = builtInEmbedder()
  const texts = Array.from({ length: 300 }, (_, place) =>
    `chunk ${place} about invoices. `.repeat(60 + place),
  )
  const [all, reversed, one] = await Promise.all([
    embedder.embed(texts),
    embedder.embed([...texts].reverse()),
    embedder.embedQuery(texts[17]!),
  ])
  assert.deepEqual(reversed.reverse(), all)
  assert.deepEqual(one, all[17])
})

test('builtInEmbedder lets the event loop run within a large batch and within a long text', async () => {
  const embedder = builtInEmbedder()
  await embedder.embedQuery('read the model')
  for (const texts of [Array<string>(2000).fill('word '.repeat(200)), ['word '.repeat(400_000)]]) {
    let turns = 0
    const turn = setInterval(() => turns++, 1)
    await embedder.embed(texts)
    clearInterval(turn)
    assert.ok(turns >= 3, `${turns} turns`)
  }
})

test('builtInEmbedder stops at a signal, before and during the work', async () => {
  const embedder = builtInEmbedder()
  const cancelled = { code: 'cancelled' }
  await assert.rejects(embedder.embed(['text'], { signal: AbortSignal.abort() }), cancelled)
  const stop = new AbortController()
  const work = embedder.embed(Array<string>(20_000).fill('word '.repeat(200)), { signal: stop.signal })
  setImmediate(() => stop.abort())
  await assert.rejects(work, cancelled)
})

test('builtInEmbedder tries again if the model could not be read', async (t) => {
  const file = await modelFile(t, () => undefined)
  const bytes = await readFile(file)
  await rm(file)
  const embedder = builtInEmbedder({ modelPath: file })
  await assert.rejects(embedder.embedQuery('text'), { code: 'model_unusable' })
  await writeFile(file, bytes)
  assert.equal((await embedder.embedQuery('text')).length, 256)
})

for (const [what, change] of [
  ['another magic', (bytes: Buffer) => void bytes.write('SLUICEXX', 0)],
  ['another version', (bytes: Buffer) => void bytes.writeUInt32LE(2, 8)],
  ['another id', (bytes: Buffer) => void bytes.write('another', 36)],
  ['rows beyond the end', (bytes: Buffer) => void bytes.writeUInt32LE(40_000, 16)],
  ['one token fewer than rows', (bytes: Buffer) => void bytes.write('x', bytes.lastIndexOf('\n'))],
  ['a cut end', (bytes: Buffer) => bytes.subarray(0, -100)],
  ['a few bytes only', (bytes: Buffer) => bytes.subarray(0, 20)],
  ['no content', (bytes: Buffer) => bytes.subarray(0, 0)],
] as const)
  test(`loadBuiltInModel refuses a file with ${what}`, async (t) => {
    const file = await modelFile(t, (bytes) => change(bytes) ?? undefined)
    await assert.rejects(loadBuiltInModel(file), (error) => {
      assert.ok(error instanceof SluiceError)
      assert.equal(error.code, 'model_unusable')
      assert.ok(error.message.includes(file))
      return true
    })
  })
