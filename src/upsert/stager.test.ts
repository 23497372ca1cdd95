import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { type HashEmbedderOptions, hashEmbedder } from '../../test/support/hash-embedder.ts'
import { sharedStores } from '../../test/support/store.ts'
import type { StoreRun } from '../contract/chunk-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { fingerprint } from '../kit/hash.ts'
import { type StageableChunk, Stager } from './stager.ts'

const { stores, newNamespace } = sharedStores()

const chunkOf = (text: string, metadataHash = 'm'): StageableChunk => ({
  source: 'a',
  text,
  hash: fingerprint(text),
  metadata: '{}',
  metadataHash,
})

/** A stager over a run of the real store, and its warnings. */
async function stagerWith(options: HashEmbedderOptions = {}, wrap = (run: StoreRun) => run) {
  const namespace = newNamespace()
  const store = stores.open(namespace)
  const run = await store.open('hash')
  const controller = new AbortController()
  const embedder = hashEmbedder(options)
  const written: string[] = []
  const progress = { embedded: 0, written: 0 }
  const stager = new Stager({
    place: wrap(run),
    namespace,
    embedder,
    signal: controller.signal,
    written: (chunks) => written.push(...chunks.map(({ hash }) => hash)),
    progress: (counts) => Object.assign(progress, counts),
  })
  const isStored = async (text: string) => (await run.known('a', [fingerprint(text)]))[0]!.embedded
  return { stager, run, store, embedder, controller, written, progress, isStored }
}

/** A gate that calls wait at until it is opened. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { wait: () => promise, open: resolve }
}

test('flush() resolves when every chunk is embedded and written, and reports the counts', async () => {
  const { stager, run, embedder, written, progress } = await stagerWith()
  const texts = Array.from({ length: 1000 }, (_, n) => `text ${n}`)
  for (const text of texts) stager.add(chunkOf(text), false)
  await stager.flush()
  assert.deepEqual(progress, { embedded: 1000, written: 1000 })
  assert.equal((await run.staged('a')).length, 1000)
  assert.equal(written.length, 1000)
  assert.deepEqual(embedder.embedded().sort(), texts.sort())
})

test('add() keeps to the limits of the embedder: texts, bytes, and calls at once', async () => {
  let atOnce = 0
  let most = 0
  const { stager, embedder } = await stagerWith({
    limits: { texts: 5, bytes: 40 },
    concurrency: 3,
    async before() {
      most = Math.max(most, ++atOnce)
      await turn()
      atOnce--
    },
  })
  const texts = [
    ...Array.from({ length: 60 }, (_, n) => `é${n}`),
    ...Array.from('abcdef', (c) => c.repeat(15)),
    'x'.repeat(99),
  ]
  for (const text of texts) stager.add(chunkOf(text), false)
  await stager.flush()
  assert.equal(most, 3)
  assert.equal(embedder.embedded().length, texts.length)
  for (const call of embedder.calls) {
    assert.ok(call.length <= 5)
    // A text over the limit is sent alone: the provider may still accept it.
    assert.ok(call.length === 1 || Buffer.byteLength(call.join('')) <= 40, call.join('|'))
  }
  assert.ok(embedder.calls.some((call) => call.length === 5))
})

test('add() has a text embedded once, whether it is waiting, being embedded or being written', async () => {
  const embedding = gate()
  const writing = gate()
  const { stager, run, embedder, progress } = await stagerWith({ before: embedding.wait }, (run) => ({
    ...run,
    stage: async (...request) => {
      await writing.wait()
      return run.stage(...request)
    },
  }))
  stager.add(chunkOf('same', '1'), false)
  stager.add(chunkOf('same', '2'), false)
  embedding.open()
  while (progress.embedded === 0) await turn()
  stager.add(chunkOf('same', '3'), false)
  writing.open()
  await stager.flush()
  stager.add(chunkOf('same', '4'), true)
  await stager.flush()
  assert.deepEqual(embedder.embedded(), ['same'])
  assert.equal((await run.staged('a')).length, 4)
})

test('add() writes a chunk whose text the store has without asking the embedder', async () => {
  const { stager, run, embedder } = await stagerWith()
  stager.add(chunkOf('known', '1'), false)
  await stager.flush()
  stager.add(chunkOf('known', '2'), true)
  await stager.flush()
  assert.equal(embedder.calls.length, 1)
  assert.equal((await run.staged('a')).length, 2)
})

test('room() waits while too much is held, and resolves when there is room', async () => {
  const embedding = gate()
  const { stager, progress } = await stagerWith({ before: embedding.wait })
  let taken = 0
  const adding = (async () => {
    for (let n = 0; n < 6000; n++) {
      await stager.room()
      stager.add(chunkOf(`text ${n}`), false)
      taken++
    }
  })()
  while (taken < 4000) await turn()
  for (let n = 0; n < 20; n++) await turn()
  assert.equal(taken, 4000)
  embedding.open()
  await adding
  await stager.flush()
  assert.equal(progress.written, 6000)
})

test('room() counts characters too: a few large texts are enough to wait for', async () => {
  const embedding = gate()
  const { stager } = await stagerWith({ before: embedding.wait, limits: { texts: 1, bytes: 1 } })
  let taken = 0
  const adding = (async () => {
    for (const letter of 'abcdef') {
      await stager.room()
      stager.add(chunkOf(letter.repeat(3_000_000)), false)
      taken++
    }
  })()
  for (let n = 0; n < 20; n++) await turn()
  assert.equal(taken, 3)
  embedding.open()
  await adding
  await stager.flush()
})

test('the first failure of the embedder ends it: room() and flush() throw it from then on', async () => {
  const failure = new Error('no more')
  const { stager } = await stagerWith({ before: () => Promise.reject(failure) })
  stager.add(chunkOf('a'), false)
  await assert.rejects(stager.flush(), failure)
  await assert.rejects(stager.room(), failure)
  await stager.stop()
})

test('stop() embeds nothing more, and what was embedded is written for a retry', async () => {
  const embedding = gate()
  const { stager, embedder, isStored } = await stagerWith({
    limits: { texts: 1, bytes: 100 },
    concurrency: 2,
    before: ([text]) => (text === 'bad' ? Promise.reject(new Error('no')) : embedding.wait()),
  })
  for (const text of ['good', 'bad', 'never']) stager.add(chunkOf(text), false)
  await assert.rejects(stager.flush(), /no/)
  const stopped = stager.stop()
  embedding.open()
  await stopped
  assert.deepEqual(embedder.embedded(), ['good'])
  assert.deepEqual(
    [await isStored('good'), await isStored('bad'), await isStored('never')],
    [true, false, false],
  )
})

test('an aborted signal has flush() throw cancelled and reaches the embedder', async () => {
  let heard: AbortSignal | undefined
  const { stager, controller } = await stagerWith({
    before: (_, signal) => {
      heard = signal
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  stager.add(chunkOf('a'), false)
  const flushed = assert.rejects(
    stager.flush(),
    (error: unknown) => error instanceof SluiceError && error.code === 'cancelled',
  )
  controller.abort(new SluiceError('cancelled'))
  await flushed
  assert.equal(heard, controller.signal)
  await stager.stop()
})

for (const [what, code, vectors] of [
  ['fewer vectors than texts', 'provider_failed', [new Float32Array(8)]],
  ['a vector of another length', 'dimension_mismatch', [new Float32Array(8), new Float32Array(7)]],
  [
    'a number that is not finite',
    'provider_failed',
    [new Float32Array(8), new Float32Array(8).with(3, Number.NaN)],
  ],
] as const)
  test(`flush() throws ${code} for ${what}, and nothing of the call is written`, async () => {
    const held = gate()
    const { stager, embedder, run, store } = await stagerWith({ concurrency: 1, before: held.wait })
    const { embed } = embedder
    embedder.embed = async (texts) => (texts.length === 1 ? embed(texts) : [...vectors])
    // Is sent alone; the two others wait and are sent together.
    stager.add(chunkOf('alone'), false)
    stager.add(chunkOf('two'), false)
    stager.add(chunkOf('three'), false)
    held.open()
    await assert.rejects(stager.flush(), (error: unknown) => {
      assert.ok(error instanceof SluiceError)
      assert.equal(error.code, code)
      assert.equal(error.facts.stage, 'embed')
      if (code === 'dimension_mismatch') assert.equal(error.facts.namespace, store.namespace)
      return true
    })
    await stager.stop()
    assert.equal((await run.staged('a')).length, 1)
  })

test('flush() throws what the store throws', async () => {
  const { stager } = await stagerWith({}, (run) => ({
    ...run,
    stage: () => Promise.reject(new SluiceError('storage_full')),
  }))
  stager.add(chunkOf('a'), false)
  await assert.rejects(stager.flush(), /is full/)
  await stager.stop()
})
