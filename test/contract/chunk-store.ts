import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkStore, StoreRebuild, StoreRun } from '../../src/contract/chunk-store.ts'
import type { Candidate, Ranked } from '../../src/contract/search.ts'
import type { NewChunk, Publication } from '../../src/contract/ledger.ts'
import type { Metadata } from '../../src/contract/document.ts'
import { FUSIONS, type Metric, MODES } from '../../src/contract/retrieval.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { rankCandidates } from '../../src/vector/fusion.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { fencedStoreSuite } from './fenced-store.ts'
import { namedChunksSuite } from './named-chunks.ts'
import { assertVector } from './vector-engine.ts'

/** An engine that stores can be opened in, empty for each test. */
export type StoreEngine = { open(namespace: string): ChunkStore }

const EMBEDDER = 'hash'
const DIMENSIONS = 8

const newChunk = (source: string, text: string, metadata: Metadata = {}) => {
  const canonical = canonicalJson(metadata)
  return { source, text, hash: fingerprint(text), metadata: canonical, metadataHash: fingerprint(canonical) }
}

async function stage(run: StoreRun, chunks: NewChunk[], dimensions = DIMENSIONS): Promise<void> {
  const brought = chunks.flatMap(({ text }) => (text === undefined ? [] : [hashVector(text, dimensions)]))
  const vectors = new Float32Array(brought.length * dimensions)
  for (const [i, vector] of brought.entries()) vectors.set(vector, i * dimensions)
  await run.stage(chunks, vectors, dimensions)
}

const publication = (stagedCount: number, more: Partial<Publication> = {}): Publication => ({
  stagedCount,
  removedChunkIds: [],
  files: [],
  updatedSources: [],
  invalidatedFiles: [],
  ...more,
})

/** One run from its opening to its sweep. */
async function bring(store: ChunkStore, chunks: NewChunk[], more: Partial<Publication> = {}): Promise<void> {
  const run = await store.open(EMBEDDER)
  await stage(run, chunks)
  await run.publish(publication(chunks.length, more))
  await run.sweep()
}

/** Stages the chunks of a rebuild, with vectors of four numbers; answers the texts that had none yet. */
async function restage(rebuild: StoreRebuild, atMost = Infinity): Promise<string[]> {
  const embedded: string[] = []
  for await (const batch of rebuild.chunks())
    for (const chunk of batch) {
      if (embedded.length === atMost) return embedded
      const text = await rebuild.text(chunk)
      if (text !== undefined) embedded.push(text)
      const vector = text === undefined ? new Float32Array() : hashVector(text, 4)
      await rebuild.stage([text === undefined ? chunk : { ...chunk, text }], vector, 4)
    }
  return embedded
}

const byMeaning = (store: ChunkStore, text: string, dimensions = DIMENSIONS) =>
  store.search({ vector: hashVector(text, dimensions), limit: 100 })

const textsOf = (candidates: Candidate[]) => candidates.map(({ pageContent }) => pageContent).sort()

/** What readers see by every way of looking. */
async function seen(store: ChunkStore) {
  const view = await store.view(EMBEDDER)
  const { rows, total } = await store.sources({ offset: 0, limit: 100 })
  return {
    byMeaning: textsOf(await byMeaning(store, 'whatever')),
    byKeyword: textsOf(await store.search({ text: 'word', limit: 100 })),
    sources: Object.fromEntries(rows.map(({ source, chunks }) => [source, chunks])),
    counted: [await view.count(), total],
  }
}

const NOTHING = { byMeaning: [], byKeyword: [], sources: {}, counted: [0, 0] }

const idsOf = async (store: ChunkStore, source: string) =>
  (await collect((await store.view(EMBEDDER)).visible(source))).flat()

/** What every store of chunks promises; run by each implementation. */
export function chunkStoreSuite(name: string, make: () => StoreEngine): void {
  fencedStoreSuite(name, make)
  namedChunksSuite(name, make)
  const promises = (promise: string, check: (store: ChunkStore, engine: StoreEngine) => Promise<void>) =>
    test(`${name} ${promise}`, async () => {
      const engine = make()
      await check(engine.open('ours'), engine)
    })

  promises('is empty before the first run, for every query', async (store) => {
    assert.deepEqual(await seen(store), NOTHING)
    assert.equal(await store.embedder(), undefined)
    assert.equal(await store.remove({ source: 'a' }), 0)
    const view = await store.view(EMBEDDER)
    assert.equal(view.dimensions, undefined)
    assert.deepEqual(await view.known('a', ['x']), [{ embedded: false, chunks: [] }])
    assert.equal(await view.file('a'), undefined)
    assert.deepEqual(await view.sources(), [])
  })

  promises('shows nothing of a run before its publication, and all of it at once after', async (store) => {
    const run = await store.open(EMBEDDER)
    await stage(run, [newChunk('a', 'word one'), newChunk('b', 'word two')])
    assert.deepEqual(await seen(store), NOTHING)
    await run.publish(publication(2))
    const after = {
      byMeaning: ['word one', 'word two'],
      byKeyword: ['word one', 'word two'],
      sources: { a: 1, b: 1 },
      counted: [2, 2],
    }
    assert.deepEqual(await seen(store), after)
    await run.sweep()
    assert.deepEqual(await seen(store), after)
    assert.equal(await store.embedder(), EMBEDDER)
    assert.equal((await store.view(EMBEDDER)).dimensions, DIMENSIONS)
  })

  promises('replaces removed chunks by staged ones in one moment', async (store) => {
    await bring(store, [newChunk('a', 'word old'), newChunk('a', 'word stays')])
    const before = await seen(store)
    const removedChunkIds = (await idsOf(store, 'a')).slice(0, 1)
    const run = await store.open(EMBEDDER)
    await stage(run, [newChunk('a', 'word new')])
    assert.deepEqual(await seen(store), before)
    await run.publish(publication(1, { removedChunkIds }))
    assert.deepEqual((await seen(store)).byMeaning, ['word new', 'word stays'])
    await run.sweep()
    assert.deepEqual((await seen(store)).byKeyword, ['word new', 'word stays'])
    assert.deepEqual((await seen(store)).counted, [2, 1])
  })

  promises(
    'never shows an abandoned run; its vectors serve a retry until a later run is swept',
    async (store) => {
      const run = await store.open(EMBEDDER)
      await stage(run, [newChunk('a', 'word lost')])
      await run.abandon()
      assert.deepEqual(await seen(store), NOTHING)
      const hash = fingerprint('word lost')
      assert.deepEqual(await (await store.view(EMBEDDER)).known('a', [hash]), [
        { embedded: true, chunks: [] },
      ])
      await bring(store, [newChunk('b', 'word kept')])
      assert.deepEqual((await seen(store)).byMeaning, ['word kept'])
      assert.deepEqual(await (await store.view(EMBEDDER)).known('a', [hash]), [
        { embedded: false, chunks: [] },
      ])
    },
  )

  promises(
    'keeps an abandoned run hidden when another namespace was swept meanwhile',
    async (store, engine) => {
      const other = engine.open('theirs')
      await bring(other, [newChunk('x', 'word a'), newChunk('x', 'word b'), newChunk('x', 'word c')])
      const run = await store.open(EMBEDDER)
      await other.remove({ source: 'x' })
      await stage(run, [newChunk('a', 'word lost')])
      await run.abandon()
      await bring(store, [newChunk('b', 'word kept')])
      assert.deepEqual((await seen(store)).byMeaning, ['word kept'])
    },
  )

  promises('finds what a run brought while another namespace was swept', async (store, engine) => {
    const other = engine.open('theirs')
    await bring(store, [newChunk('a', 'word first')])
    assert.deepEqual((await seen(store)).byMeaning, ['word first'])
    await bring(other, [newChunk('x', 'word a'), newChunk('x', 'word b'), newChunk('x', 'word c')])
    const run = await store.open(EMBEDDER)
    await other.remove({ source: 'x' })
    await stage(run, [newChunk('a', 'word second')])
    await run.publish(publication(1))
    await run.sweep()
    assert.deepEqual((await seen(store)).byMeaning, ['word first', 'word second'])
  })

  promises('takes a text that it holds already without its vector', async (store) => {
    await bring(store, [newChunk('a', 'word shared')])
    const { text: _, ...known } = newChunk('b', 'word shared', { page: 2 })
    await bring(store, [known])
    const found = await byMeaning(store, 'word shared')
    assert.deepEqual(
      found.map(({ metadata, vectorScore }) => [metadata, Math.round(vectorScore! * 1e6) / 1e6]),
      [
        [{}, 1],
        [{ page: 2 }, 1],
      ],
    )
  })

  promises('keeps a shared text for the source that still has it', async (store) => {
    await bring(store, [newChunk('a', 'word shared'), newChunk('b', 'word shared')])
    assert.equal(await store.remove({ source: 'a' }), 1)
    assert.deepEqual((await seen(store)).byKeyword, ['word shared'])
    assert.deepEqual((await seen(store)).sources, { b: 1 })
  })

  promises(
    'known() returns what the source holds of a text, and what this run staged of it',
    async (store) => {
      const page = (n: number) => newChunk('a', 'word', { page: n })
      await bring(store, [page(1), newChunk('b', 'word', { page: 9 })])
      const run = await store.open(EMBEDDER)
      await stage(run, [page(2), newChunk('a', 'word new')])
      const hashes = ['word', 'word new', 'unheard of'].map(fingerprint)
      const strip = (known: Awaited<ReturnType<StoreRun['known']>>) =>
        known.map(({ embedded, chunks }) => [
          embedded,
          ...chunks.map((chunk) => [chunk.metadataHash, chunk.fresh]),
        ])
      assert.deepEqual(strip(await run.known('a', hashes)), [
        [true, [page(1).metadataHash, false], [page(2).metadataHash, true]],
        [true, [newChunk('a', '').metadataHash, true]],
        [false],
      ])
      assert.equal((await run.staged('a')).length, 2)
      assert.deepEqual(await run.staged('b'), [])
      const view = await store.view(EMBEDDER)
      assert.deepEqual(strip(await view.known('a', hashes.slice(0, 1))), [
        [true, [page(1).metadataHash, false]],
      ])
      await run.abandon()
    },
  )

  promises('visible() and sources() give what readers see, source by source', async (store) => {
    const chunks = Array.from({ length: 300 }, (_, n) => newChunk(`s${n % 3}`, `word ${n}`))
    await bring(store, chunks)
    const view = await store.view(EMBEDDER)
    assert.deepEqual((await view.sources()).sort(), ['s0', 's1', 's2'])
    const ids = await idsOf(store, 's1')
    assert.equal(new Set(ids).size, 100)
    assert.deepEqual(await idsOf(store, 'unheard of'), [])
  })

  promises('remembers files until they are forgotten', async (store) => {
    const files = [
      { name: 'a', fingerprint: 'f1', chunks: 1 },
      { name: 'b', fingerprint: 'f2', chunks: 2 },
    ]
    const known = async () => {
      const view = await store.view(EMBEDDER)
      return [await view.file('a'), await view.file('b')]
    }
    await bring(store, [newChunk('a', 'word')], { files })
    const rows = files.map(({ name, ...file }) => ({
      ...{ ...file, outdated: 0, dropped: null },
      // The publication told nothing of words that are in no chunk.
      ...(name === 'a' ? { isUntraced: true } : {}),
    }))
    assert.deepEqual(
      (await known()).map((file) => ({ ...file })),
      rows,
    )
    await bring(store, [], { invalidatedFiles: ['a'], files: [{ name: 'b', fingerprint: 'f3', chunks: 3 }] })
    assert.deepEqual(
      (await known()).map((file) => file && { ...file }),
      [undefined, { fingerprint: 'f3', chunks: 3, outdated: 0, dropped: null }],
    )
    await bring(store, [], { invalidatedFiles: 'all' })
    assert.deepEqual(await known(), [undefined, undefined])
  })

  promises('lists its sources by name, a page at a time, with the time of their last run', async (store) => {
    await bring(
      store,
      ['c', 'a', 'b'].map((source) => newChunk(source, `word ${source}`)),
    )
    const first = await store.sources({ offset: 0, limit: 2 })
    assert.deepEqual([first.rows.map(({ source }) => source), first.total], [['a', 'b'], 3])
    const second = await store.sources({ offset: 2, limit: 2 })
    assert.deepEqual([second.rows.map(({ source }) => source), second.total], [['c'], 3])
    await bring(store, [newChunk('a', 'word more')], { updatedSources: ['a'] })
    const { rows } = await store.sources({ offset: 0, limit: 3 })
    assert.deepEqual(
      rows.map(({ chunks }) => chunks),
      [2, 1, 1],
    )
    assert.ok(rows[0]!.updatedAt >= first.rows[0]!.updatedAt)
    assert.equal(rows[1]!.updatedAt, first.rows[1]!.updatedAt)
  })

  promises('keeps namespaces apart', async (store, engine) => {
    await bring(store, [newChunk('a', 'word ours')])
    const other = engine.open('theirs')
    assert.deepEqual(await seen(other), NOTHING)
    await bring(other, [newChunk('a', 'word theirs')])
    assert.equal(await store.remove({ source: 'a' }), 1)
    assert.deepEqual((await seen(other)).byMeaning, ['word theirs'])
    assert.deepEqual((await seen(engine.open('theirs'))).byKeyword, ['word theirs'])
  })

  promises('refuses another embedder while it holds chunks', async (store) => {
    await bring(store, [newChunk('a', 'word')])
    for (const attempt of [() => store.open('another'), () => store.view('another')])
      await assert.rejects(
        attempt,
        (error: unknown) => error instanceof SluiceError && error.code === 'embedder_changed',
      )
  })

  promises('takes another embedder, with vectors of another length, once it is empty', async (store) => {
    await bring(store, [newChunk('a', 'word old')])
    assert.equal((await byMeaning(store, 'word old')).length, 1)
    await store.remove({ source: 'a' })
    const run = await store.open('another')
    assert.deepEqual(await byMeaning(store, 'word old', 4), [])
    await stage(run, [newChunk('a', 'word new')], 4)
    await run.publish(publication(1))
    await run.sweep()
    assert.deepEqual(textsOf(await byMeaning(store, 'word new', 4)), ['word new'])
    assert.equal(await store.embedder(), 'another')
  })

  promises('search() refuses a vector of another embedder than the one it was built with', async (store) => {
    const request = { vector: hashVector('word'), embedder: 'another', limit: 4 }
    assert.deepEqual(await store.search(request), [])
    await bring(store, [newChunk('a', 'word')])
    await assert.rejects(store.search(request), { code: 'embedder_changed' })
    assert.equal((await store.search({ ...request, embedder: EMBEDDER })).length, 1)
  })

  promises('rebuild() gives everything vectors of another length, seen all at once', async (store) => {
    const chunks = [
      newChunk('a', 'word one'),
      newChunk('a', 'word two', { page: 2 }),
      newChunk('b', 'word one'),
    ]
    const files = [{ name: 'a', fingerprint: 'f', chunks: 2 }]
    await bring(store, [...chunks, newChunk('b', 'word gone')], { files })
    await bring(store, [], { removedChunkIds: (await idsOf(store, 'b')).slice(1) })
    const [before, listed] = [await seen(store), await store.sources({ offset: 0, limit: 9 })]

    const rebuild = (await store.rebuild('another'))!
    assert.equal(rebuild.total, 3)
    assert.deepEqual(await restage(rebuild), ['word one', 'word two'])
    assert.deepEqual(await seen(store), before)
    assert.equal(await store.embedder(), EMBEDDER)
    await rebuild.publish(3, undefined)
    await rebuild.sweep()

    assert.equal(await store.embedder(), 'another')
    assert.deepEqual(await store.sources({ offset: 0, limit: 9 }), listed)
    const view = await store.view('another')
    assert.deepEqual(
      { ...(await view.file('a')) },
      { fingerprint: 'f', chunks: 2, outdated: 0, dropped: null, isUntraced: true },
    )
    assert.deepEqual([view.dimensions, await view.count()], [4, 3])
    assert.deepEqual(textsOf(await byMeaning(store, 'word', 4)), ['word one', 'word one', 'word two'])
    assert.deepEqual(textsOf(await store.search({ text: 'two', limit: 9 })), ['word two'])
    await assert.rejects(byMeaning(store, 'word'), { code: 'dimension_mismatch' })
    assert.equal(await store.remove({ source: 'a' }), 2)
    assert.deepEqual(textsOf(await byMeaning(store, 'word', 4)), ['word one'])
  })

  promises('rebuild() finds what an attempt has embedded that was given up', async (store) => {
    await bring(
      store,
      ['one', 'two', 'three'].map((text) => newChunk('a', `word ${text}`)),
    )
    const before = await seen(store)
    const first = (await store.rebuild('another'))!
    assert.deepEqual(await restage(first, 2), ['word one', 'word two'])
    await first.abandon()
    assert.deepEqual(await seen(store), before)
    await bring(store, [newChunk('b', 'word four')])

    const second = (await store.rebuild('another'))!
    assert.deepEqual(await restage(second), ['word three', 'word four'])
    await second.publish(4, undefined)
    await second.sweep()
    assert.equal((await byMeaning(store, 'word', 4)).length, 4)
    assert.equal(await (await store.view('another')).count(), 4)
  })

  promises('rebuild() begins again for a third embedder', async (store) => {
    await bring(store, [newChunk('a', 'word')])
    const given = (await store.rebuild('another'))!
    await restage(given)
    await given.abandon()
    const third = (await store.rebuild('third'))!
    assert.deepEqual(await restage(third), ['word'])
    await third.publish(1, undefined)
    await third.sweep()
    assert.equal(await store.embedder(), 'third')
  })

  promises('rebuild() has nothing to do where readers see nothing', async (store) => {
    assert.equal(await store.rebuild('another'), undefined)
    await bring(store, [newChunk('a', 'word')])
    await store.remove({ source: 'a' })
    assert.equal(await store.rebuild('another'), undefined)
  })

  promises('takes another embedder when all that was ever brought was abandoned', async (store) => {
    const run = await store.open(EMBEDDER)
    await stage(run, [newChunk('a', 'word')])
    await run.abandon()
    await (await store.open('another')).abandon()
    assert.equal((await store.view('another')).dimensions, undefined)
  })

  promises(
    'search() gives exact cosines for all, keyword scores for those with a word, and ids that last',
    async (store) => {
      const texts = ['the heron stands', 'the heron and the otter', 'no birds here']
      await bring(
        store,
        texts.map((text) => newChunk('a', text)),
      )
      const request = { vector: hashVector('no birds here'), text: 'heron?', limit: 10, vectors: true }
      const found = await store.search(request)
      const one = (text: string) => found.find(({ pageContent }) => pageContent === text)!
      assert.equal(found.length, 3)
      assert.ok(Math.abs(one('no birds here').vectorScore! - 1) < 1e-6)
      assert.equal(one('no birds here').keywordScore, null)
      assert.ok(one('the heron stands').keywordScore! > 0)
      const expected = [...hashVector('the heron stands')]
      assertVector(one('the heron stands').vector!, expected, store.capabilities)
      const again = await store.search({ text: 'heron', limit: 10 })
      assert.deepEqual(again.map(({ id }) => id).sort(), [one(texts[0]!).id, one(texts[1]!).id].sort())
      assert.ok(again.every(({ vectorScore, vector }) => vectorScore === null && vector === undefined))
      assert.equal((await store.search({ vector: hashVector('x'), limit: 2 })).length, 2)
    },
  )

  promises(
    'searchRanked() gives the order of rankCandidates(), where the engine ranks early',
    async (store) => {
      assert.equal(store.searchRanked !== undefined, store.capabilities.ranksEarly)
      if (!store.searchRanked) return
      const texts = Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? `word heron ${n}` : `word ${n}`))
      await bring(
        store,
        texts.map((text) => newChunk('a', text)),
      )
      const request = { vector: hashVector('word 7'), text: 'heron', limit: 20 }
      // Equal scores of one source without ranges are in the order of the hashes of their texts.
      const found = (await store.search(request)).toSorted((one, other) =>
        fingerprint(one.pageContent) < fingerprint(other.pageContent) ? -1 : 1,
      )
      for (const mode of MODES)
        for (const fusion of FUSIONS)
          for (const limits of [{}, { limit: 3 }, { minScore: 0.1 }]) {
            const ranking = { mode, fusion, weight: 0.4, ...limits }
            const early = await store.searchRanked(request, ranking)
            const shown = (ranked: readonly Ranked<Candidate>[]) =>
              ranked.map(({ candidate, score }) => [candidate.id, score])
            assert.deepEqual(
              shown(early.ranked),
              shown(rankCandidates(found, ranking)),
              JSON.stringify(ranking),
            )
            assert.equal(early.found.length, found.length)
          }
    },
  )

  promises('search() reads a question as words, never as a query language', async (store) => {
    await bring(store, [newChunk('a', 'plain words')])
    for (const text of [
      '"words',
      'words AND',
      'NEAR(words',
      'content:words',
      'words*',
      "wörds' OR 1=1 -- words",
    ])
      assert.deepEqual(textsOf(await store.search({ text, limit: 5 })), ['plain words'], text)
    assert.deepEqual(await store.search({ text: '?!', limit: 5 }), [])
  })

  /** The names of the chunks below that each filter meets. */
  const filters: [object, string][] = [
    [{ kind: 'x' }, 'a'],
    [{ n: { $eq: 2 } }, 'b'],
    [{ n: { $ne: 2 } }, 'acd'],
    [{ n: { $in: [1, 2, 7] } }, 'ab'],
    [{ n: { $nin: [1, 2] } }, 'cd'],
    [{ n: { $gt: 1 } }, 'bc'],
    [{ n: { $gte: 1, $lt: 3 } }, 'ab'],
    [{ n: { $lte: 1 } }, 'a'],
    [{ n: { $exists: true } }, 'abc'],
    [{ n: { $exists: false } }, 'd'],
    [{ tags: { $contains: 'red' } }, 'ab'],
    [{ kind: { $contains: 'yy' } }, 'b'],
    [{ $or: [{ kind: 'x' }, { n: 3 }] }, 'ac'],
    [{ $and: [{ n: { $gt: 1 } }, { tags: { $contains: 'red' } }] }, 'b'],
    [{ $not: { n: { $gt: 1 } } }, 'ad'],
    [{ 'loc.page': 4 }, 'c'],
    [{ 'file.name': 'f' }, 'd'],
    [{ day: { $gte: '2024-02-01' } }, 'bc'],
    [{ source: 'nobody' }, ''],
    [{}, 'abcd'],
  ]

  promises(
    'search() keeps to a filter on either side, and remove() removes just what it meets',
    async (store) => {
      const metadata: Record<string, Metadata> = {
        a: { n: 1, kind: 'x', tags: ['red', 'blue'], day: '2024-01-31' },
        b: { n: 2, kind: 'yyy', tags: ['red'], day: '2024-02-01' },
        c: { n: 3, loc: { page: 4 }, day: '2024-11-05' },
        d: { 'file.name': 'f' },
      }
      const chunks = Object.entries(metadata).map(([key, own]) => newChunk('s', `word ${key}`, own))
      await bring(store, chunks)
      for (const [raw, names] of filters) {
        const filter = parseFilter(raw)
        const expected = [...names].map((key) => `word ${key}`)
        const request = { limit: 1, filter, text: 'word' }
        const what = JSON.stringify(raw)
        assert.deepEqual(textsOf(await store.search({ ...request, limit: 9 })), expected, what)
        assert.deepEqual(
          textsOf(await store.search({ vector: hashVector('q'), limit: 9, filter })),
          expected,
          what,
        )
        // The best of those that fit is found, however far down it stands among all.
        const one = await store.search({ vector: hashVector('q'), limit: 1, filter })
        assert.equal(one.length, Math.min(1, expected.length), what)
      }
      for (const [raw, names] of filters) {
        assert.equal(await store.remove({ filter: parseFilter(raw) }), names.length, JSON.stringify(raw))
        assert.equal((await byMeaning(store, 'q')).length, 4 - names.length)
        await store.remove({ source: 's' })
        await bring(store, chunks)
      }
    },
  )

  promises('search() looks at the metadata of each chunk where several share a text', async (store) => {
    await bring(store, [newChunk('a', 'word', { n: 1 }), newChunk('b', 'word', { n: 2 })])
    const found = await store.search({ text: 'word', limit: 5, filter: parseFilter({ n: 2 }) })
    assert.deepEqual(
      found.map(({ metadata }) => metadata),
      [{ n: 2 }],
    )
  })

  promises('search() ranks by the metric of the request: angle, product or distance', async (store) => {
    const vectors: Record<string, [number, number]> = { near: [1, 0.5], long: [9, 5], same: [2, 0] }
    const run = await store.open(EMBEDDER)
    const texts = Object.keys(vectors)
    const chunks = texts.map((text) => newChunk('a', text))
    await run.stage(chunks, Float32Array.from(texts.flatMap((text) => vectors[text]!)), 2)
    await run.publish(publication(3))
    await run.sweep()
    const ask = async (request: { metric?: Metric }) => {
      const found = await store.search({ vector: Float32Array.of(1, 0), limit: 2, ...request })
      const best = found.toSorted((one, other) => other.vectorScore! - one.vectorScore!)
      return best.map(({ pageContent, vectorScore }) => [pageContent, Math.round(vectorScore! * 1000) / 1000])
    }
    assert.deepEqual(await ask({}), [
      ['same', 1],
      ['near', 0.894],
    ])
    assert.deepEqual(await ask({ metric: 'cosine' }), await ask({}))
    const others = {
      dot: [
        ['long', 9],
        ['same', 2],
      ],
      euclidean: [
        ['near', 0.667],
        ['same', 0.5],
      ],
    }
    for (const [metric, best] of Object.entries(others) as [keyof typeof others, unknown][])
      if (store.capabilities.metrics.includes(metric)) assert.deepEqual(await ask({ metric }), best)
      else await assert.rejects(ask({ metric }), { code: 'query_invalid' })
  })

  promises(
    'search() finds by a filter what was published last, whichever fields were asked before',
    async (store) => {
      const ask = async (raw: object) => {
        const request = { vector: hashVector('word'), text: 'word', limit: 100, filter: parseFilter(raw) }
        return textsOf(await store.search(request))
      }
      await bring(store, [
        newChunk('a', 'word 1', { n: 1 }),
        newChunk('a', 'word 2', { n: 2, page: { no: 7 } }),
      ])
      assert.deepEqual(await ask({ n: 1 }), ['word 1'])
      assert.deepEqual(await ask({ n: { $lt: 9 } }), ['word 1', 'word 2'])
      assert.deepEqual(await ask({ 'page.no': 7 }), ['word 2'])
      await bring(
        store,
        [newChunk('b', 'word 3', { n: 1, page: { no: 7 } }), newChunk('b', 'word 2', { n: 1 })],
        { removedChunkIds: (await idsOf(store, 'a')).slice(0, 1) },
      )
      assert.deepEqual(await ask({ n: 1 }), ['word 2', 'word 3'])
      assert.deepEqual(await ask({ 'page.no': 7, n: { $exists: true } }), ['word 2', 'word 3'])
      assert.deepEqual(await ask({ n: 5 }), [])
      assert.deepEqual(await ask({ unheard: { $exists: false } }), ['word 2', 'word 2', 'word 3'])
    },
  )

  promises('remove() takes what is in the source and meets the filter, and forgets files', async (store) => {
    const file = { name: 'a', fingerprint: 'f', chunks: 2 }
    const chunks = [
      newChunk('a', 'word 1', { n: 1 }),
      newChunk('a', 'word 2'),
      newChunk('b', 'word 3', { n: 1 }),
    ]
    await bring(store, chunks, { files: [file] })
    assert.equal(await store.remove({ source: 'a', filter: parseFilter({ n: 1 }) }), 1)
    assert.deepEqual((await seen(store)).byKeyword, ['word 2', 'word 3'])
    assert.equal(await (await store.view(EMBEDDER)).file('a'), undefined)
    assert.equal(await store.remove({ source: 'a' }), 1)
    assert.equal(await store.remove({ source: 'a' }), 0)
    assert.deepEqual((await seen(store)).sources, { b: 1 })
  })

  promises('remove() by several sources forgets their files alone', async (store) => {
    const files = ['a', 'b', 'c'].map((name) => ({ name, fingerprint: `of ${name}`, chunks: 1 }))
    const chunks = files.map(({ name }) => newChunk(name, `word ${name}`))
    await bring(store, chunks, { files })
    assert.equal(await store.remove({ sources: ['a', 'b', 'none'] }), 2)
    assert.deepEqual((await seen(store)).sources, { c: 1 })
    const view = await store.view(EMBEDDER)
    const known = await Promise.all(files.map(({ name }) => view.file(name)))
    assert.deepEqual(
      known.map((file) => file?.fingerprint),
      [undefined, undefined, 'of c'],
    )
  })

  promises('remove() forgets every file where one brought chunks under another source', async (store) => {
    const files = ['a', 'book'].map((name) => ({ name, fingerprint: 'f', chunks: 1 }))
    await bring(store, [newChunk('a', 'word a'), newChunk('chapter', 'word b')], { files })
    assert.equal(await store.remove({ source: 'chapter' }), 1)
    assert.equal(await (await store.view(EMBEDDER)).file('book'), undefined)
  })

  promises(
    'restore() brings removed sources back as they were, after any number of interrupted attempts [sources:restore]',
    async (store) => {
      const [now, until] = [1000, 2000]
      const range = { start: 1, end: 7 }
      await bring(store, [
        { ...newChunk('a', 'word 1', { n: 1 }), range },
        newChunk('a', 'word 2'),
        newChunk('b', 'word 2'),
      ])
      const page = { offset: 0, limit: 9 }
      const look = async () => ({
        ...(await seen(store)),
        listed: await store.chunks(page),
        named: (await store.sources(page)).rows.map(({ source, chunks }) => [source, chunks]),
      })
      const before = await look()
      assert.equal(await store.remove({ source: 'a', restorableUntil: Date.now() + 60_000 }), 2)
      const without = await look()
      assert.deepEqual([without.listed.total, without.named], [1, [['b', 1]]])

      // A crash leaves a run that is not published; the next start abandons it.
      for (let attempt = 0; attempt < 2; attempt++) {
        const run = await store.open(EMBEDDER)
        assert.equal(await run.restage('a'), 2)
        assert.deepEqual(await look(), without)
        await run.abandon()
        await run.sweep()
        assert.deepEqual(await look(), without)
      }
      assert.deepEqual(await store.restore(['a', 'b', 'c'], now), { sources: ['a'], chunks: 2 })
      assert.deepEqual(await look(), before)
      assert.deepEqual(await store.restore(['a'], now), { sources: [], chunks: 0 })

      assert.equal(await store.remove({ source: 'a', restorableUntil: until }), 2)
      assert.deepEqual(await store.restore(['a'], until), { sources: [], chunks: 0 })
      await bring(store, [])
      assert.deepEqual(await store.restore(['a'], now), { sources: [], chunks: 0 })
      assert.deepEqual(await look(), without)
    },
  )

  promises('chunks() gives what readers see in order, a page at a time', async (store) => {
    await bring(store, [newChunk('b', 'word 1', { n: 1 }), newChunk('a', 'word 2'), newChunk('b', 'word 3')])
    const run = await store.open(EMBEDDER)
    await stage(run, [newChunk('b', 'word unseen')])
    const page = async (source?: string, offset = 0, limit = 10) => {
      const { rows, total } = await store.chunks({ source, offset, limit })
      return [total, ...rows.map(({ source, pageContent }) => `${source} ${pageContent}`)]
    }
    assert.deepEqual(await page(), [3, 'a word 2', 'b word 1', 'b word 3'])
    assert.deepEqual(await page('b', 1, 1), [2, 'b word 3'])
    assert.deepEqual(await page('c'), [0])
    await run.abandon()
    const [first] = (await store.chunks({ source: 'b', offset: 0, limit: 1 })).rows
    const [found] = await store.search({ text: 'word 1', limit: 1 })
    assert.deepEqual([first?.id, first?.metadata], [found?.id, { n: 1 }])
  })

  promises('a reader that asks while runs are published sees each whole or not at all', async (store) => {
    const generation = (n: number) => ['x', 'y', 'z'].map((key) => newChunk('a', `word ${key}`, { n }))
    await bring(store, generation(0))
    let done = false
    const reader = async () => {
      const looks: number[] = []
      while (!done) {
        const found = await store.search({ vector: hashVector('q'), text: 'word', limit: 10 })
        const generations = new Set(found.map(({ metadata }) => metadata.n as number))
        assert.deepEqual([found.length, generations.size], [3, 1])
        looks.push(...generations)
        await new Promise(setImmediate)
      }
      return looks
    }
    const reading = reader()
    for (let n = 1; n <= 20; n++)
      await bring(store, generation(n), { removedChunkIds: await idsOf(store, 'a') })
    done = true
    const looks = await reading
    assert.deepEqual(
      looks,
      looks.toSorted((a, b) => a - b),
    )
  })
}
