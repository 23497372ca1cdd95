import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import type { Ledger } from '../../src/contract/ledger.ts'
import type { SeparateEngine } from '../../src/contract/vector-engine.ts'
import { abandonOpenRuns } from '../../src/db/ledger/indexes.ts'
import type { Database } from '../../src/db/sqlite/database.ts'
import { sqliteLedger } from '../../src/db/sqlite/ledger.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createKeyedQueue } from '../../src/kit/keyed-queue.ts'
import { createRetriever } from '../../src/retrieve/run.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { chunkStores } from '../../src/stores/chunk-stores.ts'
import { removedOf } from '../../src/stores/removed-points.ts'
import { createUpsertEngine } from '../../src/upsert/engine.ts'
import { collect } from '../support/collect.ts'
import { hashEmbedder, hashVector } from '../support/hash-embedder.ts'
import { memoryLoader } from '../support/memory-loader.ts'
import { scanEngine } from '../support/scan-engine.ts'
import { temporaryData } from '../support/store.ts'

/** The content of each file, a page a chunk; other tests begin from the first version. */
const FIRST = {
  'a.txt': ['the heron stands', 'the otter swims', 'shared words'],
  'b.txt': ['shared words', 'b alone'],
}
const SECOND = {
  'a.txt': ['the heron flies', 'shared words'],
  'b.txt': ['shared words', 'b alone', 'b more'],
}

/** Where something fails: before or after an operation takes effect. */
type Failure = { when: 'before' | 'after'; what: 'upsert' | 'stage' | 'publish' | 'delete' }

class Broken extends SluiceError {
  constructor(reason: string) {
    super('engine_failed', { engine: 'scan', reason })
  }
}

/** A data directory with a ledger, and beside it the file of a separate engine. */
class Place {
  readonly #t: TestContext
  readonly #embedder = hashEmbedder()
  readonly #file: string
  readonly #data: ReturnType<typeof temporaryData>
  #failure: Failure | undefined
  /** How often the engine was repaired since the start. */
  repairs = 0
  #database!: Database
  #ledger!: Ledger
  engine!: SeparateEngine & { close(): void }
  store!: ChunkStore

  constructor(t: TestContext) {
    this.#t = t
    this.#data = temporaryData(t)
    this.#file = path.join(this.#data.directory, 'engine.db')
  }

  /** Starts, or starts again, as the platform does. */
  async start(): Promise<void> {
    if (this.#database) {
      await this.#database.close()
      this.engine.close()
    }
    this.#failure = undefined
    this.repairs = 0
    this.#database = this.#data.open('ledger')
    await this.#database.sql.write(abandonOpenRuns, undefined)
    this.#ledger = sqliteLedger(this.#database)
    this.engine = scanEngine(this.#file)
    this.#t.after(() => rmSync(this.#file, { force: true }))
    const stores = chunkStores({ ledger: this.#failing(this.#ledger), engine: this.#failingEngine() })
    await stores.sweepRemoved()
    this.store = stores.open('ours')
  }

  fail(failure: Failure): void {
    this.#failure = failure
  }

  mend(): void {
    this.#failure = undefined
  }

  async #at(what: Failure['what'], work: () => Promise<void>): Promise<void> {
    const failure = this.#failure?.what === what ? this.#failure : undefined
    if (failure?.when === 'before') throw new Broken(what)
    await work()
    if (failure) throw new Broken(what)
  }

  #failingEngine(): SeparateEngine {
    const { engine } = this
    return {
      ...engine,
      upsert: (...all) => this.#at('upsert', () => engine.upsert(...all)),
      delete: (...all) => this.#at('delete', () => engine.delete(...all)),
      ids: (collection) => {
        // Only a repair lists them. The collection beside it is repaired with it.
        if (!collection.endsWith(removedOf(''))) this.repairs++
        return engine.ids(collection)
      },
    }
  }

  #failing(ledger: Ledger): Ledger {
    return {
      ...ledger,
      open: async (request) => {
        const run = await ledger.open(request)
        return {
          ...run,
          stage: (...all) => this.#at('stage', () => run.stage(...all)),
          publish: (...all) => this.#at('publish', () => run.publish(...all)),
        }
      },
    }
  }

  async load(files: Record<string, string[]>): Promise<void> {
    const upserts = createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog })
    const loader = memoryLoader()
    const uploads = Object.entries(files).map(([name, pages]) => loader.upload(name, pages))
    try {
      await upserts.upsert(
        {
          part: {
            store: this.store,
            embedder: this.#embedder,
            loaders: [loader],
            recordManager: { cleanup: 'incremental', sourceIdKey: 'source' },
            retrieval: { topK: 4, searchType: 'similarity' },
          },
          uploads,
          options: {
            strict: true,
            dryRun: false,
            confirmFullCleanup: false,
            returnSourceDocuments: false,
            addMetadata: {},
          },
          warnings: [],
        },
        new AbortController().signal,
      )
    } finally {
      await upserts.idle()
    }
  }

  /** What readers find by vector, by keyword and in the list, each as `source: text`. */
  async seen() {
    const tell = (chunks: { metadata: { source?: unknown }; pageContent: string }[]) =>
      chunks.map(({ metadata, pageContent }) => `${metadata.source}: ${pageContent}`).sort()
    return {
      byVector: tell(await this.store.search({ vector: hashVector('q'), limit: 100 })),
      byKeyword: tell(await this.store.search({ text: 'heron', limit: 100 })),
      listed: tell((await this.store.chunks({ offset: 0, limit: 100 })).rows),
    }
  }

  /** Ids in the engine, and those that the ledger has chunks for, visible or not. */
  async points(): Promise<{ inEngine: string[]; inLedger: string[] }> {
    const { collection } = (await this.#ledger.find('ours'))!
    const found = await this.engine.search(collection, {
      vector: hashVector('q'),
      metric: 'cosine',
      limit: 1000,
    })
    const ids = (await collect(this.#ledger.points(collection))).flat()
    return { inEngine: found.map(({ id }) => id).sort(), inLedger: [...new Set(ids)].sort() }
  }
}

const contentOf = (files: Record<string, string[]>) => {
  const all = Object.entries(files).flatMap(([name, pages]) => pages.map((text) => `${name}: ${text}`))
  return {
    byVector: all.toSorted(),
    byKeyword: all.filter((one) => one.includes('heron')),
    listed: all.toSorted(),
  }
}

async function assertClean(place: Place): Promise<void> {
  const { inEngine, inLedger } = await place.points()
  assert.deepEqual(inEngine, inLedger)
}

test('a store over a separate engine shows each published version, and keeps no point of an earlier one', async (t) => {
  const place = new Place(t)
  await place.start()
  await place.load(FIRST)
  assert.deepEqual(await place.seen(), contentOf(FIRST))
  await place.load(SECOND)
  assert.deepEqual(await place.seen(), contentOf(SECOND))
  assert.equal((await place.points()).inEngine.length, 5)
  await assertClean(place)
  assert.equal(place.repairs, 1, 'once since the start')
  assert.equal(await place.store.remove({ source: 'a.txt' }), 2)
  assert.deepEqual(await place.seen(), contentOf({ 'b.txt': SECOND['b.txt'] }))
  await assertClean(place)
  await place.start()
  assert.deepEqual(await place.seen(), contentOf({ 'b.txt': SECOND['b.txt'] }))
})

for (const what of ['upsert', 'stage', 'publish', 'delete'] as const)
  for (const when of ['before', 'after'] as const)
    test(`a store over a separate engine shows one whole version where ${what} fails ${when} it takes effect, and is clean after the next run`, async (t) => {
      const place = new Place(t)
      await place.start()
      await place.load(FIRST)
      place.fail({ when, what })
      // The sweep comes after the answer: where it fails, the run has succeeded.
      if (what === 'delete') await place.load(SECOND)
      else await assert.rejects(place.load(SECOND), Broken)
      const isPublished = what === 'delete' || (what === 'publish' && when === 'after')
      const expected = contentOf(isPublished ? SECOND : FIRST)
      assert.deepEqual(await place.seen(), expected)
      await place.start()
      assert.deepEqual(await place.seen(), expected)
      await place.load(SECOND)
      assert.deepEqual(await place.seen(), contentOf(SECOND))
      await assertClean(place)
    })

test('a store over a separate engine repairs it after a failed delete, without a restart', async (t) => {
  const place = new Place(t)
  await place.start()
  await place.load(FIRST)
  place.fail({ when: 'before', what: 'delete' })
  await place.load(SECOND)
  assert.equal((await place.points()).inEngine.length, 7)
  place.fail({ when: 'before', what: 'stage' })
  await assert.rejects(place.load(FIRST), Broken)
  place.fail({ when: 'before', what: 'upsert' })
  await place.load(SECOND)
  await assertClean(place)
})

test('remove() of documents that can be restored succeeds while a separate engine is away; the next sweep moves their points [engines:removed]', async (t) => {
  const place = new Place(t)
  await place.start()
  await place.load(FIRST)
  await place.store.sweep(() => true)
  place.fail({ when: 'before', what: 'upsert' })
  assert.equal(await place.store.remove({ sources: ['a.txt'], restorableUntil: 4e12 }), 3)
  assert.deepEqual((await place.seen()).listed, contentOf({ 'b.txt': FIRST['b.txt'] }).listed)
  assert.equal((await place.points()).inEngine.length, 5)
  place.mend()
  await place.store.sweep(() => true)
  assert.equal((await place.points()).inEngine.length, 2)
  assert.equal((await place.store.restore(['a.txt'], 1)).chunks, 3)
  assert.deepEqual((await place.seen()).listed, contentOf(FIRST).listed)
})

test('a store over a separate engine refuses to stage texts whose vectors the engine has lost', async (t) => {
  const place = new Place(t)
  await place.start()
  await place.load(FIRST)
  const { inEngine } = await place.points()
  await place.engine.delete('1', inEngine)
  await assert.rejects(place.load({ 'c.txt': ['shared words'] }), { code: 'vectors_missing' })
  assert.deepEqual((await place.seen()).listed, contentOf(FIRST).listed)
})

test('drop() of a store over a separate engine removes the points of its namespace', async (t) => {
  const place = new Place(t)
  await place.start()
  await place.load(FIRST)
  assert.ok((await place.points()).inEngine.length > 0)
  await place.store.drop()
  assert.deepEqual(await place.seen(), contentOf({}))
  const request = { vector: hashVector('q'), metric: 'cosine', limit: 9 } as const
  assert.deepEqual(await place.engine.search('1', request), [])
})

test('retrieve() over a separate engine gives the order that the built-in one gives', async (t) => {
  const place = new Place(t)
  await place.start()
  const builtIn = builtInStores(temporaryData(t).open()).open('ours')
  const separate = place.store
  const embedder = hashEmbedder()
  const retriever = createRetriever()
  const texts = Array.from({ length: 40 }, (_, n) => `word ${n}`)
  const found: string[][] = []
  for (const store of [builtIn, separate]) {
    place.store = store
    await place.load({ 'a.txt': texts })
    const part = { store, embedder, loaders: [], retrieval: { topK: 6, searchType: 'similarity' as const } }
    for (const mode of ['vector', 'hybrid'] as const)
      for (const minScore of [undefined, 0.1]) {
        const [hits] = await retriever.retrieve(part, ['word 7'], {
          mode,
          // Keyword scores of two engines are of two scales.
          weight: 1,
          ...(minScore === undefined ? {} : { minScore }),
        })
        found.push(hits!.map(({ pageContent, score }) => `${pageContent} ${score.toFixed(5)}`))
      }
  }
  assert.equal(found[0]!.length, 6)
  assert.deepEqual(found.slice(4), found.slice(0, 4))
})

test('retrieve() answers by vector alone where the engine has no keywords, and refuses the keyword mode', async (t) => {
  const { ledger } = { ledger: sqliteLedger(temporaryData(t).open()) }
  const place = new Place(t)
  await place.start()
  place.store = chunkStores({ ledger, engine: scanEngine(':memory:', { keywords: false }) }).open('ours')
  await place.load(FIRST)
  const part = {
    store: place.store,
    embedder: hashEmbedder(),
    loaders: [],
    retrieval: { topK: 1, searchType: 'similarity' as const },
  }
  const retriever = createRetriever()
  const [hits] = await retriever.retrieve(part, ['b alone'])
  assert.deepEqual(
    hits!.map(({ pageContent, scores }) => [pageContent, scores.keyword]),
    [['b alone', null]],
  )
  await assert.rejects(retriever.retrieve(part, ['heron'], { mode: 'keyword' }), { code: 'query_invalid' })
})
