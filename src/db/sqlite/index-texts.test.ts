import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { temporaryDatabase } from '../../../test/support/store.ts'
import { fingerprint } from '../../kit/hash.ts'
import type { Database } from './database.ts'
import { IndexTexts, indexTexts } from './index-texts.ts'
import { openRun } from '../ledger/indexes.ts'
import { ledgerRun } from './ledger-run.ts'
import { stageChunks } from './run-writes.ts'

const chunkOf = (text: string) => ({
  ...{ source: 'a', hash: fingerprint(text), metadata: '{}', metadataHash: 'm', text },
})
const texts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => chunkOf(`text ${from + at}`))

async function openIndex(t: TestContext) {
  const database = temporaryDatabase(t)
  const { index, run } = await database.sql.write(openRun, {
    ...{ namespace: 'n', embedder: 'none', engine: 'built-in', now: 1 },
  })
  const stage = (chunks: ReturnType<typeof texts>) =>
    database.write(stageChunks, {
      ...{ indexId: index.id, run, chunks, now: 1 },
      ...{ dimensions: 1, vectors: new Float32Array(chunks.length) },
    })
  return { database, index, run, stage }
}

/** How many hashes of passages there are, and how many different ones. */
const counts = ({ reader }: Database) =>
  reader.get('SELECT count(*) AS hashes, count(DISTINCT hash) AS different FROM passage_hashes')

test('IndexTexts denies a text only when all that the index had are read, and reads on after queries that found nothing', async (t) => {
  const { database, index, stage } = await openIndex(t)
  await stage(texts(0, 5000))
  const known = new IndexTexts(database.reader, index.id)
  const other = fingerprint('other')
  assert.equal(known.lacks(other), false)
  assert.equal(known.note(fingerprint('noted')), false)
  let misses = 0
  for (; !known.lacks(other) && misses < 5000; misses += 100) {
    // Meanwhile hashes move to higher levels, and more are added.
    await stage(texts(5000 + misses, 5100 + misses))
    for (const { hash } of texts(5000 + misses, 5100 + misses)) known.note(hash)
    known.readAfter(100)
  }
  assert.ok(misses < 1000, `${misses} queries`)
  for (const { hash } of texts(0, 5000 + misses)) assert.equal(known.lacks(hash), false)
  assert.equal(known.lacks(fingerprint('noted')), false)
})

test('IndexTexts misses no hash that moves to a higher level while it reads', async (t) => {
  const { database, index, stage } = await openIndex(t)
  for (let from = 0; from < 40_000; from += 2000) await stage(texts(from, from + 2000))
  const known = new IndexTexts(database.reader, index.id)
  const levels = () => database.reader.get('SELECT count(DISTINCT level) AS n FROM passage_hashes')!.n
  assert.equal(levels(), 2)
  let staged = 40_000
  for (let step = 0; step < 10; step++) {
    await stage(texts(staged, staged + 2000))
    for (const { hash } of texts(staged, staged + 2000)) known.note(hash)
    staged += 2000
    known.readAfter(500)
  }
  known.readAfter(20_000)
  assert.equal(known.lacks(fingerprint('other')), true)
  for (const { hash } of texts(0, staged)) assert.equal(known.lacks(hash), false)
})

test('indexTexts() gives one for each index and connection, and a run stages each text once', async (t) => {
  const { database, index, run } = await openIndex(t)
  assert.equal(indexTexts(database.reader, index.id), indexTexts(database.reader, index.id))
  const open = () => ledgerRun({ database, clock: Date.now, index: { ...index, dimensions: null }, run })
  const [first, second] = [open(), open()]
  const stage = (ledger: typeof first, chunks: ReturnType<typeof texts>) =>
    ledger.stage(chunks, 1, new Float32Array(chunks.length))
  // So many that most hashes have moved to the next level.
  for (let from = 0; from < 40_000; from += 2000) await stage(first, texts(from, from + 2000))
  const some = (at: number) => texts(Math.imul(at, 7919) % 50_000, (Math.imul(at, 7919) % 50_000) + 40)
  for (let at = 0; at < 60; at++)
    await stage(at % 2 === 0 ? first : second, [...some(at), ...some(at + 1).slice(0, 5), ...some(at)])
  const { hashes, different } = counts(database)!
  assert.equal(hashes, different)
  assert.equal(hashes, database.reader.get('SELECT count(*) AS n FROM passages')!.n)
})
