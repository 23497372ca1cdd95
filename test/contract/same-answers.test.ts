import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import type { NewChunk } from '../../src/contract/ledger.ts'
import type { Ranking } from '../../src/contract/retrieval.ts'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { administer, postgresServer } from '../support/postgres.ts'
import { randomBelow } from '../support/random.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const server = await postgresServer()
await administer(server, 'CREATE DATABASE answers')
const database = await openPostgres(server.address('answers'))
after(() => database.close())

const NAMESPACE = 'same answers'
const EMBEDDER = 'hash'
const DIMENSIONS = 8
const LATER = Date.now() + 3_600_000
const WORDS = ['river', 'green', 'purple', 'word', 'forest', 'harbour']
/** Words of the texts, and words with one typing error that can mean several of them. */
const ASKED = [...WORDS, 'rivar', 'gren', 'harbuor', 'quarter', 'quarrer']
const RARE = ['quarrel', 'quarrer2', 'quarter', 'quartet']

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-answers-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A member over the database, with a replica in a folder. */
function openMember(folder: string, memoryBytes?: number) {
  const copies: number[] = []
  const stores = replicaStores(database, folder, Date.now, {
    memoryBytes,
    noteCopied: ({ chunks }) => copies.push(chunks),
  })
  return { store: stores.open(NAMESPACE), copies, close: () => stores.close() }
}

/** Texts with the same words in another order have the same vector and the same BM25. */
const vectorOf = (text: string) => hashVector(text.split(' ').toSorted().join(' '), DIMENSIONS)

const chunkOf = (source: string, text: string, group: number): NewChunk => {
  const metadata = canonicalJson({ group })
  const start = text.length % 3
  const range = start === 0 ? undefined : { start, end: start + text.length }
  return { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata), range }
}

async function stage(store: ChunkStore, chunks: readonly NewChunk[]) {
  const run = await store.open(EMBEDDER)
  const vectors = new Float32Array(chunks.length * DIMENSIONS)
  for (const [at, { text }] of chunks.entries()) vectors.set(vectorOf(text!), at * DIMENSIONS)
  // In batches of different sizes, so that segments differ.
  for (let from = 0; from < chunks.length; from += 3)
    await run.stage(
      chunks.slice(from, from + 3),
      vectors.slice(from * DIMENSIONS, (from + 3) * DIMENSIONS),
      DIMENSIONS,
    )
  return run
}

const idsOf = async (store: ChunkStore, source: string) =>
  (await collect((await store.view(EMBEDDER)).visible(source))).flat()

type Change = (store: ChunkStore) => Promise<unknown>

/** A change of the index, the same for every store that it is given. */
function changes(below: (bound: number) => number): Change {
  const source = `source ${below(6)}`
  const textOf = () => {
    const words = Array.from({ length: 2 + below(2) }, () => WORDS[below(WORDS.length)]!)
    if (below(12) === 0) words.push(RARE[below(RARE.length)]!)
    return words.join(' ')
  }
  const chunks = Array.from({ length: 1 + below(12) }, () => chunkOf(source, textOf(), below(3)))
  const [kind, sweeps, group] = [below(10), below(3) > 0, below(3)]
  const restored = `source ${below(6)}`
  if (kind === 0) return (store) => store.remove({ source, restorableUntil: LATER })
  if (kind === 1) return (store) => store.restore([source, restored], Date.now())
  if (kind === 2) return (store) => store.remove({ filter: parseFilter({ group }), source })
  if (kind === 3) return async (store) => (await stage(store, chunks)).abandon()
  return async (store) => {
    const removedChunkIds = kind > 6 ? await idsOf(store, source) : []
    const run = await stage(store, chunks)
    await run.publish({
      ...{ stagedCount: chunks.length, removedChunkIds, updatedSources: [source] },
      ...{ files: [], invalidatedFiles: [] },
    })
    if (sweeps) await run.sweep()
  }
}

const RANKINGS: Ranking[] = [
  { mode: 'hybrid', fusion: 'convex', weight: 0.4, limit: 7 },
  { mode: 'hybrid', fusion: 'rrf', weight: 0.5, limit: 7 },
  { mode: 'keyword', fusion: 'convex', weight: 0, limit: 5 },
  { mode: 'vector', fusion: 'convex', weight: 1, limit: 5 },
]

/** Everything that an answer is made of, in its order; the scores of what the ranking left out have none. */
async function answersOf(store: ChunkStore, below: (bound: number) => number) {
  const answers: unknown[] = []
  const asked = Array.from({ length: 1 + below(3) }, () => ASKED[below(ASKED.length)]!).join(' ')
  const vector = vectorOf(WORDS[below(WORDS.length)]!)
  const filter = parseFilter({ group: below(3) })
  for (const ranking of RANKINGS)
    for (const fence of [{}, { filter }]) {
      const request = {
        ...{ limit: 9, spelling: true, withHeads: 4, ...fence },
        ...(ranking.mode === 'vector' ? {} : { text: asked }),
        ...(ranking.mode === 'keyword' ? {} : { vector }),
      }
      const { ranked, found, readings, termWeights } = await store.searchRanked!(request, ranking)
      const scores = found.map((one) => [one.vectorScore, one.keywordScore, one.matched].join(' ')).toSorted()
      answers.push({ asked, ranking, ranked, scores, readings, termWeights: [...(termWeights ?? [])] })
    }
  return answers
}

for (const seed of [3, 11])
  test(`a search gives the same list with the same scores in the embedded store and in every replica, however it was made (history ${seed})`, async (t) => {
    const embedded = openDatabase(newFolder(t))
    t.after(() => embedded.close())
    const inBox = builtInStores(embedded).open(NAMESPACE)
    const [follower, small] = [openMember(newFolder(t)), openMember(newFolder(t), 1)]
    const restarted = newFolder(t)
    t.after(() => Promise.all([follower.close(), small.close()]))
    const below = randomBelow(seed)
    const copied: number[] = []
    await Promise.all([inBox, follower.store].map((store) => store.drop()))
    for (let round = 0; round < 30; round++) {
      const change = changes(below)
      for (const store of [inBox, follower.store]) await change(store)
      const questions = below(1_000_000) + 1
      const wanted = await answersOf(inBox, randomBelow(questions))
      const others = [follower, small]
      // A member that was away for some rounds, and a new one that copies the index with its history.
      if (round % 3 === 2) others.push(openMember(restarted))
      if (round % 8 === 7) others.push(openMember(newFolder(t)))
      for (const [at, { store }] of others.entries())
        assert.deepEqual(
          await answersOf(store, randomBelow(questions)),
          wanted,
          `round ${round}, replica ${at}`,
        )
      for (const { close, copies } of others.slice(2)) {
        copied.push(...copies)
        await close()
      }
    }
    assert.ok(copied.length > 3, 'replicas were copied')
  })

test('of more equal scores than a search looks at first, the first of their source are found, whatever was stored first', async (t) => {
  const embedded = openDatabase(newFolder(t))
  t.after(() => embedded.close())
  const texts = Array.from({ length: 250 }, (_, number) => `word t${number}`)
  const found: string[][] = []
  for (const [namespace, order] of Object.entries({ one: texts, other: texts.toReversed() })) {
    const store = builtInStores(embedded).open(namespace)
    const chunks = order.map((text) => chunkOf('a', text, 0))
    const run = await stage(store, chunks)
    await run.publish({
      ...{ stagedCount: chunks.length, removedChunkIds: [], updatedSources: ['a'] },
      ...{ files: [], invalidatedFiles: [] },
    })
    const { ranked } = await store.searchRanked!({ text: 'word', limit: 20 }, RANKINGS[2]!)
    found.push(ranked.map(({ candidate }) => candidate.pageContent))
  }
  const places = new Map(texts.map((text) => [text, chunkOf('a', text, 0).range?.start ?? Infinity]))
  const lowest = texts
    .toSorted((one, other) => (fingerprint(one) < fingerprint(other) ? -1 : 1))
    .toSorted((one, other) =>
      places.get(one)! < places.get(other)! ? -1 : Number(places.get(one)! > places.get(other)!),
    )
  assert.deepEqual(found, [lowest.slice(0, 5), lowest.slice(0, 5)])
})
