import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { fenceOf } from '../../src/documents/fence.ts'
import type { Pins } from '../../src/contract/fence.ts'
import type { Filter } from '../../src/contract/filter.ts'
import { MODES } from '../../src/contract/retrieval.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { fingerprint, randomId } from '../../src/kit/hash.ts'
import { fencedStore } from '../../src/stores/fenced-store.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import type { StoreEngine } from './chunk-store.ts'

const EMBEDDER = 'hash'

const load = (store: ChunkStore, source: string, text: string, metadata = {}) =>
  publishChunks(store, EMBEDDER, [
    { source, text, metadata: { ...metadata, ...store.pins }, vector: hashVector(text) },
  ])

/** What a search finds by meaning, by words, and by both. */
async function found(store: ChunkStore, filter?: Filter): Promise<string[][]> {
  const narrowed = filter ? { filter } : {}
  const [vector, text] = [hashVector('anything'), 'word']
  const all = [{ vector }, { text }, { vector, text }].map(async (asked) => {
    const request = { ...asked, ...narrowed, limit: 100 }
    const plain = await store.search(request)
    const ranking = {
      mode: MODES[0],
      fusion: 'convex' as const,
      weight: 0.5,
      limit: undefined,
      minScore: undefined,
    }
    const ranked = await store.searchRanked?.(request, ranking)
    if (ranked)
      assert.deepEqual(
        new Set(ranked.ranked.map(({ candidate }) => candidate.id)),
        new Set(plain.map(({ id }) => id)),
      )
    return plain.map(({ pageContent }) => pageContent).toSorted()
  })
  return Promise.all(all)
}

const thrice = (...texts: string[]) => [texts, texts, texts]

const sourcesOf = async (store: ChunkStore) =>
  (await store.sources({ offset: 0, limit: 100 })).rows.map(({ source }) => source)

/** What every store of chunks promises within fences; part of `chunkStoreSuite`. */
export function fencedStoreSuite(name: string, make: () => StoreEngine): void {
  const promises = (
    promise: string,
    check: (store: ChunkStore, within: (pins: Pins) => ChunkStore) => Promise<void>,
  ) =>
    test(`${name} ${promise} [keys:pins:query, keys:pins:identity]`, async () => {
      const store = make().open('ours')
      await check(store, (pins) => fencedStore(store, fenceOf(pins)!))
    })

  promises(
    'finds within a fence the chunks with its pins alone, whatever the filter',
    async (store, within) => {
      const [acme, beta] = [within({ tenant: 'acme' }), within({ tenant: 'beta' })]
      await load(store, 'a', 'word of all', { tenant: 7 })
      await load(acme, 'a', 'word of acme', { n: 1 })
      await load(beta, 'a', 'word of beta', { n: 2 })
      assert.deepEqual(await found(store), thrice('word of acme', 'word of all', 'word of beta'))
      assert.deepEqual(await found(acme), thrice('word of acme'))
      assert.deepEqual(await found(beta), thrice('word of beta'))
      for (const filter of [
        { tenant: 'beta' },
        { tenant: { $ne: 'acme' } },
        { $or: [{ tenant: 'beta' }, { n: 2 }] },
        { tenant: { $exists: false } },
      ])
        assert.deepEqual(await found(acme, parseFilter(filter)), thrice())
      assert.deepEqual(await found(acme, parseFilter({ n: { $gt: 0 } })), thrice('word of acme'))
      assert.deepEqual(await acme.absentFields(parseFilter({ other: 1 })), [])
    },
  )

  promises(
    'takes pins with quotes, wildcards and letters of any script as they are',
    async (store, within) => {
      const values = [
        `a"b'c`,
        'a%_*?',
        '*',
        '%',
        'a\\b',
        'é',
        'e\u0301',
        '🙂',
        '{"$ne":1}',
        'A',
        'a',
        "' OR 1=1 --",
      ]
      for (const value of values) await load(within({ tenant: value }), 'a', `word ${value}`)
      for (const value of values)
        assert.deepEqual(await found(within({ tenant: value })), thrice(`word ${value}`), value)
      assert.equal((await found(store))[0]!.length, values.length)
      const both = within({ tenant: 'a', region: 'eu' })
      await load(both, 'a', 'word of both')
      assert.deepEqual(await found(both), thrice('word of both'))
      assert.deepEqual(await found(within({ region: 'us', tenant: 'a' })), thrice())
    },
  )

  promises(
    'keeps the sources and files of a fence apart in every list and look-up',
    async (store, within) => {
      // Chunks within a fence are counted in all namespaces, also those of other tests.
      const test = randomId()
      const pinsOf = (tenant: string) => ({ tenant, test })
      const [acme, beta] = [within(pinsOf('acme')), within(pinsOf('beta'))]
      await load(acme, 'a', 'word of acme')
      await load(acme, 'b', 'word more of acme')
      await load(store, 'a', 'word of all')
      const [ofAcme, ofBeta] = [fenceOf(pinsOf('acme'))!.id, fenceOf(pinsOf('beta'))!.id]
      const before = await Promise.all([store.chunksWithin(ofAcme), acme.chunksWithin(ofBeta)])
      assert.deepEqual(before, [2, 0])
      // A name that holds the mark of a fence is not within it.
      await load(store, `x\u001e${ofBeta}\u001fx`, 'word of a name')
      await load(acme, `\u001e${ofBeta}\u001fx`, 'word of another name')
      assert.equal(await store.chunksWithin(ofBeta), 0)
      assert.equal(await store.remove({ source: `x\u001e${ofBeta}\u001fx` }), 1)
      assert.equal(await acme.remove({ source: `\u001e${ofBeta}\u001fx` }), 1)
      const lists = await Promise.all([store, acme, beta].map(sourcesOf))
      assert.deepEqual(lists, [['a'], ['a', 'b'], []])
      const chunks = async (one: ChunkStore) => (await one.chunks({ offset: 0, limit: 10, source: 'a' })).rows
      assert.deepEqual(
        (await chunks(acme)).map(({ source, pageContent }) => [source, pageContent]),
        [['a', 'word of acme']],
      )
      assert.deepEqual(await chunks(beta), [])
      const hash = fingerprint('word of acme')
      for (const [one, count] of [
        [acme, 1],
        [beta, 0],
      ] as const) {
        const view = await one.view(EMBEDDER)
        const [known] = await view.known('a', [hash])
        assert.deepEqual([known!.embedded, known!.chunks.length], [count > 0, count])
        assert.equal((await collect(view.visible('a'))).flat().length, count)
        assert.deepEqual(await view.sources(), count > 0 ? ['a', 'b'] : [])
        assert.equal(await view.count(), 2 * count)
      }
    },
  )

  promises('removes and restores within a fence what was loaded there alone', async (store, within) => {
    const [acme, beta] = [within({ tenant: 'acme' }), within({ tenant: 'beta' })]
    for (const one of [store, acme, beta]) await load(one, 'a', `word of ${one.pins?.tenant ?? 'all'}`)
    const now = Date.now()
    assert.equal(await acme.remove({ source: 'a', restorableUntil: now + 1e6 }), 1)
    assert.equal(await acme.remove({ sources: ['a'] }), 0)
    assert.deepEqual((await found(store))[0], ['word of all', 'word of beta'])
    assert.deepEqual(await beta.restore(['a'], now), { sources: [], chunks: 0 })
    assert.deepEqual(await store.restore(['a'], now), { sources: [], chunks: 0 })
    assert.deepEqual(await acme.restore(['a'], now), { sources: ['a'], chunks: 1 })
    assert.equal(await beta.remove({ filter: parseFilter({ tenant: { $exists: true } }) }), 1)
    assert.equal(await store.remove({ source: 'a' }), 1)
    assert.deepEqual(await found(store), thrice('word of acme'))
  })

  promises(
    'refuses within a fence chunks without its pins, and work on the whole namespace',
    async (store, within) => {
      const acme = within({ tenant: 'acme' })
      const run = await acme.open(EMBEDDER)
      const chunk = {
        source: 'a',
        text: 'word',
        hash: fingerprint('word'),
        metadata: '{"tenant":"beta"}',
        metadataHash: fingerprint('{"tenant":"beta"}'),
      }
      await assert.rejects(async () => run.stage([chunk], hashVector('word'), 8), /no pins/)
      await run.abandon()
      const refused = (error: unknown) => error instanceof SluiceError && error.code === 'pinned_key_refused'
      await assert.rejects(acme.rebuild(EMBEDDER), refused)
      await assert.rejects(acme.drop(), refused)
      await assert.rejects(async () => acme.remove({ conversation: { flowId: 'flow' } }), refused)
      assert.deepEqual(await found(store), thrice())
    },
  )
}
