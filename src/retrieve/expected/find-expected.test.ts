import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  byMeaning,
  expectedEmbedder,
  load,
  loadTexts,
  partOf,
  QUESTION,
  reranked,
  retrieve,
  stores,
  TEXTS,
} from '../../../test/support/expected-chunks.ts'
import { askExpecting } from '../../../test/support/proven-step.ts'
import { publishChunks } from '../../../test/support/publish-chunks.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import { parseFilter } from '../../vector/filter.ts'

// Every combination of settings: test/contract/expected-steps.test.ts.
before(loadTexts)

test('a source is told by the chunk of it that went furthest; a name that nothing has is not stored [query:expect]', async () => {
  const own = stores.open('sources')
  const vectors = await expectedEmbedder.embed(TEXTS.slice(0, 40))
  await publishChunks(
    own,
    expectedEmbedder.id,
    TEXTS.slice(0, 40).map((text, at) => ({
      ...{ source: at % 2 ? 'odd.txt' : 'even.txt', text, vector: vectors[at]! },
      metadata: { source: at % 2 ? 'odd.txt' : 'even.txt' },
    })),
  )
  const asked = { rerank: false, topK: 1 }
  const { hits, expected } = await askExpecting(partOf(own), QUESTION, asked, { source: 'even.txt' })
  assert.deepEqual([expected.step, expected.place, expected.chunk?.id], [null, 1, hits[0]!.id])
  const odd = (await askExpecting(partOf(own), QUESTION, asked, { source: 'odd.txt' })).expected
  const [ranked] = await retrieve(partOf(own), [QUESTION], { ...asked, topK: 40 })
  assert.equal(odd.chunk?.id, ranked!.find(({ metadata }) => metadata.source === 'odd.txt')!.id)
  assert.equal(odd.chunks, 20)
  for (const name of [{ source: 'none.txt' }, { chunk: 'none' }]) {
    const { expected: none } = await askExpecting(partOf(own), QUESTION, asked, name)
    assert.deepEqual([none.step, none.chunk, none.change], ['notStored', undefined, null])
  }
  const { expected: empty } = await askExpecting(partOf(stores.open('empty')), QUESTION, asked, {
    source: 'a',
  })
  assert.equal(empty.step, 'notStored')
})

test('a filter is told by the fields that are not met, and without those conditions the chunk is shown [query:expect]', async () => {
  const [hit] = (await retrieve(partOf(), [QUESTION], { rerank: false }))[0]!
  const filter = parseFilter({ n: { $gt: -1 }, source: 'another.txt' })
  const { expected } = await askExpecting(partOf(), QUESTION, { rerank: false, filter }, { chunk: hit!.id })
  assert.deepEqual([expected.step, expected.fields], ['filter', ['source']])
  assert.deepEqual(expected.change, { setting: 'filter', from: 'source', to: null, place: 1 })
  // The filter of the flow cannot be changed by a request.
  const part = partOf()
  const fixed = { ...part, retrieval: { ...part.retrieval, filter } }
  const other = (await askExpecting(fixed, QUESTION, { rerank: false }, { chunk: hit!.id })).expected
  assert.deepEqual([other.step, other.change, other.tries], ['filter', null, 0])
})

test('a reranker is called once for the answer, and at most twice more for a change [query:expect]', async () => {
  const ids = await byMeaning()
  for (const [at, id] of ids.slice(0, 20).entries()) {
    const nearDuplicates = at % 2 === 0 && 0.9
    reranked.calls = 0
    await askExpecting(partOf(), QUESTION, { nearDuplicates }, { chunk: id })
    assert.ok(reranked.calls >= 1 && reranked.calls <= 3, `${reranked.calls} calls`)
  }
})

test('where a publication comes in between, the answer is found out again; where it never rests, that is said [query:expect]', async () => {
  const own = stores.open('restless')
  await load(own, TEXTS.slice(0, 30))
  let publications = 0
  const restless = (times: number): ChunkStore => ({
    ...own,
    async named(request) {
      const named = await own.named(request)
      if (publications < times) {
        publications++
        await load(own, [`A new text ${publications}`], 1000 + publications)
      }
      return named
    },
  })
  const asked = { rerank: false }
  const once = (await askExpecting(partOf(restless(1)), QUESTION, asked, { source: '29.txt' })).expected
  assert.equal(publications, 1)
  assert.notEqual(once.step, 'untold')
  publications = 0
  const never = (await askExpecting(partOf(restless(99)), QUESTION, asked, { source: '29.txt' })).expected
  assert.deepEqual([never.step, never.isUnsettled, never.change], ['untold', true, null])
})
