import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Ledger } from '../contract/ledger.ts'
import type { EngineCandidate, SeparateEngine } from '../contract/vector-engine.ts'
import { pointReads } from '../db/ledger/point-reads.ts'
import { sqliteLedger } from '../db/sqlite/ledger.ts'
import type { SqlSession } from '../db/sql/session.ts'
import { fingerprint } from '../kit/hash.ts'
import { chunkStores } from './chunk-stores.ts'
import { publishChunks } from '../../test/support/publish-chunks.ts'
import { scanEngine } from '../../test/support/scan-engine.ts'
import { temporaryDatabase } from '../../test/support/store.ts'

const CHUNKS = ['harbour wall', 'harbour crane', 'lighthouse'].map((text, at) => ({
  ...{ source: 's', text, metadata: { at }, vector: [1, at] },
}))

test('a search by vector and words is one search of the engine, and one read of its hits by one statement', async (t) => {
  const database = temporaryDatabase(t)
  const ledger = sqliteLedger(database)
  const { reader } = database.sql
  const statements: string[] = []
  const counted: SqlSession = {
    ...reader,
    dialect: reader.dialect,
    all: (sql, ...values) => {
      statements.push(sql)
      return reader.all(sql, ...values)
    },
    get: (sql, ...values) => {
      statements.push(sql)
      return reader.get(sql, ...values)
    },
  }
  const reads: string[][] = []
  const watched: Ledger = {
    ...ledger,
    read(collection, ids, audience) {
      reads.push([...ids].sort())
      return pointReads({ reader: counted }).read(collection, ids, audience)
    },
  }
  const scanned = scanEngine()
  const searches: object[] = []
  const engine: SeparateEngine = {
    ...scanned,
    search(collection, request) {
      searches.push(request)
      return scanned.search(collection, request)
    },
  }
  const stores = chunkStores({ ledger: watched, engine })
  const store = stores.open('space')
  await publishChunks(store, 'e', CHUNKS)
  const found = await store.search({ vector: Float32Array.of(1, 2), text: 'harbour', limit: 2 })
  assert.deepEqual(found.map(({ pageContent }) => pageContent).sort(), [
    ...['harbour crane', 'harbour wall', 'lighthouse'],
  ])
  assert.equal(searches.length, 1)
  assert.equal(reads.length, 1)
  assert.deepEqual(reads[0], found.map(({ id }) => id).sort())
  assert.equal(statements.length, 1)
})

/** A store with a published chunk; its engine calls `during` in each search, before and after which something may have changed. */
async function watchedStore(
  t: TestContext,
  during: (find: () => Promise<EngineCandidate[]>) => Promise<EngineCandidate[]>,
) {
  const ledger = sqliteLedger(temporaryDatabase(t))
  const scanned = scanEngine()
  let searches = 0
  const engine: SeparateEngine = {
    ...scanned,
    search(collection, request) {
      searches++
      return during(() => scanned.search(collection, request))
    },
  }
  const store = chunkStores({ ledger, engine }).open('space')
  /** Stages texts of one document, and tells their ids with a way to publish them in place of others. */
  async function staged(texts: readonly string[]) {
    const run = await store.open('e')
    const chunks = texts.map((text) => ({
      source: 's',
      text,
      hash: fingerprint(text),
      metadata: '{}',
      metadataHash: fingerprint('{}'),
    }))
    await run.stage(chunks, Float32Array.from(texts.flatMap((_, at) => [1, at])), 2)
    const ids = await run.staged('s')
    const publish = (removedChunkIds: number[]) =>
      run.publish({
        ...{
          stagedCount: texts.length,
          removedChunkIds,
          files: [],
          updatedSources: [],
          invalidatedFiles: [],
        },
      })
    return { ids, publish }
  }
  const before = await staged(['the harbour is open'])
  await before.publish([])
  const search = async () =>
    (await store.search({ vector: Float32Array.of(1, 2), limit: 4 }))
      .map(({ pageContent }) => pageContent)
      .sort()
  return { staged, before, search, searches: () => searches }
}

const CLOSED = ['it opens in June', 'the harbour is closed']

test('a search that left out a run which was published before the engine answered is done again', async (t) => {
  let publishNext: (() => Promise<void>) | undefined
  const { staged, before, search, searches } = await watchedStore(t, async (find) => {
    const publish = publishNext
    publishNext = undefined
    await publish?.()
    return find()
  })
  const next = await staged(CLOSED)
  publishNext = () => next.publish(before.ids)
  assert.deepEqual(await search(), CLOSED)
  assert.equal(searches(), 2)
})

test('a search that found one shard of a run which was opened and published since is done again', async (t) => {
  let upsertNext: (() => Promise<void>) | undefined
  const { staged, before, search, searches } = await watchedStore(t, async (find) => {
    const upsert = upsertNext
    upsertNext = undefined
    if (!upsert) return find()
    await upsert()
    // The other shard answered before.
    return (await find()).slice(0, 1)
  })
  upsertNext = async () => (await staged(CLOSED)).publish(before.ids)
  assert.deepEqual(await search(), CLOSED)
  assert.equal(searches(), 2)
  assert.deepEqual(await search(), CLOSED)
  assert.equal(searches(), 3)
})
