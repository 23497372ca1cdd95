import assert from 'node:assert/strict'
import { before, test, type TestContext } from 'node:test'
import { publishChunks } from '../../../test/support/publish-chunks.ts'
import { randomBelow } from '../../../test/support/random.ts'
import { sharedStores } from '../../../test/support/store.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Ranking } from '../../contract/retrieval.ts'
import type { SearchRequest } from '../../contract/search.ts'
import { fingerprint } from '../../kit/hash.ts'
import { parseFilter } from '../../vector/filter.ts'
import { rankCandidates } from '../../vector/fusion.ts'

const { database, stores, newNamespace } = sharedStores()
const below = randomBelow(14)
const DIMENSIONS = 64
const CHUNKS = 2000
/** Every fourth chunk is removed again: the keyword index still has it. */
const REMOVED = 4

/** The vectors are around these; some vectors are there several times. */
const centres = Array.from({ length: 8 }, () => randomVector())
function randomVector(around?: Float32Array): Float32Array {
  return Float32Array.from(
    { length: DIMENSIONS },
    (_, at) => (around?.[at] ?? 0) + (below(2001) - 1000) / (around ? 3000 : 1000),
  )
}
const randomText = (words: number): string =>
  Array.from({ length: words }, () => `word${Math.floor(below(40) * (below(40) / 40))}`).join(' ')

let store: ChunkStore
before(async () => {
  store = stores.open(newNamespace())
  const vectors = Array.from({ length: CHUNKS }, (_, at) => randomVector(centres[at % centres.length]))
  for (let at = 1; at < CHUNKS; at += 10) vectors[at] = vectors[at - 1]!
  const chunks = vectors.map((vector, at) => ({
    source: `${at % REMOVED === 0 ? 'removed' : 'kept'}.txt`,
    text: `${randomText(5 + below(20))} number${at}`,
    metadata: { even: at % 2 === 0 },
    vector,
  }))
  await publishChunks(store, 'any', chunks)
  await store.remove({ source: 'removed.txt' })
})

const HYBRID = { mode: 'hybrid', fusion: 'convex', weight: 0.4 } as const
const questions = Array.from({ length: 20 }, () => ({
  vector: randomVector(centres[below(8)]),
  text: randomText(4),
}))

const byFingerprint = <Text extends { pageContent: string }>(found: Text[]): Text[] =>
  found.toSorted((one, other) => (fingerprint(one.pageContent) < fingerprint(other.pageContent) ? -1 : 1))

/** The ids and scores of a ranking in the store, which may use codes; and of one of all exact scores, which keeps the order of equal ones. */
async function bothRankings(request: SearchRequest, ranking: Ranking) {
  const viewOf = ({ ranked }: { ranked: ReturnType<typeof rankCandidates> }) =>
    ranked.map(({ candidate, score }) => ({ ...candidate, score }))
  return {
    ranked: viewOf(await store.searchRanked!(request, ranking)),
    exact: viewOf({ ranked: rankCandidates(byFingerprint(await store.search(request)), ranking) }),
  }
}

for (const [name, more, ranking] of [
  ['twenty of a hundred', {}, { ...HYBRID, limit: 20 }],
  ['one', {}, { ...HYBRID, limit: 1 }],
  ['all of a hundred', {}, { ...HYBRID, limit: 100 }],
  ['those of the keywords alone', {}, { ...HYBRID, weight: 0, limit: 20 }],
  ['those of the vectors alone', {}, { ...HYBRID, weight: 1, limit: 20 }],
  ['those that a filter allows', { filter: parseFilter({ even: false }) }, { ...HYBRID, limit: 20 }],
  ['those of a least score', {}, { ...HYBRID, minScore: 0.9, limit: 20 }],
  ['those of combined ranks', {}, { ...HYBRID, fusion: 'rrf', limit: 20 }],
  ['those of another metric', { metric: 'dot' }, { ...HYBRID, limit: 20 }],
] satisfies [string, Partial<SearchRequest>, Ranking][])
  test(`scoreSides() ranks as the vectors themselves do: ${name}`, async () => {
    for (const question of questions) {
      const { ranked, exact } = await bothRankings({ ...question, limit: 100, ...more }, ranking)
      assert.ok(ranked.length > 0)
      assert.deepEqual(ranked, exact)
    }
  })

/** How many vectors the searches of a test read from the database. */
function countVectors(t: TestContext): () => number {
  const all = t.mock.method(database.reader, 'all')
  return () =>
    all.mock.calls
      .filter(({ arguments: [sql] }) => sql.includes('JOIN vectors'))
      .reduce((sum, { result }) => sum + result!.length, 0)
}

test('scoreSides() reads the vectors of few more candidates than the ranking keeps', async (t) => {
  const vectorsRead = countVectors(t)
  for (const question of questions)
    await store.searchRanked!({ ...question, limit: 100 }, { ...HYBRID, limit: 20 })
  const mean = vectorsRead() / questions.length
  assert.ok(mean >= 20 && mean < 60, `${mean}`)
})
