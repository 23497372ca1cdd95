import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { publishChunks } from '../../test/support/publish-chunks.ts'
import { sharedStores } from '../../test/support/store.ts'
import { builtInEmbedder } from '../embed/builtin.ts'
import { TOLD_BELOW, type BelowCut } from './below-cut.ts'
import type { Retrieved } from './answer.ts'
import { createRetriever } from './run.ts'
import type { RetrievalOverrides } from './settings.ts'

const { stores } = sharedStores()
const store = stores.open('below-the-cut')
const { retrieve } = createRetriever()
const embedder = builtInEmbedder()
const QUESTION = 'When does the ferry to Bergen leave?'

/** More than are told, each with words of the question. */
const TEXTS = Array.from(
  { length: 40 },
  (_, at) =>
    `The ferry number ${at} to ${at % 3 ? 'Bergen' : 'Oslo'} leaves at noon${' and at night'.repeat(at)}.`,
)

before(async () => {
  const vectors = await embedder.embed(TEXTS)
  await publishChunks(
    store,
    embedder.id,
    TEXTS.map((text, at) => ({
      source: `${at}.txt`,
      text,
      metadata: { source: `${at}.txt` },
      vector: vectors[at]!,
    })),
  )
})

async function ask(asked: RetrievalOverrides): Promise<{ hits: Retrieved[]; below: BelowCut[] | undefined }> {
  let below: BelowCut[] | undefined
  const part = { store, embedder, loaders: [], retrieval: { topK: 4, searchType: 'similarity' as const } }
  const [hits] = await retrieve(part, [QUESTION], asked, undefined, (report) => {
    below = report.below[0]
  })
  return { hits: hits!, below }
}

test('what came after the last hit are the hits of a larger topK, in their order and with their scores [query:explain]', async () => {
  const settings: RetrievalOverrides[] = [
    { mode: 'hybrid' },
    { mode: 'hybrid', rescore: false },
    { mode: 'hybrid', fusion: 'rrf' },
    { mode: 'hybrid', minScore: 0.2 },
  ]
  for (const asked of settings)
    for (const topK of [1, 4, 23]) {
      const { below } = await ask({ ...asked, topK, explain: true })
      const { hits } = await ask({ ...asked, topK: topK + TOLD_BELOW })
      assert.deepEqual(
        below!.map(({ id, score, place, source }) => [id, score, place, source]),
        hits.slice(topK).map(({ id, score, metadata }, at) => [id, score, topK + at + 1, metadata.source]),
        JSON.stringify({ ...asked, topK }),
      )
      if (topK < 20) assert.ok(below!.length > 0)
    }
  // One side gives no more than are needed for the answer and its confidence.
  for (const mode of ['vector', 'keyword'] as const) {
    const { below } = await ask({ mode, topK: 4, explain: true })
    const { hits } = await ask({ mode, topK: 20 })
    assert.deepEqual(
      below!.map(({ id }) => id),
      hits.slice(4).map(({ id }) => id),
    )
  }
})

test('nothing is told below the cut without explain, nor where more than the ranking chose the hits [query:explain]', async () => {
  assert.equal((await ask({ topK: 4 })).below, undefined)
  assert.equal((await ask({ topK: 4, explain: true, mmr: {} })).below, undefined)
  assert.equal((await ask({ topK: 4, explain: true, nearDuplicates: true })).below, undefined)
  assert.deepEqual((await ask({ topK: 40, explain: true })).below, [])
})

test('an excerpt is one line of at most 160 characters, and whole where the text is short [query:explain]', async () => {
  const { below } = await ask({ topK: 1, explain: true })
  for (const { source, excerpt } of below!) {
    const text = TEXTS[Number.parseInt(source!, 10)]!
    assert.ok(excerpt.length <= 161)
    assert.equal(excerpt.endsWith('…'), text.length > 160, excerpt)
    assert.ok(text.startsWith(excerpt.replace(/…$/, '')))
  }
})
