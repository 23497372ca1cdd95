import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { holdersOf, searchText } from '../../src/db/sqlite/text-search.ts'
import { textIndex } from '../../src/db/sqlite/text-index.ts'
import { textSegmentsOf } from '../../src/db/sqlite/text-segments.ts'
import { readCollection } from '../../src/evaluate/collection.ts'
import { evenly } from '../../src/evaluate/timing.ts'
import { dampings, rarity, SATURATED } from '../../src/keyword/bm25.ts'
import { classOf, LENGTHS } from '../../src/keyword/length-class.ts'
import { questionTerms } from '../../src/text/terms/question.ts'
import { TermReader } from '../../src/text/terms/terms.ts'
import { emptyTextIndex, writePassages } from '../support/text-index.ts'

const corpus = process.env.SLUICE_CORPUS
const COLLECTIONS = ['clapnq_dev', 'squad_dev', 'jaquad_ja_dev', 'xquad_de']
const QUERIES = 80
const BATCH = 256
const f32 = Math.fround

type ReadPassage = { id: number; length: number; counts: Map<number, number> }

function readTerms(id: number, text: string): ReadPassage {
  const counts = new Map<number, number>()
  let length = 0
  new TermReader((term) => {
    counts.set(term, (counts.get(term) ?? 0) + 1)
    length++
  }).read(text)
  return { id, length: classOf(length), counts }
}

/** Every passage with every term, in plain code: the rounding and the order of the sum are those of `searchText`. */
function exhaustive(passages: readonly ReadPassage[], terms: ReadonlyMap<number, number>) {
  const average = passages.reduce((sum, { length }) => sum + LENGTHS[length]!, 0) / passages.length
  const corpusSize = { passages: passages.length, averageLength: Math.max(1, average) }
  const damping = dampings(corpusSize)
  const weighted = Array.from(terms, ([term, weight]) => {
    const holders = passages.reduce((sum, { counts }) => sum + (counts.has(term) ? 1 : 0), 0)
    return { term, weight: weight * rarity(corpusSize, holders) * SATURATED }
  }).sort((left, right) => right.weight - left.weight || left.term - right.term)
  return passages
    .map(({ id, length, counts }) => {
      let score = 0
      for (const { term, weight } of weighted) {
        const count = counts.get(term)
        if (count) score = f32(score + f32(f32(weight) * f32(count / f32(count + damping[length]!))))
      }
      return { id, score }
    })
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || left.id - right.id)
}

if (corpus === undefined) test('searchText() on the collections', { skip: 'SLUICE_CORPUS is not set' })
else
  for (const name of COLLECTIONS)
    test(`searchText() finds on ${name} what adding up all passages finds, with the same scores to the bit`, async (t) => {
      const { documents, queries } = await readCollection(path.join(corpus, 'retrieval', name))
      const { connection, indexId } = await emptyTextIndex(t)
      const passages = documents.map(({ title, text }, at) => ({ id: 1 + at, text: `${title} ${text}` }))
      for (let from = 0; from < passages.length; from += BATCH) {
        const batch = passages.slice(from, from + BATCH)
        writePassages(
          connection,
          indexId,
          batch.map(({ id, text }): [number, string] => [id, text]),
        )
      }
      const read = passages.map(({ id, text }) => readTerms(id, text))
      const compare = (text: string) => {
        const terms = questionTerms(text)
        const found = [...searchText(connection, indexId, terms)].map(({ id, score }) => ({ id, score }))
        assert.deepEqual(found, exhaustive(read, terms), text)
        const best: typeof found = []
        for (const { id, score } of searchText(connection, indexId, terms))
          if (best.push({ id, score }) === 100) break
        assert.deepEqual(best, found.slice(0, 100), text)
      }
      const asked = evenly(queries, QUERIES).map(({ text }) => text)
      for (const text of asked) compare(text)
      // Long ones, and one of common words only.
      for (let at = 0; at + 6 < asked.length; at += 16) compare(asked.slice(at, at + 6).join(' '))
      compare('the of and in to a')
      while (connection.transaction(() => textIndex.tend(connection, indexId)));
      assert.ok(textSegmentsOf(connection, indexId).length < passages.length / BATCH / 2 + 8)
      for (const text of asked.slice(0, 50)) compare(text)
      const all = read.reduce((sum, { counts }) => sum + counts.size, 0)
      const terms = new Set(read.flatMap(({ counts }) => [...counts.keys()]))
      const held = holdersOf(connection, indexId, terms)
      assert.equal(
        [...held.values()].reduce((sum, one) => sum + one, 0),
        all,
      )
    })
