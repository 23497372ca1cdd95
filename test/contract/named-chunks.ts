import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import type { NamedRequest } from '../../src/contract/expected.ts'
import { CHAT_ID_KEY, storedSourceName } from '../../src/documents/conversation.ts'
import { fenceOf } from '../../src/documents/fence.ts'
import { bm25Of, termScores } from '../../src/keyword/term-scores.ts'
import { fencedStore } from '../../src/stores/fenced-store.ts'
import { countPassageTerms } from '../../src/text/terms/count-terms.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import type { StoreEngine } from './chunk-store.ts'
import { assertVector } from './vector-engine.ts'

const EMBEDDER = 'hash'

const load = (store: ChunkStore, source: string, texts: readonly string[], metadata = {}) =>
  publishChunks(
    store,
    EMBEDDER,
    texts.map((text) => ({ source, text, metadata, vector: hashVector(text) })),
  )

const textsIn = async (store: ChunkStore, request: NamedRequest) =>
  (await store.named(request)).chunks.map(({ pageContent }) => pageContent).toSorted()

const inConversation = (chatId: string) => storedSourceName('a', { flowId: 'flow', chatId })

/** What every store of chunks tells of expected chunks; part of `chunkStoreSuite`. */
export function namedChunksSuite(name: string, make: () => StoreEngine): void {
  const promises = (promise: string, check: (store: ChunkStore) => Promise<void>) =>
    test(`${name} ${promise} [query:expect]`, () => check(make().open('ours')))

  promises('finds the chunks of a source and a chunk by its id, with their vectors', async (store) => {
    assert.deepEqual(await store.named({ expected: { source: 'a' } }), { state: '', ids: [], chunks: [] })
    await load(store, 'a', ['word one', 'word two'], { n: 1 })
    await load(store, 'a%', ['word three'])
    const found = await store.named({ expected: { source: 'a' }, vectors: true })
    assert.deepEqual(found.chunks.map(({ pageContent }) => pageContent).toSorted(), ['word one', 'word two'])
    assert.deepEqual(found.ids.toSorted(), found.chunks.map(({ id }) => id).toSorted())
    for (const { vector, pageContent } of found.chunks)
      assertVector(vector!, [...hashVector(pageContent)], store.capabilities)
    const hits = await store.search({ vector: hashVector('x'), limit: 10 })
    for (const hit of hits) {
      const { chunks, ids, state } = await store.named({ expected: { chunk: hit.id } })
      assert.deepEqual(ids, [hit.id])
      assert.deepEqual(
        chunks.map(({ id, pageContent, metadata }) => ({ id, pageContent, metadata })),
        [{ id: hit.id, pageContent: hit.pageContent, metadata: hit.metadata }],
      )
      assert.equal(state, found.state)
    }
    assert.deepEqual(await textsIn(store, { expected: { source: 'A' } }), [])
    assert.deepEqual(await textsIn(store, { expected: { source: 'a%' } }), ['word three'])
    assert.deepEqual(await textsIn(store, { expected: { chunk: 'none' } }), [])
  })

  promises('tells chunks of a conversation to that one, and to whom may know of all', async (store) => {
    await load(store, 'a', ['word of all'])
    await load(store, inConversation('one'), ['word of one'], { [CHAT_ID_KEY]: 'one' })
    await load(store, inConversation('two'), ['word of two'], { [CHAT_ID_KEY]: 'two' })
    const expected = { source: 'a' }
    assert.deepEqual(await textsIn(store, { expected }), ['word of all'])
    assert.deepEqual(await textsIn(store, { expected, chatId: 'one' }), ['word of all', 'word of one'])
    assert.deepEqual(await textsIn(store, { expected, otherConversations: true }), [
      'word of all',
      'word of one',
      'word of two',
    ])
    const { ids } = await store.named({ expected, chatId: 'two' })
    const chunk = ids.at(-1)!
    assert.deepEqual(await textsIn(store, { expected: { chunk } }), [])
    assert.deepEqual(await textsIn(store, { expected: { chunk }, chatId: 'two' }), ['word of two'])
  })

  promises('has another state after each publication, and the same otherwise', async (store) => {
    const states = [await store.state()]
    await load(store, 'a', ['word one'])
    states.push(await store.state())
    assert.equal(await store.state(), states[1])
    await load(store, 'b', ['word two'])
    states.push(await store.state())
    await store.remove({ source: 'a' })
    states.push(await store.state())
    assert.equal(new Set(states).size, 4)
    assert.deepEqual(await textsIn(store, { expected: { source: 'a' } }), [])
  })

  promises('within a fence knows of nothing outside', async (store) => {
    const within = fencedStore(store, fenceOf({ tenant: 'acme' })!)
    await load(store, 'a', ['word of beta'], { tenant: 'beta' })
    await load(store, 'b', ['word of acme'], { tenant: 'acme' })
    await load(store, inConversation('one'), ['word of one'], { tenant: 'acme', [CHAT_ID_KEY]: 'one' })
    assert.deepEqual(await textsIn(within, { expected: { source: 'a' }, otherConversations: true }), [])
    assert.deepEqual(await textsIn(within, { expected: { source: 'b' } }), ['word of acme'])
    const { chunks } = await store.named({ expected: { source: 'a' } })
    const outside = await within.named({ expected: { chunk: chunks[0]!.id } })
    const unknown = await within.named({ expected: { chunk: 'none' } })
    assert.deepEqual(outside.chunks, unknown.chunks)
    const ranking = { mode: 'hybrid', fusion: 'convex', weight: 0.5, explain: true } as const
    const ranked = await within.searchRanked?.({ text: 'word', limit: 10 }, ranking)
    assert.equal(ranked?.termFacts, undefined)
    assert.equal(within.termFacts, undefined)
  })

  promises('tells the terms of a question so that their scores add up to its BM25', async (store) => {
    const texts = ['heron heron otter', 'an otter and a badger', 'a heron, and many more words beside it']
    await load(store, 'a', texts)
    await load(store, 'b', ['heron that is removed'])
    await store.remove({ source: 'b' })
    const request = { text: 'heron otter unknown', limit: 10 }
    const ranking = { mode: 'keyword', fusion: 'convex', weight: 0, explain: true } as const
    const ranked = await store.searchRanked?.(request, ranking)
    const facts = ranked?.termFacts ?? (await store.termFacts?.(request))
    if (!facts) return assert.equal(store.searchRanked, undefined)
    assert.deepEqual([facts.passages, facts.terms.map(({ holders }) => holders).toSorted()], [3, [0, 2, 2]])
    const hits = await store.search(request)
    assert.equal(hits.length, 3)
    for (const { pageContent, keywordScore } of hits)
      assert.equal(bm25Of(termScores(facts, countPassageTerms(pageContent))), keywordScore)
  })
}
