import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import type { ChunkStores } from '../../src/contract/chunk-store.ts'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { collectGarbage } from '../../src/kit/collect-garbage.ts'
import { VectorImage } from '../../src/vector/image.ts'
import { ScanThreads } from '../../src/vector/scan-threads.ts'
import { ResidentImages } from '../../src/stores/built-in/resident-images.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import type { ImagesOptions } from '../../src/stores/built-in/images.ts'
import { SAVING_RULES } from '../../src/stores/built-in/image-saver.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { administer, postgresServer } from '../support/postgres.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { temporaryDatabase } from '../support/store.ts'
import { until } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const server = await postgresServer()
await administer(server, 'CREATE DATABASE images')
const database = await openPostgres(server.address('images'))
after(() => database.close())

const NAMESPACES = 30
const namespaces = Array.from({ length: NAMESPACES }, (_, n) => `namespace ${n}`)
const textsOf = (namespace: string) => Array.from({ length: 20 }, (_, n) => `text ${n} of ${namespace}`)

const newFolder = (t: TestContext) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-images-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function fill(stores: ChunkStores): Promise<void> {
  for (const namespace of namespaces) {
    const chunks = textsOf(namespace).map((text, n) => ({
      ...{ source: 's', text, metadata: { n }, vector: hashVector(text) },
    }))
    await publishChunks(stores.open(namespace), 'e', chunks)
  }
}

/** Searches a namespace by vector, also with a filter, and checks what is found. */
async function search(stores: ChunkStores, namespace: string): Promise<void> {
  const text = `text 7 of ${namespace}`
  const request = { vector: hashVector(text), limit: 1 }
  const filter = parseFilter({ n: { $gt: 7 } })
  const store = stores.open(namespace)
  const [[best], [filtered]] = [await store.search(request), await store.search({ ...request, filter })]
  assert.equal(best?.pageContent, text)
  assert.ok(Number(filtered?.metadata.n) > 7)
}

/** The bytes of one image of these namespaces. */
async function bytesOfOne(t: TestContext): Promise<number> {
  const stores = builtInStores(temporaryDatabase(t))
  t.after(() => stores.close())
  await publishChunks(
    stores.open('one'),
    'e',
    textsOf('one').map((text) => ({ source: 's', text, metadata: {}, vector: hashVector(text) })),
  )
  await stores.open('one').search({ vector: hashVector('x'), limit: 1 })
  return stores.memory().bytes
}

const KINDS: Record<string, (t: TestContext, options: ImagesOptions) => Promise<ChunkStores>> = {
  'an embedded database': async (t, options) => {
    const own = temporaryDatabase(t)
    await fill(builtInStores(own))
    return builtInStores(own, Date.now, options)
  },
  'a node over PostgreSQL': async (t, options) => {
    const writer = replicaStores(database, newFolder(t))
    t.after(() => writer.close())
    if ((await writer.contents()).size === 0) await fill(writer)
    return replicaStores(database, newFolder(t), Date.now, options)
  },
}

for (const [kind, open] of Object.entries(KINDS)) {
  test(`all namespaces of ${kind} are searched where only three fit into IMAGE_MEMORY, and no more stay in memory [search:image-memory]`, async (t) => {
    const memoryBytes = 3.5 * (await bytesOfOne(t))
    const stores = await open(t, { memoryBytes })
    t.after(() => stores.close())
    for (let round = 0; round < 2; round++)
      for (const namespace of namespaces) {
        await search(stores, namespace)
        const { images, bytes } = stores.memory()
        assert.ok(images >= 1 && images <= 3 && bytes <= memoryBytes, `${images} images, ${bytes} bytes`)
      }
    assert.equal(stores.memory().evictions, 2 * NAMESPACES - 3)
    // Searches at the same time keep their own images, and what is found is right.
    await Promise.all([...namespaces, ...namespaces].map((namespace) => search(stores, namespace)))
    assert.ok(stores.memory().bytes <= memoryBytes)
    const [last] = namespaces.slice(-1)
    const { evictions } = stores.memory()
    await search(stores, last!)
    await search(stores, last!)
    assert.ok(stores.memory().evictions - evictions <= 1, 'what was used last stays')
  })

  test(`no image of ${kind} goes without a limit, and one that is larger than it is searched [search:image-memory]`, async (t) => {
    const free = await open(t, {})
    t.after(() => free.close())
    for (const namespace of namespaces) await search(free, namespace)
    assert.deepEqual([free.memory().images, free.memory().evictions], [NAMESPACES, 0])
    const tiny = await open(t, { memoryBytes: 1 })
    t.after(() => tiny.close())
    for (const namespace of namespaces.slice(0, 3)) await search(tiny, namespace)
    assert.equal(tiny.memory().images, 0)
  })
}

test('an image that leaves the memory before its file is written gets the file first, for its next load [search:image-memory]', async (t) => {
  const own = temporaryDatabase(t)
  await fill(builtInStores(own))
  // No file is written by itself during the test.
  const saving = { ...SAVING_RULES, leastBytes: 0, delayMs: 3_600_000 }
  const stores = builtInStores(own, Date.now, { memoryBytes: await bytesOfOne(t), saving })
  t.after(() => stores.close())
  const folder = path.join(path.dirname(own.file), 'vector-images')
  const filesIn = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.vectors')) : []
  for (const namespace of namespaces.slice(0, 3)) await search(stores, namespace)
  await until(() => filesIn().length === 2)
  await until(() => stores.memory().images === 1)
  const before = filesIn()
  await search(stores, namespaces[0]!)
  assert.ok(
    before.every((name) => filesIn().includes(name)),
    'a file that cannot be used would be deleted',
  )
})

test('a member over PostgreSQL deletes the replica of a namespace that another member has removed [search:image-memory]', async (t) => {
  const [folder, other] = [newFolder(t), replicaStores(database, newFolder(t))]
  const stores = replicaStores(database, folder)
  t.after(() => Promise.all([stores.close(), other.close()]))
  const vector = hashVector('x')
  for (const namespace of ['kept', 'removed'])
    await publishChunks(other.open(namespace), 'e', [{ source: 's', text: namespace, metadata: {}, vector }])
  for (const namespace of ['kept', 'removed'])
    assert.equal((await stores.open(namespace).search({ vector, limit: 1 })).length, 1)
  await other.open('removed').drop()
  await stores.sweepRemoved()
  const replica = new Connection(path.join(folder, 'sluice.db'), { readOnly: true })
  t.after(() => replica.close())
  const texts = replica.all<{ content: string }>('SELECT content FROM passages').map(({ content }) => content)
  assert.deepEqual(texts, ['kept'])
  assert.equal(stores.memory().images, 1)
})

test('collectGarbage() gives the memory of evicted images back, also of those that threads have searched [search:image-memory]', async () => {
  const threads = new ScanThreads()
  const vector = new Float32Array(1024).fill(1)
  const imageOf = (rows: number) => {
    const image = new VectorImage({ dimensions: vector.length, threads, threadedFrom: 1 })
    for (let id = 0; id < rows; id++) image.add(id, vector)
    return image
  }
  const images = new ResidentImages<HeldImage>({
    limit: 1,
    keep: () => undefined,
    gone: () => collectGarbage(),
  })
  const use = async (indexId: number) => {
    const image = imageOf(16 * 1024)
    using lent = images.lend(
      indexId,
      () => ({ image, heldBytes: image.bytes, close: () => image.close() }),
      () => 0,
    )
    assert.equal((await lent.image.image.searchAside(vector, { k: 1 }))!.length, 1)
    return image.bytes
  }
  const bytes = await use(0)
  const before = process.memoryUsage.rss()
  const rounds = 24
  for (let indexId = 1; indexId <= rounds; indexId++) await use(indexId)
  // Threads free theirs a moment later.
  await until(() => process.memoryUsage.rss() - before < (rounds / 3) * bytes)
  assert.equal(images.memory.evictions, rounds + 1)
})

type HeldImage = { image: VectorImage; heldBytes: number; close(): void }
