import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import type { ChunkStore, ChunkStores } from '../../src/contract/chunk-store.ts'
import type { NewChunk, Publication } from '../../src/contract/ledger.ts'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { newPreparedPostgres } from '../support/postgres.ts'
import { randomBelow } from '../support/random.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const { address, drop } = await newPreparedPostgres()
const database = await openPostgres(address)
after(async () => {
  await database.close()
  await drop()
})

const EMBEDDER = 'hash'
const DIMENSIONS = 8

const newFolder = (t: TestContext) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-replica-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A node: stores over the database of this file, with a replica of its own. `copies`: how many chunks each whole copy had. */
function newMember(t: TestContext, folder = newFolder(t)) {
  const copies: number[] = []
  const stores = replicaStores(database, folder, Date.now, {
    noteCopied: ({ chunks }) => copies.push(chunks),
  })
  t.after(() => stores.close())
  return { stores, copies, folder }
}

const chunkOf = (source: string, text: string, group = 0): NewChunk => {
  const metadata = canonicalJson({ group })
  return { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
}

async function stage(run: Awaited<ReturnType<ChunkStore['open']>>, chunks: NewChunk[]): Promise<void> {
  const vectors = new Float32Array(chunks.length * DIMENSIONS)
  for (const [at, { text }] of chunks.entries()) vectors.set(hashVector(text!, DIMENSIONS), at * DIMENSIONS)
  await run.stage(chunks, vectors, DIMENSIONS)
}

const publication = (stagedCount: number, more: Partial<Publication> = {}): Publication => ({
  ...{ stagedCount, removedChunkIds: [], files: [], updatedSources: [], invalidatedFiles: [] },
  ...more,
})

async function bring(store: ChunkStore, chunks: NewChunk[], more: Partial<Publication> = {}): Promise<void> {
  const run = await store.open(EMBEDDER)
  await stage(run, chunks)
  await run.publish(publication(chunks.length, more))
  await run.sweep()
}

const idsOf = async (store: ChunkStore, source: string) =>
  (await collect((await store.view(EMBEDDER)).visible(source))).flat()

const seen = async (stores: ChunkStores, namespace: string) =>
  (await stores.open(namespace).search({ text: 'word', limit: 100 }))
    .map(({ pageContent }) => pageContent)
    .sort()

test('a publication of one member is found by the next search of another', async (t) => {
  const [one, two] = [newMember(t), newMember(t)]
  await bring(one.stores.open('shared'), [chunkOf('a', 'word one')])
  assert.deepEqual(await seen(two.stores, 'shared'), ['word one'])
  await bring(two.stores.open('shared'), [chunkOf('a', 'word two')], {
    removedChunkIds: await idsOf(two.stores.open('shared'), 'a'),
  })
  assert.deepEqual(await seen(one.stores, 'shared'), ['word two'])
  assert.deepEqual(await seen(two.stores, 'shared'), ['word two'])
})

test('a replica that was closed follows from the run that it has', async (t) => {
  const [writer, folder] = [newMember(t), newFolder(t)]
  await bring(writer.stores.open('again'), [chunkOf('a', 'word one')])
  const before = replicaStores(database, folder)
  assert.deepEqual(await seen(before, 'again'), ['word one'])
  await before.close()
  const removedChunkIds = await idsOf(writer.stores.open('again'), 'a')
  await bring(writer.stores.open('again'), [chunkOf('b', 'word two')], { removedChunkIds })
  await bring(writer.stores.open('again'), [chunkOf('c', 'word three')])
  const reader = newMember(t, folder)
  assert.deepEqual(await seen(reader.stores, 'again'), ['word three', 'word two'])
  assert.deepEqual(reader.copies, [])
})

test('a replica sweeps what a run has removed: nothing of it stays in its file', async (t) => {
  const [writer, reader] = [newMember(t), newMember(t)]
  const store = writer.stores.open('swept')
  const texts = Array.from({ length: 20 }, (_, at) => `word ${at}`)
  await bring(
    store,
    texts.map((text) => chunkOf('a', text)),
  )
  assert.equal((await seen(reader.stores, 'swept')).length, 20)
  await bring(store, [chunkOf('b', 'word kept')], { removedChunkIds: await idsOf(store, 'a') })
  assert.deepEqual(await seen(reader.stores, 'swept'), ['word kept'])
  const file = new Connection(path.join(reader.folder, 'sluice.db'), { readOnly: true })
  t.after(() => file.close())
  const kept = file.all<{ content: string }>(
    'SELECT content FROM chunks JOIN passages ON passages.id = passage_id',
  )
  assert.deepEqual(
    kept.map(({ content }) => content),
    ['word kept'],
  )
  for (const table of ['passages', 'vectors', 'sources'])
    assert.equal(file.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n, 1, table)
})

test('a replica is copied again where the changes since its run are deleted, or the database was restored', async (t) => {
  const [writer, reader] = [newMember(t), newMember(t)]
  await bring(writer.stores.open('gap'), [chunkOf('a', 'word one')])
  assert.deepEqual(await seen(reader.stores, 'gap'), ['word one'])
  const removedChunkIds = await idsOf(writer.stores.open('gap'), 'a')
  await bring(writer.stores.open('gap'), [chunkOf('b', 'word two')], { removedChunkIds })
  await database.transaction((sql) =>
    sql.run(
      `UPDATE indexes SET followed_from = (SELECT max(seq) FROM runs WHERE index_id = indexes.id) WHERE namespace = 'gap'`,
    ),
  )
  assert.deepEqual(await seen(reader.stores, 'gap'), ['word two'])
  assert.deepEqual(reader.copies, [1, 1])
  await database.transaction((sql) =>
    sql.run(
      `UPDATE runs SET token = gen_random_uuid() WHERE index_id = (SELECT id FROM indexes WHERE namespace = 'gap')`,
    ),
  )
  assert.deepEqual(await seen(reader.stores, 'gap'), ['word two'])
  assert.deepEqual(reader.copies, [1, 1, 1])
})

test('a damaged replica is deleted and copied again', async (t) => {
  const [writer, folder] = [newMember(t), newFolder(t)]
  await bring(writer.stores.open('damaged'), [chunkOf('a', 'word one')])
  writeFileSync(path.join(folder, 'sluice.db'), 'no database at all'.repeat(1000))
  const reader = newMember(t, folder)
  assert.deepEqual(await seen(reader.stores, 'damaged'), ['word one'])
})

test('a run whose namespace another member has taken stages and publishes nothing, and sweeps nothing', async (t) => {
  const [frozen, next] = [newMember(t), newMember(t)]
  await bring(frozen.stores.open('fence'), [chunkOf('a', 'word old')])
  const late = await frozen.stores.open('fence').open(EMBEDDER)
  await stage(late, [chunkOf('a', 'word late')])
  const run = await next.stores.open('fence').open(EMBEDDER)
  await assert.rejects(stage(late, [chunkOf('a', 'word later')]), { code: 'run_not_open' })
  await assert.rejects(late.publish(publication(1)), { code: 'run_not_open' })
  // The next run counts on the vector of what the first has staged.
  const [known] = await run.known('a', [fingerprint('word late')])
  assert.equal(known!.embedded, true)
  await late.sweep()
  const { text: _, ...chunk } = chunkOf('a', 'word late')
  await run.stage([chunk], new Float32Array(), DIMENSIONS)
  await run.publish(publication(1))
  assert.deepEqual(await seen(frozen.stores, 'fence'), ['word late', 'word old'])
})

test('a search over PostgreSQL gives the chunks and scores of one in the embedded database, through a history of changes', async (t) => {
  const folder = newFolder(t)
  const embedded = openDatabase(folder)
  t.after(() => embedded.close())
  const members = [newMember(t), newMember(t)]
  const all = [
    builtInStores(embedded).open('history'),
    ...members.map(({ stores }) => stores.open('history')),
  ]
  const below = randomBelow(7)
  const words = ['red', 'green', 'blue', 'word', 'tree', 'river']
  const wordsOf = () => Array.from({ length: 6 }, () => words[below(words.length)]).join(' ')
  for (let round = 0; round < 25; round++) {
    const source = `source ${below(4)}`
    const chunks = Array.from({ length: 1 + below(8) }, (_, at) =>
      chunkOf(source, `${wordsOf()} ${round} ${at}`, below(3)),
    )
    const replaces = below(2) === 0
    const writer = 1 + below(members.length)
    for (const store of [all[0]!, all[writer]!]) {
      const removedChunkIds = replaces ? await idsOf(store, source) : []
      await bring(store, chunks, { removedChunkIds, updatedSources: [source] })
    }
    const query = { text: wordsOf(), vector: hashVector(wordsOf(), DIMENSIONS), limit: 10 }
    const filter = parseFilter({ group: below(3) })
    for (const request of [query, { ...query, filter }]) {
      const answers = await Promise.all(all.map(async (store) => byId(await store.search(request))))
      assert.deepEqual(answers[1], answers[0], `round ${round}`)
      assert.deepEqual(answers[2], answers[0], `round ${round}`)
    }
  }
  // The one that wrote first has read nothing back.
  assert.deepEqual(members.map(({ copies }) => copies.length).toSorted(), [0, 1])
})

const byId = <Found extends { id: string }>(found: Found[]): Found[] =>
  found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
