import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../../test/support/random.ts'
import { emptyTextIndex, writePassages } from '../../../test/support/text-index.ts'
import { questionTerms } from '../../text/terms/question.ts'
import { TermReader } from '../../text/terms/terms.ts'
import { classOf, LENGTHS } from '../../keyword/length-class.ts'
import { textIndex } from './text-index.ts'
import { holdersOf, searchText } from './text-search.ts'
import { textSegmentsOf } from './text-segments.ts'

const termsOf = (text: string): number[] => {
  const terms: number[] = []
  new TermReader((term) => terms.push(term)).read(text)
  return terms
}

/** BM25 with k1 0.9 and b 0.4, as it is written down: every passage, every term. */
function naive(passages: ReadonlyMap<number, string>, question: string): Map<number, number> {
  const read = [...passages].map(([id, text]) => ({ id, terms: termsOf(text) }))
  const lengthOf = (terms: readonly number[]) => LENGTHS[classOf(terms.length)]!
  const average = Math.max(1, read.reduce((sum, { terms }) => sum + lengthOf(terms), 0) / read.length)
  const scores = new Map<number, number>()
  for (const asked of new Set(termsOf(question))) {
    const holders = read.filter(({ terms }) => terms.includes(asked))
    const idf = Math.log(1 + (read.length - holders.length + 0.5) / (holders.length + 0.5))
    for (const { id, terms } of holders) {
      const count = terms.filter((term) => term === asked).length
      const part = (1.9 * count) / (count + 0.9 * (0.6 + (0.4 * lengthOf(terms)) / average))
      scores.set(id, (scores.get(id) ?? 0) + idf * part)
    }
  }
  return scores
}

test('searchText() gives as matched the part of the largest score that the question can reach', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  writePassages(connection, indexId, [
    [1, 'heron '.repeat(500)],
    [2, 'heron otter'],
    [3, 'badger'],
  ])
  const matchedBy = (question: string) =>
    new Map(
      [...searchText(connection, indexId, questionTerms(question))].map(({ id, matched }) => [id, matched]),
    )
  const heron = matchedBy('heron')
  assert.ok(heron.get(1)! > 0.95 && heron.get(1)! < 1)
  assert.ok(heron.get(2)! > 0.4 && heron.get(2)! < heron.get(1)!)
  // A word that no passage has counts most.
  assert.ok(matchedBy('heron capital mongolia').get(1)! < 0.3 * heron.get(1)!)
  assert.ok(matchedBy('heron otter').get(2)! > matchedBy('heron otter').get(1)!)
})

const WORDS =
  'amber birch cedar delta ember fjord grove heron inlet jetty karst lagoon marsh night otter'.split(' ')

test('searchText() ranks as BM25 does, in any division into segments', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  const random = randomBelow(21)
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.min(random(15), random(15))]!).join(' ')
  const passages = new Map<number, string>()
  let id = 0
  for (let batch = 0; batch < 150; batch++) {
    const texts: [number, string][] = []
    for (let count = random(8); count > 0; count--) {
      id += 1 + random(2)
      texts.push([id, words(random(40))])
    }
    writePassages(connection, indexId, texts)
    for (const [one, text] of texts) passages.set(one, text)
    while (random(2) === 0 && textIndex.tend(connection, indexId));
    if (batch % 10 !== 0) continue
    const question = words(1 + random(4))
    const scores = naive(passages, question)
    const allowed = new Set([...passages.keys()].filter(() => random(12) === 0))
    for (const set of [undefined, allowed, new Set(passages.keys())]) {
      const hits = [...searchText(connection, indexId, questionTerms(question), set)]
      const wanted = [...scores.keys()].filter((one) => !set || set.has(one))
      assert.deepEqual(hits.map((hit) => hit.id).sort(), wanted.sort())
      for (const [at, hit] of hits.entries()) {
        assert.ok(Math.abs(hit.score - scores.get(hit.id)!) < 1e-5 * hit.score, question)
        assert.ok(at === 0 || hits[at - 1]!.score >= hit.score)
      }
    }
  }
  assert.ok(textSegmentsOf(connection, indexId).length > 1)
})

test('searchText() finds a passage no more once it is removed, before and after its segment is merged', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  const ids = Array.from({ length: 100 }, (_, i) => 10 + i)
  writePassages(
    connection,
    indexId,
    ids.map((id) => [id, `heron number${id}`]),
  )
  const found = () =>
    [...searchText(connection, indexId, questionTerms('heron'))].map((hit) => hit.id).sort((a, b) => a - b)
  assert.deepEqual(found(), ids)
  textIndex.remove(connection, indexId, [9, 10, 55, 109, 110])
  const left = ids.filter((id) => ![10, 55, 109].includes(id))
  assert.deepEqual(found(), left)
  assert.equal(textIndex.tend(connection, indexId), false)
  textIndex.remove(connection, indexId, left.slice(0, 50))
  assert.deepEqual(found(), left.slice(50))
  assert.equal(textIndex.tend(connection, indexId), true)
  assert.deepEqual(found(), left.slice(50))
  assert.deepEqual([...searchText(connection, indexId, questionTerms('10'))], [])
  textIndex.remove(connection, indexId, left)
  assert.equal(textIndex.tend(connection, indexId), true)
  assert.deepEqual([found(), textSegmentsOf(connection, indexId)], [[], []])
})

test('searchText() gives as many as are asked for, and each once', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  writePassages(
    connection,
    indexId,
    Array.from({ length: 3000 }, (_, i) => [i + 1, 'heron '.repeat(1 + (i % 7))]),
  )
  const hits = [...searchText(connection, indexId, questionTerms('herons'))]
  assert.equal(new Set(hits.map(({ id }) => id)).size, 3000)
  for (const [at, { score }] of hits.entries()) assert.ok(at === 0 || hits[at - 1]!.score >= score)
})

test('searchText() finds nothing in an index without passages, without words, and for words that are not there', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  assert.deepEqual([...searchText(connection, indexId, questionTerms('heron'))], [])
  writePassages(connection, indexId, [
    [1, ''],
    [2, '...'],
  ])
  for (const question of ['heron', '', '?'])
    assert.deepEqual([...searchText(connection, indexId, questionTerms(question))], [])
})

test('holdersOf() counts the passages of an index that have each term, in any division into segments', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  const random = randomBelow(8)
  const counts = new Map<number, number>()
  for (let id = 1; id <= 60; id++) {
    const text = Array.from({ length: 12 }, () => `word${random(random(300) + 1)}`).join(' ')
    for (const term of new Set(termsOf(text))) counts.set(term, (counts.get(term) ?? 0) + 1)
    writePassages(connection, indexId, [[id, text]])
    writePassages(connection, indexId + 1, [[1000 + id, text]])
    if (random(6) === 0) textIndex.tend(connection, indexId)
  }
  for (const absent of [0, 17, 2 ** 48 - 1]) counts.set(absent, 0)
  assert.ok(textSegmentsOf(connection, indexId).length > 5)
  assert.deepEqual(holdersOf(connection, indexId, counts.keys()), counts)
  assert.deepEqual(holdersOf(connection, indexId + 9, [1, 1]), new Map([[1, 0]]))
})

test('textIndex.freeId() gives no id that a segment still contains', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  assert.equal(textIndex.freeId(connection), 1)
  writePassages(connection, indexId, [[7, 'heron']])
  assert.equal(textIndex.freeId(connection), 8)
  textIndex.remove(connection, indexId, [7])
  assert.equal(textIndex.freeId(connection), 8)
})

test('textIndex.drop() takes a segment at a time away, those of one index alone', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  for (const id of [1, 2, 3]) writePassages(connection, indexId, [[id, 'heron']])
  writePassages(connection, indexId + 1, [[4, 'heron']])
  const count = (table: string) => connection.all(`SELECT id FROM ${table}`).length
  assert.deepEqual(
    [1, 2, 3, 4].map(() => textIndex.drop(connection, indexId)),
    [true, true, true, false],
  )
  assert.deepEqual([count('text_segments'), count('text_pages')], [1, 1])
})

test('searchText() skips segments that have only passages of an open run', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  const begin = (state: string, first: number) =>
    connection.run(
      'INSERT INTO runs (index_id, state, first_chunk, first_passage, started_at) VALUES (?, ?, 1, ?, 1)',
      indexId,
      state,
      first,
    )
  const found = () =>
    [...searchText(connection, indexId, questionTerms('otter'))].map(({ id }) => id).sort((a, b) => a - b)
  writePassages(connection, indexId, [[1, 'otter']])
  begin('published', 1)
  begin('open', 2)
  writePassages(connection, indexId, [[2, 'otter']])
  writePassages(connection, indexId, [[3, 'otter']])
  assert.deepEqual(found(), [1])
  connection.run("UPDATE runs SET state = 'published'")
  assert.deepEqual(found(), [1, 2, 3])
})
