import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from '../../src/contract/embedder.ts'

/** Texts of several scripts and lengths; none of them is empty. */
const TEXTS = [
  'The heron stands in the shallow water.',
  'An invoice is due within thirty days.',
  'Zwölf Boxkämpfer jagen Viktor',
  '漢字 かな 한글',
  'a',
  'one line\nanother line',
  'word '.repeat(400).trim(),
]

/** What every embedder promises; run by each implementation. */
export function embedderSuite(name: string, make: () => Embedder): void {
  const promises = (promise: string, check: (embedder: Embedder) => Promise<void>) =>
    test(`${name}: the Embedder ${promise}`, () => check(make()))

  promises('gives a vector per text, in order, all of one length and finite', async (embedder) => {
    const vectors = await embedder.embed(TEXTS)
    assert.equal(vectors.length, TEXTS.length)
    const [{ length } = { length: 0 }] = vectors
    assert.ok(length > 0)
    for (const vector of vectors) {
      assert.ok(vector instanceof Float32Array)
      assert.equal(vector.length, embedder.dimensions ?? length)
      assert.ok(vector.every(Number.isFinite))
    }
    const reversed = await embedder.embed(TEXTS.toReversed())
    assert.deepEqual(reversed.toReversed(), vectors)
  })

  promises(
    'gives a text the same vector alone and among others, and different texts different ones',
    async (embedder) => {
      const together = await embedder.embed([...TEXTS, TEXTS[0]!])
      for (const [i, text] of TEXTS.entries())
        assert.deepEqual((await embedder.embed([text]))[0], together[i])
      assert.deepEqual(together.at(-1), together[0])
      assert.equal(new Set(together.map(String)).size, TEXTS.length)
    },
  )

  promises('gives a question a vector of the same length', async (embedder) => {
    const [vector] = await embedder.embed(TEXTS.slice(0, 1))
    const asked = await embedder.embedQuery('Where does the heron stand?')
    assert.ok(asked instanceof Float32Array)
    assert.equal(asked.length, vector!.length)
    assert.deepEqual(await embedder.embedQuery('Where does the heron stand?'), asked)
  })

  promises('gives nothing for no text', async (embedder) => {
    assert.deepEqual(await embedder.embed([]), [])
  })

  promises('takes more texts than one call may carry', async (embedder) => {
    const texts = Array.from({ length: embedder.limits.texts + 1 }, (_, n) => `text number ${n}`)
    const vectors = await embedder.embed(texts)
    assert.equal(vectors.length, texts.length)
    assert.deepEqual(vectors.at(-1), (await embedder.embed(texts.slice(-1)))[0])
  })

  promises('has an id of one line that does not change, and limits to cut batches by', async (embedder) => {
    assert.match(embedder.id, /^[^\n]+$/)
    await embedder.embedQuery('a question')
    const { id, limits, concurrency, hybridWeight = 0.5 } = embedder
    assert.equal(make().id, id)
    for (const limit of [limits.texts, limits.bytes, concurrency])
      assert.ok(Number.isInteger(limit) && limit >= 1, String(limit))
    assert.ok(hybridWeight >= 0 && hybridWeight <= 1)
  })

  promises('stops when the caller has cancelled', async (embedder) => {
    const signal = AbortSignal.abort()
    await assert.rejects(embedder.embed(TEXTS, { signal }), { code: 'cancelled' })
    await assert.rejects(embedder.embedQuery('a question', { signal }), { code: 'cancelled' })
    assert.equal((await embedder.embed(TEXTS)).length, TEXTS.length)
  })
}
