import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineSource } from '../contract/engine-source.ts'
import type { SeparateEngine } from '../contract/vector-engine.ts'
import { fingerprint } from '../kit/hash.ts'
import { hashVector } from '../../test/support/hash-embedder.ts'
import { scanEngine } from '../../test/support/scan-engine.ts'
import { temporaryData } from '../../test/support/store.ts'
import { settingStore } from '../db/repositories/settings.ts'
import { sqliteLedger } from '../db/sqlite/ledger.ts'
import { builtInEngine } from './built-in/engine.ts'
import { builtInStores } from './built-in.ts'
import { ledgerStores } from './separate-engines.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import { removedOf } from './removed-points.ts'

const NOTHING = { removedChunkIds: [], files: [], updatedSources: [], invalidatedFiles: [] }

async function load(store: ChunkStore, texts: readonly string[]): Promise<void> {
  const run = await store.open('e')
  const chunks = texts.map((text) => ({
    source: 's',
    text,
    hash: fingerprint(text),
    metadata: '{}',
    metadataHash: fingerprint('{}'),
  }))
  const vectors = texts.map((text) => hashVector(text))
  const dimensions = vectors[0]!.length
  await run.stage(chunks, Float32Array.from(vectors.flatMap((vector) => [...vector])), dimensions)
  await run.publish({ ...NOTHING, stagedCount: texts.length })
  await run.sweep()
}

/** A source that counts how often its engine was made and closed. */
function countedSource(
  name: string,
  key = '',
  engine: SeparateEngine = scanEngine(':memory:', { keywords: false }),
) {
  const counts = { made: 0, closed: 0 }
  const source: EngineSource = {
    name,
    key,
    create() {
      counts.made++
      return {
        ...engine,
        async close() {
          counts.closed++
        },
      }
    },
  }
  return { source, counts, engine }
}

const found = async (store: ChunkStore, request: Parameters<ChunkStore['search']>[0]) =>
  (await store.search(request)).map(({ pageContent }) => pageContent).sort()

test('openSeparate() makes one engine for each name and key, and close() closes each', async (t) => {
  const stores = builtInStores(temporaryData(t).open())
  const [one, other] = [countedSource('scan a'), countedSource('scan a', 'other credential')]
  stores.openSeparate('x', one.source)
  stores.openSeparate('y', one.source)
  stores.openSeparate('x', other.source)
  assert.deepEqual(
    [one.counts, other.counts],
    [
      { made: 1, closed: 0 },
      { made: 1, closed: 0 },
    ],
  )
  await stores.close()
  assert.deepEqual(
    [one.counts, other.counts],
    [
      { made: 1, closed: 1 },
      { made: 1, closed: 1 },
    ],
  )
})

test('openSeparate() gives a store that finds by vector in the engine, and by words and spelling in the ledger', async (t) => {
  const stores = builtInStores(temporaryData(t).open())
  const { source } = countedSource('scan a')
  const store = stores.openSeparate('x', source)
  assert.equal(store.capabilities.keywords, true)
  assert.equal(store.capabilities.spelling, true)
  await load(store, ['the heron stands', 'the otter swims', 'nothing of that'])
  assert.deepEqual(await found(store, { vector: hashVector('the otter swims'), limit: 1 }), [
    'the otter swims',
  ])
  assert.deepEqual(await found(store, { text: 'heron', limit: 5 }), ['the heron stands'])
  assert.deepEqual(await found(store, { text: 'hreon', limit: 5, spelling: true }), ['the heron stands'])
  const both = await store.search({ text: 'heron', vector: hashVector('the otter swims'), limit: 1 })
  const scores = new Map(both.map((one) => [one.pageContent, one]))
  assert.deepEqual([...scores.keys()].sort(), ['the heron stands', 'the otter swims'])
  assert.ok(scores.get('the heron stands')!.keywordScore! > 0)
  assert.notEqual(
    scores.get('the heron stands')!.vectorScore,
    null,
    'words alone found it; its vector is compared too',
  )
  assert.equal(scores.get('the otter swims')!.keywordScore, null)
})

test('openSeparate() keeps the points of two ledgers apart in one engine', async (t) => {
  const { source, engine } = countedSource('scan a')
  const [one, other] = [builtInStores(temporaryData(t).open()), builtInStores(temporaryData(t).open())]
  await load(one.openSeparate('x', source), ['of the first'])
  await load(other.openSeparate('x', { ...source, create: () => engine }), ['of the second'])
  await other.openSeparate('x', { ...source, create: () => engine }).drop()
  assert.deepEqual(await found(one.openSeparate('x', source), { vector: hashVector('q'), limit: 9 }), [
    'of the first',
  ])
})

test('openSeparate() refuses a namespace that is in another engine', async (t) => {
  const stores = builtInStores(temporaryData(t).open())
  await load(stores.openSeparate('x', countedSource('scan a').source), ['text'])
  const other = stores.openSeparate('x', countedSource('scan b').source)
  await assert.rejects(other.search({ text: 't', limit: 1 }), {
    message: 'The index x is in the vector engine scan a and the flow now uses scan b',
  })
  await assert.rejects(stores.open('x').open('e'), { code: 'engine_changed' })
})

test('find() gives the store of the engine that has a namespace; where it is not connected, chunks are removed without it', async (t) => {
  const data = temporaryData(t)
  const stores = builtInStores(data.open())
  const { source, engine } = countedSource('scan a')
  await load(stores.openSeparate('x', source), ['one text'])
  await load(stores.open('own'), ['own text'])
  assert.deepEqual(await found(await stores.find('x'), { vector: hashVector('q'), limit: 9 }), ['one text'])
  assert.deepEqual(await found(await stores.find('own'), { vector: hashVector('q'), limit: 9 }), ['own text'])

  const later = builtInStores(data.open())
  const unconnected = await later.find('x')
  await assert.rejects(unconnected.search({ vector: hashVector('q'), limit: 1 }), {
    code: 'engine_not_connected',
  })
  assert.equal(await unconnected.remove({ source: 's' }), 1)
  const reopened = later.openSeparate('x', { ...source, create: () => engine })
  assert.deepEqual(await found(reopened, { vector: hashVector('q'), limit: 9 }), [])
  await load(reopened, ['another text'])
  assert.deepEqual(await found(reopened, { vector: hashVector('q'), limit: 9 }), ['another text'])
})

test('find() gives the store of the credential that was opened last', async (t) => {
  const stores = builtInStores(temporaryData(t).open())
  const used: string[] = []
  const sourceOf = (key: string) => {
    const engine = scanEngine(':memory:', { keywords: false })
    const noted: SeparateEngine = {
      ...engine,
      search(collection, request) {
        used.push(key)
        return engine.search(collection, request)
      },
    }
    return { name: 'scan a', key, create: () => noted }
  }
  const [one, other] = [sourceOf('one'), sourceOf('other')]
  await load(stores.openSeparate('x', one), ['text'])
  for (const source of [other, one]) {
    stores.openSeparate('x', source)
    const store = await stores.find('x')
    await store.search({ vector: hashVector('q'), limit: 1 })
  }
  assert.deepEqual(used, ['other', 'one'])
})

test('find() gives a store that can do nothing where the engine is not connected', async (t) => {
  const data = temporaryData(t)
  await load(builtInStores(data.open()).openSeparate('x', countedSource('scan a').source), ['text'])
  const { capabilities } = await builtInStores(data.open()).find('x')
  assert.ok(!Object.values(capabilities).includes(true), JSON.stringify(capabilities))
})

test('sweepRemoved() drops the points of removed namespaces from all engines that are connected', async (t) => {
  const stores = builtInStores(temporaryData(t).open())
  const dropped: string[] = []
  const engine = scanEngine(':memory:', { keywords: false })
  const counting: SeparateEngine = {
    ...engine,
    async drop(collection) {
      dropped.push(collection)
      await engine.drop(collection)
    },
  }
  const store = stores.openSeparate('x', countedSource('scan a', '', counting).source)
  await load(store, ['one text'])
  await store.drop()
  await stores.sweepRemoved()
  assert.deepEqual(
    dropped.map((one) => one.endsWith(removedOf(''))),
    [false],
    'there never was one beside it',
  )
  dropped.length = 0
  await load(store, ['one text'])
  await store.remove({ source: 's', restorableUntil: Date.now() + 60_000 })
  await store.drop()
  await stores.sweepRemoved()
  // The collection, and the one beside it.
  assert.deepEqual(dropped.map((one) => one.endsWith(removedOf(''))).sort(), [false, true])
  assert.equal(new Set(dropped).size, 2)
})

test('sweepRemoved() deletes removed namespaces of all engines, also where one fails, and then fails', async (t) => {
  const database = temporaryData(t).open()
  const stores = builtInStores(database)
  const [failing, working] = [
    scanEngine(':memory:', { keywords: false }),
    scanEngine(':memory:', { keywords: false }),
  ]
  const away: SeparateEngine = {
    ...failing,
    async drop() {
      throw new Error('the engine is away')
    },
  }
  await load(stores.openSeparate('x', countedSource('scan a', '', away).source), ['text'])
  await load(stores.openSeparate('y', countedSource('scan b', '', working).source), ['text'])
  await load(stores.open('own'), ['text'])
  const ledger = sqliteLedger(database)
  for (const namespace of ['x', 'y', 'own']) await ledger.remove(namespace)
  await assert.rejects(stores.sweepRemoved(), { message: 'the engine is away' })
  const left = database.reader.all<{ engine: string }>('SELECT engine FROM indexes')
  assert.deepEqual(
    left.map(({ engine }) => engine),
    ['scan a'],
  )
})

test('close() closes the engine in the database too', async (t) => {
  const database = temporaryData(t).open()
  const engine = builtInEngine(database)
  const close = t.mock.method(engine, 'close')
  const stores = ledgerStores({
    ledger: sqliteLedger(database),
    engine,
    settings: settingStore(database.sql),
  })
  await stores.close()
  assert.equal(close.mock.callCount(), 1)
})
