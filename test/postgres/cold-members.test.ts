import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { BlobShelf } from '../../src/contract/blob-shelf.ts'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import type { NewChunk, Publication } from '../../src/contract/ledger.ts'
import type { PostgresDatabase } from '../../src/db/postgres/database.ts'
import { savedIndexes } from '../../src/db/postgres/saved-indexes.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { SAVING_RULES, type SavingRules } from '../../src/stores/built-in/image-saver.ts'
import { COPY_FORMAT } from '../../src/stores/replica/saved-files.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { lacking, needs } from '../support/needs.ts'
import { temporaryPostgres } from '../support/postgres.ts'
import { testShelf } from '../support/s3-shelf.ts'
import { until } from '../support/until.ts'

await needs('PostgreSQL')

const DIMENSIONS = 8
const NAMESPACE = 'shared'
const RULES = { leastChunks: 1, quietMs: 0, intervalMs: 0 }

const newFolder = (t: TestContext) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-cold-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Where copies are kept: in a bucket, or in the database. */
type Place = { name: string; skip: string | false; bucket(t: TestContext): Promise<BlobShelf | undefined> }

const PLACES: Place[] = [
  { name: 'in the database', skip: false, bucket: async () => undefined },
  { name: 'in a bucket', skip: lacking('the S3 server of the tests'), bucket: (t) => testShelf(t) },
]

type MemberOptions = {
  bucket: BlobShelf | undefined
  folder?: string
  saves?: boolean
  mostOpen?: number
  saving?: SavingRules
}

/** A member of a cluster, and what it has noted. Without `saves` it fetches alone. */
function newMember(t: TestContext, database: PostgresDatabase, options: MemberOptions) {
  const { bucket, folder = newFolder(t), saves = true, mostOpen, saving } = options
  const noted = { copied: 0, fetched: 0, saved: 0, failed: [] as string[] }
  const stores = replicaStores(database, folder, Date.now, {
    rules: saves ? RULES : { ...RULES, leastChunks: Infinity },
    ...(mostOpen ? { mostOpen } : {}),
    ...(saving ? { saving } : {}),
    noteCopied: () => noted.copied++,
    noteFetched: () => noted.fetched++,
    noteSaved: () => noted.saved++,
    noteCopyFailure: (what, error) => noted.failed.push(`${what}: ${(error as Error).message}`),
  })
  stores.share(bucket)
  let isClosed = false
  const close = async () => {
    if (!isClosed) await stores.close()
    isClosed = true
  }
  t.after(close)
  return { stores, noted, folder, close, store: stores.open(NAMESPACE) }
}

/** The files of images in the folder of a member. */
const imagesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.vectors'))

const chunkOf = (source: string, text: string): NewChunk => {
  const metadata = canonicalJson({ source })
  return { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
}

type Bring = Partial<Publication> & { embedder?: string; dimensions?: number }

async function bring(store: ChunkStore, chunks: NewChunk[], more: Bring = {}): Promise<void> {
  const { embedder = 'hash', dimensions = DIMENSIONS, ...rest } = more
  const run = await store.open(embedder)
  const vectors = new Float32Array(chunks.length * dimensions)
  for (const [at, { text }] of chunks.entries()) vectors.set(hashVector(text!, dimensions), at * dimensions)
  await run.stage(chunks, vectors, dimensions)
  await run.publish({
    ...{
      stagedCount: chunks.length,
      removedChunkIds: [],
      files: [],
      updatedSources: [],
      invalidatedFiles: [],
    },
    ...rest,
  })
  await run.sweep()
}

const answer = async (store: ChunkStore, text = 'word', dimensions = DIMENSIONS) =>
  (await store.search({ text, vector: hashVector(text, dimensions), limit: 100 }))
    .map(({ id, pageContent, vectorScore, keywordScore }) => ({ id, pageContent, vectorScore, keywordScore }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))

const textsOf = async (store: ChunkStore) =>
  (await answer(store)).map(({ pageContent }) => pageContent).toSorted()

const idsOf = async (store: ChunkStore, source: string) =>
  (await collect((await store.view('hash')).visible(source))).flat()

const words = (count: number) => Array.from({ length: count }, (_, at) => chunkOf(`s${at % 3}`, `word ${at}`))

for (const { name, skip, bucket: open } of PLACES) {
  /** A member that has written some chunks and saved its copy. */
  async function withCopy(t: TestContext) {
    const [database, bucket] = [await temporaryPostgres(t), await open(t)]
    const writer = newMember(t, database, { bucket })
    await bring(writer.store, words(40))
    await until(() => writer.noted.saved === 1)
    return { database, bucket, writer }
  }

  test(`a member without a copy fetches the one that another member has saved ${name}, and follows what came after [server:copies]`, {
    skip,
  }, async (t) => {
    const { database, bucket, writer } = await withCopy(t)
    await bring(writer.store, [chunkOf('later', 'word later')], {
      removedChunkIds: await idsOf(writer.store, 's0'),
    })
    const cold = newMember(t, database, { bucket, saves: false })
    const answers = await Promise.all([answer(cold.store), answer(cold.store), answer(writer.store)])
    assert.deepEqual(answers[0], answers[2])
    assert.deepEqual(answers[1], answers[2])
    assert.equal(answers[0]!.length, 40 - 14 + 1)
    assert.deepEqual(cold.noted, { copied: 0, fetched: 1, saved: 0, failed: [] })
    // The one that wrote has read nothing back.
    assert.equal(writer.noted.copied, 0)
    await bring(cold.store, [chunkOf('own', 'word own')])
    assert.deepEqual(await answer(cold.store), await answer(writer.store))
    assert.equal((await textsOf(writer.store)).includes('word own'), true)
  })

  test(`a copy ${name} brings the image of its vectors, which is not made again [server:copies]`, {
    skip,
  }, async (t) => {
    const [database, bucket] = [await temporaryPostgres(t), await open(t)]
    const saving = { ...SAVING_RULES, leastBytes: 1, delayMs: 0 }
    const folder = newFolder(t)
    const writer = newMember(t, database, { bucket, folder, saves: false, saving })
    await bring(writer.store, words(40))
    const before = await answer(writer.store)
    await until(() => imagesBelow(folder).length === 1)
    await writer.close()
    const saver = newMember(t, database, { bucket, folder })
    await answer(saver.store)
    await until(() => saver.noted.saved === 1)
    // What a member reads from the database is not in memory as a file.
    const cold = newMember(t, database, { bucket, saves: false, saving: { ...saving, leastBytes: Infinity } })
    assert.deepEqual(await answer(cold.store), before)
    assert.deepEqual(
      imagesBelow(cold.folder).map((file) => path.basename(file)),
      imagesBelow(folder).map((file) => path.basename(file)),
    )
    assert.deepEqual(cold.noted, { copied: 0, fetched: 1, saved: 0, failed: [] })
  })

  test(`a fetched copy ${name} stays when its member starts again, and goes with its namespace`, {
    skip,
  }, async (t) => {
    const { database, bucket, writer } = await withCopy(t)
    const first = newMember(t, database, { bucket, saves: false })
    await textsOf(first.store)
    await first.close()
    const again = newMember(t, database, { bucket, saves: false, folder: first.folder })
    await bring(writer.store, [chunkOf('later', 'word later')])
    assert.equal((await textsOf(again.store)).length, 41)
    assert.deepEqual(again.noted, { copied: 0, fetched: 0, saved: 0, failed: [] })
    const fetched = path.join(first.folder, 'indexes')
    assert.equal(readdirSync(fetched).length, 1)
    await writer.store.drop()
    assert.deepEqual(await textsOf(again.store), [])
    await again.stores.sweepRemoved()
    await until(() => readdirSync(fetched).length === 0)
    for (const table of ['saved_indexes', 'saved_parts'])
      assert.deepEqual(await database.reader.all(`SELECT * FROM ${table}`), [], table)
    if (bucket) assert.deepEqual((await collect(bucket.list('replica/'))).flat(), [])
  })

  test(`a damaged copy ${name} is not used: its rows are read, it is noted once, and another copy takes its place [server:copies]`, {
    skip,
  }, async (t) => {
    const { database, bucket, writer } = await withCopy(t)
    const [{ blob }] = (await database.reader.all<{ blob: string }>('SELECT blob FROM saved_indexes')) as [
      { blob: string },
    ]
    if (bucket) {
      const content = await bytesOf(bucket, blob)
      content[20_000]! ^= 1
      const { Readable } = await import('node:stream')
      await bucket.put(blob, { size: content.length, open: () => Readable.from([content]) })
    } else
      await database.transaction((sql) =>
        sql.run(
          'UPDATE saved_parts SET content = set_byte(content, 20000, (get_byte(content, 20000) + 1) % 256)',
        ),
      )
    const cold = newMember(t, database, { bucket })
    assert.deepEqual(await answer(cold.store), await answer(writer.store))
    assert.deepEqual([cold.noted.copied, cold.noted.fetched], [1, 0])
    assert.deepEqual(cold.noted.failed, ['fetched: its checksum is another one'])
    assert.deepEqual(readdirSync(path.join(cold.folder, 'indexes')), [])
    // Whichever of them is first: the writer was asked too.
    await until(() => writer.noted.saved + cold.noted.saved >= 2)
    const next = newMember(t, database, { bucket, saves: false })
    assert.deepEqual(await answer(next.store), await answer(writer.store))
    assert.deepEqual(next.noted, { copied: 0, fetched: 1, saved: 0, failed: [] })
  })

  test(`a copy ${name} that a killed member has begun is not used, and is deleted after a while`, {
    skip,
  }, async (t) => {
    const [database, bucket] = [await temporaryPostgres(t), await open(t)]
    const writer = newMember(t, database, { bucket, saves: false })
    await bring(writer.store, words(10))
    const saved = savedIndexes(database, COPY_FORMAT)
    const [index] = await database.reader.all<{ id: number }>('SELECT id FROM indexes')
    const begun = (await saved.begin(index!.id, bucket ? 'replica/begun' : null))!
    // Of two members one saves.
    assert.equal(await saved.begin(index!.id, null), undefined)
    if (!bucket) await saved.writePart(begun, 0, new Uint8Array(100))
    const cold = newMember(t, database, { bucket, saves: false })
    assert.equal((await textsOf(cold.store)).length, 10)
    assert.deepEqual(cold.noted, { copied: 1, fetched: 0, saved: 0, failed: [] })
    await cold.stores.sweepRemoved()
    assert.equal((await database.reader.all('SELECT 1 FROM saved_indexes')).length, 1)
    await database.transaction((sql) =>
      sql.run(`UPDATE saved_indexes SET begun_at = begun_at - interval '2 hours'`),
    )
    await cold.stores.sweepRemoved()
    for (const table of ['saved_indexes', 'saved_parts'])
      assert.deepEqual(await database.reader.all(`SELECT * FROM ${table}`), [], table)
    // Its member goes on, and finds that it was given up.
    assert.equal(
      await saved.complete(begun, {
        run: { seq: 1, token: '00000000-0000-0000-0000-000000000000' },
        bytes: 1,
        checksum: 1,
      }),
      false,
    )
  })

  test(`a copy ${name} takes the place of an earlier one when enough has changed`, { skip }, async (t) => {
    const { database, bucket, writer } = await withCopy(t)
    await bring(writer.store, [chunkOf('few', 'word few')])
    await bring(writer.store, words(60).slice(40))
    await until(() => writer.noted.saved >= 2)
    await until(async () => (await database.reader.all('SELECT 1 FROM saved_indexes')).length === 1)
    if (bucket) assert.equal((await collect(bucket.list('replica/'))).flat().length, 1)
    const cold = newMember(t, database, { bucket, saves: false })
    assert.deepEqual(await answer(cold.store), await answer(writer.store))
    assert.equal(cold.noted.fetched, 1)
  })
}

async function bytesOf(bucket: BlobShelf, name: string): Promise<Buffer> {
  const found = await bucket.get(name)
  return Buffer.concat(await collect(found!.content as AsyncIterable<Buffer>))
}

test('a copy of an index with vectors of another length is not taken for the one that replaces it', async (t) => {
  const database = await temporaryPostgres(t)
  const writer = newMember(t, database, { bucket: undefined })
  await bring(writer.store, words(20))
  await until(() => writer.noted.saved === 1)
  await writer.store.drop()
  await bring(writer.store, words(5), { embedder: 'other', dimensions: 4 })
  const cold = newMember(t, database, { bucket: undefined, saves: false })
  assert.equal((await answer(cold.store, 'word', 4)).length, 5)
  assert.deepEqual(cold.noted.failed, [])
})

test('a member whose fetched copy is too far behind fetches a newer one', async (t) => {
  const database = await temporaryPostgres(t)
  const writer = newMember(t, database, { bucket: undefined })
  await bring(writer.store, words(20))
  await until(() => writer.noted.saved === 1)
  const cold = newMember(t, database, { bucket: undefined, saves: false })
  await textsOf(cold.store)
  await bring(writer.store, words(40).slice(20))
  // One that was made before the publication may be saved first: it counts what is staged as changed.
  const newest = `SELECT 1 FROM saved_indexes WHERE bytes IS NOT NULL AND run = (SELECT max(seq) FROM runs WHERE state = 'published')`
  await until(async () => (await database.reader.all(newest)).length > 0)
  // As after a thousand publications: what they changed is deleted.
  await database.transaction((sql) =>
    sql.run('UPDATE indexes SET followed_from = (SELECT max(seq) FROM runs)'),
  )
  assert.deepEqual(await answer(cold.store), await answer(writer.store))
  assert.deepEqual([cold.noted.copied, cold.noted.fetched], [0, 2])
  await until(() => readdirSync(path.join(cold.folder, 'indexes')).length === 1)
})

test('a fetched folder that cannot be opened is deleted, and the copy is fetched again', async (t) => {
  const database = await temporaryPostgres(t)
  const writer = newMember(t, database, { bucket: undefined })
  await bring(writer.store, words(20))
  await until(() => writer.noted.saved === 1)
  const folder = newFolder(t)
  const [row] = await database.reader.all<{ id: number; index: number }>(
    'SELECT id, index_id AS index FROM saved_indexes',
  )
  const kept = path.join(folder, 'indexes', `${row!.index}-${row!.id}`)
  mkdirSync(kept, { recursive: true })
  writeFileSync(path.join(kept, 'sluice.db'), 'no database'.repeat(1000))
  mkdirSync(`${kept}.partial`)
  const cold = newMember(t, database, { bucket: undefined, saves: false, folder })
  assert.equal(existsSync(`${kept}.partial`), false)
  assert.deepEqual(await answer(cold.store), await answer(writer.store))
  assert.equal(cold.noted.failed.length, 1)
  assert.deepEqual([cold.noted.copied, cold.noted.fetched], [0, 1])
})

test('a reindex of a member is kept by it: nothing is read back', async (t) => {
  const database = await temporaryPostgres(t)
  const member = newMember(t, database, { bucket: undefined, saves: false })
  await bring(member.store, words(12))
  const rebuild = (await member.store.rebuild('other'))!
  let stagedCount = 0
  for await (const chunks of rebuild.chunks()) {
    const texts = await Promise.all(chunks.map(rebuild.text))
    const vectors = new Float32Array(chunks.length * 4)
    for (const [at, text] of texts.entries()) vectors.set(hashVector(text!, 4), at * 4)
    const staged = chunks.map(({ source, metadata, metadataHash, hash, range }, at) => ({
      ...{ source, metadata, metadataHash, hash, range },
      text: texts[at]!,
    }))
    await rebuild.stage(staged, vectors, 4)
    stagedCount += chunks.length
  }
  await rebuild.publish(stagedCount, undefined)
  assert.equal((await answer(member.store, 'word', 4)).length, 12)
  assert.equal(member.noted.copied, 0)
})

test('a run whose namespace another member has taken leaves nothing in the replica of its member', async (t) => {
  const database = await temporaryPostgres(t)
  const [one, two] = [0, 1].map(() => newMember(t, database, { bucket: undefined, saves: false }))
  const run = await one!.store.open('hash')
  await run.stage([chunkOf('a', 'word lost')], hashVector('word lost', DIMENSIONS), DIMENSIONS)
  // Another member has taken the namespace over.
  await bring(two!.store, [chunkOf('b', 'word kept')])
  await assert.rejects(
    run.publish({ stagedCount: 1, removedChunkIds: [], files: [], updatedSources: [], invalidatedFiles: [] }),
    { code: 'run_not_open' },
  )
  assert.deepEqual(await textsOf(one!.store), ['word kept'])
  assert.deepEqual(await textsOf(two!.store), ['word kept'])
  assert.deepEqual([one!.noted.copied, two!.noted.copied], [1, 0])
})

test('a member loads the namespaces that all members were asked for most, before it is asked [server:warm]', async (t) => {
  const database = await temporaryPostgres(t)
  const asked = newMember(t, database, { bucket: undefined })
  for (const name of ['often', 'once', 'never']) await bring(asked.stores.open(name), words(20))
  await until(() => asked.noted.saved === 3)
  for (const name of ['once', 'often', 'often', 'often']) await answer(asked.stores.open(name))
  await asked.close()
  const warm = newMember(t, database, { bucket: undefined, saves: false })
  await warm.stores.warmUp.start(1)
  await warm.stores.warmUp.ended
  assert.deepEqual([warm.noted.fetched, warm.stores.memory().images], [1, 1])
  assert.equal((await answer(warm.stores.open('often'))).length, 20)
  assert.equal(warm.noted.fetched, 1)
  const all = newMember(t, database, { bucket: undefined, saves: false })
  await all.stores.warmUp.start(8)
  await all.stores.warmUp.ended
  assert.deepEqual([all.noted.fetched, all.stores.memory().images], [2, 2])
  const names = all.stores.dependencies.filter(({ isUsed }) => isUsed?.() ?? true).map(({ name }) => name)
  assert.deepEqual(names, ['warm namespaces'])
})

test('a member closes the fetched indexes that were not used for the longest time, and opens them again', async (t) => {
  const database = await temporaryPostgres(t)
  const writer = newMember(t, database, { bucket: undefined })
  const names = ['first', 'second', 'third']
  for (const [at, name] of names.entries()) await bring(writer.stores.open(name), words(20 + at))
  await until(() => writer.noted.saved === 3)
  const cold = newMember(t, database, { bucket: undefined, saves: false, mostOpen: 1 })
  for (let round = 0; round < 3; round++) {
    const found = await Promise.all(names.map((name) => textsOf(cold.stores.open(name))))
    assert.deepEqual(
      found.map(({ length }) => length),
      [20, 21, 22],
    )
    assert.equal((await textsOf(cold.stores.open('first'))).length, 20)
    assert.equal(cold.stores.memory().images, 1)
  }
  assert.deepEqual(cold.noted, { copied: 0, fetched: 3, saved: 0, failed: [] })
  await bring(cold.stores.open('second'), [chunkOf('more', 'word more')])
  assert.equal((await textsOf(writer.stores.open('second'))).length, 22)
})
