import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HashEmbedderOptions, hashEmbedder, hashVector } from '../../test/support/hash-embedder.ts'
import { gate, jobDesk, until } from '../../test/support/job-desk.ts'
import { SluiceError } from '../kit/errors.ts'

const many = (count: number, word = 'text') => Array.from({ length: count }, (_, i) => `${word} ${i}`)

/** Another embedder than the one of the first start, with shorter vectors, a text a call. */
const another = (options: HashEmbedderOptions = {}) =>
  hashEmbedder({
    id: 'another',
    dimensions: 4,
    limits: { texts: 1, bytes: 1000 },
    concurrency: 1,
    ...options,
  })

/** A namespace that was loaded by an embedder before the tests' own comes. */
async function loadedDesk(t: Parameters<typeof jobDesk>[0], texts: Record<string, string[]>) {
  const desk = jobDesk(t)
  const first = await desk.open()
  await first.jobs.result(await first.submit(texts))
  await first.close()
  return desk
}

const REINDEX = { kind: 'reindex' as const }

test('reindex embeds every text once, in vectors of another length, and tells how many', async (t) => {
  const desk = await loadedDesk(t, { 'a.txt': ['one', 'two', 'same'], 'b.txt': ['same', 'three'] })
  const { jobs, submit, embedder, stores, history } = await desk.open({ embedder: another() })
  const store = stores.open('space')
  await assert.rejects(jobs.result(await submit({ 'a.txt': ['one'] })), {
    code: 'embedder_changed',
    status: 409,
  })
  const id = await submit({}, REINDEX)
  assert.partialDeepStrictEqual(await jobs.result(id), {
    jobId: id,
    numChunks: 5,
    numEmbedded: 4,
    embedder: 'another',
    dimensions: 4,
    warnings: [],
  })
  assert.partialDeepStrictEqual(await jobs.find(id), {
    kind: 'reindex',
    state: 'done',
    progress: { stage: 'publish', chunks: { seen: 5, embedded: 4, written: 5, due: 5 } },
  })
  assert.deepEqual(embedder.embedded().toSorted(), ['one', 'same', 'three', 'two'])
  const found = await store.search({ vector: hashVector('two', 4), embedder: 'another', limit: 1 })
  assert.deepEqual(
    found.map(({ pageContent, vectorScore }) => [pageContent, vectorScore!.toFixed(3)]),
    [['two', '1.000']],
  )
  assert.partialDeepStrictEqual(await jobs.result(await submit({ 'a.txt': ['one', 'two', 'same'] })), {
    numSkipped: 3,
    numAdded: 0,
  })
  assert.equal((await history.list('flow')).length, 3, 'the history tells of upserts')
})

test('reindex embeds anew where the embedder is still the same, and has nothing to do in an empty namespace', async (t) => {
  const desk = await loadedDesk(t, { 'a.txt': many(3) })
  const { jobs, submit, embedder } = await desk.open()
  assert.partialDeepStrictEqual(await jobs.result(await submit({}, REINDEX)), { numEmbedded: 3 })
  assert.equal(embedder.embedded().length, 3)
  const empty = await submit({}, { ...REINDEX, space: 'elsewhere' })
  assert.partialDeepStrictEqual(await jobs.result(empty), { numChunks: 0, numEmbedded: 0 })
})

test('reindex takes turns with upserts of its namespace', async (t) => {
  const desk = await loadedDesk(t, { 'a.txt': many(5) })
  const door = gate()
  const { jobs, submit } = await desk.open({
    embedder: another({ before: (_, signal) => door.pass(signal) }),
  })
  const reindex = await submit({}, REINDEX)
  const upsert = await submit({ 'b.txt': ['new'] })
  await door.arrived
  assert.equal((await jobs.find(upsert))!.state, 'queued')
  door.let()
  assert.partialDeepStrictEqual(await jobs.result(reindex), { numChunks: 5 })
  assert.partialDeepStrictEqual(await jobs.result(upsert), { numAdded: 1, totalKeys: 6 })
})

test('a reindex that fails or is cancelled leaves readers what they had; tried again it embeds nothing twice', async (t) => {
  const desk = await loadedDesk(t, { 'a.txt': many(30) })
  let calls = 0
  const stuck = Promise.withResolvers<void>()
  const { jobs, submit, embedder, stores } = await desk.open({
    embedder: another({
      async before(_, signal) {
        calls++
        if (calls === 11) throw new SluiceError('provider_failed', { provider: 'hash', reason: 'overloaded' })
        if (calls !== 22) return
        stuck.resolve()
        await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
      },
    }),
  })
  const seen = async () => {
    const store = stores.open('space')
    const found = await store.search({ vector: hashVector('text 7'), text: 'text', limit: 100 })
    return [found.length, await store.embedder()]
  }
  const id = await submit({}, REINDEX)
  await assert.rejects(jobs.result(id), { code: 'provider_failed', status: 502 })
  assert.deepEqual(await seen(), [30, 'hash'])

  await jobs.retry(id)
  const cancelled = assert.rejects(jobs.result(id), { code: 'cancelled' })
  await stuck.promise
  await jobs.cancel(id)
  await cancelled
  assert.deepEqual(await seen(), [30, 'hash'])
  assert.equal(embedder.embedded().length, 20)

  await jobs.retry(id)
  assert.partialDeepStrictEqual(await jobs.result(id), { numChunks: 30, numEmbedded: 10 })
  assert.deepEqual(embedder.embedded().toSorted(), many(30).toSorted())
  assert.equal(await stores.open('space').embedder(), 'another')
})

test('a reindex continues at the next start and embeds nothing twice', async (t) => {
  const desk = await loadedDesk(t, { 'a.txt': many(40) })
  const reached = Promise.withResolvers<void>()
  let calls = 0
  const first = await desk.open({
    embedder: another({
      async before(_, signal) {
        if (++calls < 20) return
        reached.resolve()
        await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
      },
    }),
  })
  const id = await first.submit({}, REINDEX)
  const interrupted = assert.rejects(first.jobs.result(id), { code: 'stopping' })
  await reached.promise
  await first.close()
  await interrupted
  const second = await desk.open({ embedder: another() })
  assert.partialDeepStrictEqual(await second.jobs.result(id), { numChunks: 40, numEmbedded: 21 })
  const embedded = [...first.embedder.embedded(), ...second.embedder.embedded()]
  assert.deepEqual(embedded.toSorted(), many(40).toSorted())
})

test('a reindex leaves nothing of the old index behind', async (t) => {
  const desk = await loadedDesk(t, { 'a.txt': many(1200) })
  const { jobs, submit, stores, database } = await desk.open({
    embedder: another({ limits: { texts: 500, bytes: 1e6 } }),
  })
  await jobs.result(await submit({}, REINDEX))
  const rows = (table: string) => database.reader.all(`SELECT * FROM ${table}`).length
  await until(() => rows('indexes') === 1)
  assert.deepEqual(
    ['passages', 'vectors', 'chunks', 'sources'].map((table) => rows(table)),
    [1200, 1200, 1200, 1],
  )
  await stores.open('space').drop()
  assert.deepEqual([rows('indexes'), rows('chunks'), rows('passages')], [0, 0, 0])
})
