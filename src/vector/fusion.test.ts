import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candidatesPerSide, combineRanks, combineScores } from './fusion.ts'

const both = { name: 'both', vectorScore: 0.6, keywordScore: 5 }
const meaning = { name: 'meaning', vectorScore: 0.8, keywordScore: null }
const word = { name: 'word', vectorScore: 0.1, keywordScore: 10 }
const unasked = { name: 'unasked', vectorScore: null, keywordScore: 10 }

const round = (score: number) => Number(score.toFixed(6))
const shown = (ranked: { candidate: { name: string }; score: number }[]) =>
  ranked.map(({ candidate, score }) => [candidate.name, round(score)])

test('combineScores adds the cosine and the share of the best keyword score', () => {
  assert.deepEqual(shown(combineScores([meaning, word, both])), [
    ['word', 0.55],
    ['both', 0.55],
    ['meaning', 0.4],
  ])
  assert.deepEqual(shown(combineScores([meaning, word, both], 0.8)), [
    ['meaning', 0.64],
    ['both', 0.58],
    ['word', 0.28],
  ])
})

test('combineScores with all weight on one side ranks by that side alone', () => {
  assert.deepEqual(
    shown(combineScores([word, both, meaning], 1)).map(([name]) => name),
    ['meaning', 'both', 'word'],
  )
  assert.deepEqual(shown(combineScores([meaning, both, word], 0)), [
    ['word', 1],
    ['both', 0.5],
    ['meaning', 0],
  ])
})

test('combineScores counts a side that did not answer as zero', () => {
  assert.deepEqual(shown(combineScores([unasked])), [['unasked', 0.5]])
  assert.deepEqual(shown(combineScores([meaning])), [['meaning', 0.4]])
  assert.deepEqual(combineScores([]), [])
})

test('combineScores keeps the order of equals', () => {
  const twins = Array.from({ length: 20 }, (_, place) => ({
    name: `${place}`,
    vectorScore: 0.5,
    keywordScore: 1,
  }))
  assert.deepEqual(
    combineScores(twins).map(({ candidate }) => candidate),
    twins,
  )
})

test('combineRanks adds the reciprocal ranks of both sides', () => {
  // By cosine: meaning, both, word. By keywordScore: word, both.
  assert.deepEqual(shown(combineRanks([both, meaning, word])), [
    ['word', round(1 / 61 + 1 / 63)],
    ['both', round(2 / 62)],
    ['meaning', round(1 / 61)],
  ])
  assert.deepEqual(shown(combineRanks([{ name: 'none', vectorScore: null, keywordScore: null }])), [
    ['none', 0],
  ])
  assert.equal(combineRanks([both], 0)[0]!.score, 2)
})

test('candidatesPerSide takes a hundred, or twice what is wanted', () => {
  assert.deepEqual([4, 50, 200].map(candidatesPerSide), [100, 100, 400])
})
