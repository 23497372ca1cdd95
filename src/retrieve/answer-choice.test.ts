import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reranker } from '../contract/reranker.ts'
import type { Candidate, Ranked } from '../contract/search.ts'
import { chooseInSteps, comparesVectors, consideredCount } from './answer.ts'
import type { QuerySettings } from './settings.ts'

const settings = (more: Partial<QuerySettings>): QuerySettings =>
  ({ topK: 2, mmr: undefined, nearDuplicates: undefined, reranker: undefined, ...more }) as QuerySettings

/** A ranking, best first, of candidates with the directions of their vectors. */
const ranking = (...degrees: number[]): Ranked<Candidate>[] =>
  degrees.map((angle, at) => ({
    candidate: {
      id: `${at}`,
      pageContent: `text ${at}`,
      vector: Float32Array.of(Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)),
    } as unknown as Candidate,
    score: 1 - at / 100,
  }))

/** A reranker that prefers what comes last, and the calls that it got. */
function lastFirst() {
  const calls: { query: string; texts: readonly string[]; options: object }[] = []
  const reranker: Reranker = {
    id: 'test/last first',
    async rerank(query, texts, options) {
      calls.push({ query, texts, options })
      return texts
        .map((_, index) => ({ index, score: index }))
        .reverse()
        .slice(0, options.limit)
    },
  }
  return { reranker, calls }
}

const chosenOf = async (ranked: readonly Ranked<Candidate>[], more: QuerySettings, signal?: AbortSignal) =>
  (await chooseInSteps(ranked, 'why?', more, { signal })).chosen

const chosen = async (ranked: Ranked<Candidate>[], more: Partial<QuerySettings>, signal?: AbortSignal) =>
  (await chosenOf(ranked, settings(more), signal)).map(({ candidate }) => Number(candidate.id))

const many = Array.from({ length: 60 }, (_, at) => at * 3)

test('consideredCount() is the most of topK, fetchK, and the fifty that a reranker reads', () => {
  const { reranker } = lastFirst()
  assert.equal(consideredCount(settings({ topK: 7 })), 7)
  assert.equal(consideredCount(settings({ topK: 7, mmr: { fetchK: 20, lambda: 0.5 } })), 20)
  assert.equal(consideredCount(settings({ topK: 30, mmr: { fetchK: 20, lambda: 0.5 } })), 30)
  assert.equal(consideredCount(settings({ topK: 7, reranker })), 50)
  assert.equal(consideredCount(settings({ topK: 70, reranker })), 70)
})

test('comparesVectors() is for MMR and near duplicates', () => {
  assert.equal(comparesVectors(settings({})), false)
  assert.equal(comparesVectors(settings({ mmr: { fetchK: 20, lambda: 0.5 } })), true)
  assert.equal(comparesVectors(settings({ nearDuplicates: 0.9 })), true)
})

test('chooseInSteps() takes the first of a ranking', async () => {
  assert.deepEqual(await chosen(ranking(0, 0, 0), {}), [0, 1])
  assert.deepEqual(await chosen(ranking(0), {}), [0])
  assert.deepEqual(await chosen([], {}), [])
})

test('chooseInSteps() leaves near duplicates out, and fills their places from all of the ranking', async () => {
  assert.deepEqual(await chosen(ranking(0, 1, 2, 90), { nearDuplicates: 0.9 }), [0, 3])
  assert.deepEqual(await chosen(ranking(0, 1, 2, 3), { nearDuplicates: 0.9 }), [0])
})

test('chooseInSteps() gives the fifty best to a reranker, with their passages, and takes its order and scores', async () => {
  const { reranker, calls } = lastFirst()
  const ranked = ranking(...many)
  ranked[1]!.candidate.passage = 'the passage of 1'
  const { signal } = new AbortController()
  const answers = await chosenOf(ranked, settings({ reranker }), signal)
  assert.deepEqual(
    answers.map(({ candidate, score, rerank }) => [candidate.id, score, rerank]),
    [
      ['49', 49, { score: 49, place: 1 }],
      ['48', 48, { score: 48, place: 2 }],
    ],
  )
  const [{ query, texts, options }] = calls as [(typeof calls)[number]]
  assert.equal(query, 'why?')
  assert.deepEqual(texts.slice(0, 3), ['text 0', 'the passage of 1', 'text 2'])
  assert.equal(texts.length, 50)
  assert.deepEqual(options, { limit: 2, signal })
  await chosen(ranked, { reranker, topK: 1 })
  assert.deepEqual(calls[1]!.options, { limit: 1 })
})

test('chooseInSteps() asks no reranker about nothing', async () => {
  const { reranker, calls } = lastFirst()
  assert.deepEqual(await chosen([], { reranker }), [])
  assert.deepEqual(calls, [])
})

test('chooseInSteps() fails where a reranker names a text that it did not get', async () => {
  const reranker: Reranker = { id: 'test/wrong', rerank: async () => [{ index: 3, score: 1 }] }
  await assert.rejects(chosen(ranking(0, 1), { reranker }), { code: 'internal', facts: { id: 'test/wrong' } })
})

test('chooseInSteps() reranks first and lets MMR choose among all that were judged', async () => {
  const { reranker, calls } = lastFirst()
  // The last two are alike: the second one is another.
  assert.deepEqual(await chosen(ranking(0, 90, 91), { reranker, mmr: { fetchK: 20, lambda: 0.5 } }), [2, 0])
  assert.deepEqual(calls[0]!.options, { limit: 3 })
})

test('chooseInSteps() with MMR chooses among fetchK, and at least among topK', async () => {
  const ranked = ranking(0, 1, 2, 90)
  assert.deepEqual(await chosen(ranked, { mmr: { fetchK: 4, lambda: 0.5 } }), [0, 3])
  assert.deepEqual(await chosen(ranked, { mmr: { fetchK: 3, lambda: 0.5 } }), [0, 1])
  assert.deepEqual(await chosen(ranked, { topK: 3, mmr: { fetchK: 1, lambda: 0.5 } }), [0, 1, 2])
})

test('chooseInSteps() lets other work run while it compares, every five milliseconds, and ends when it is told', async (t) => {
  let [time, step] = [0, 1]
  t.mock.method(performance, 'now', () => (time += step))
  const turns = async () => {
    let count = 0
    let isOver = false
    const tick = () => {
      if (isOver) return
      count++
      setImmediate(tick)
    }
    setImmediate(tick)
    await chosen(ranking(...many), { topK: 50, nearDuplicates: 1 })
    isOver = true
    return count
  }
  const often = await turns()
  assert.ok(often >= 8 && often <= 14, `${often}`)
  step = 9
  const always = await turns()
  assert.ok(always >= 45, `${always}`)
  const aborted = AbortSignal.abort(new Error('gone'))
  await assert.rejects(chosen(ranking(...many), { topK: 50, nearDuplicates: 1 }, aborted), {
    message: 'gone',
  })
})
