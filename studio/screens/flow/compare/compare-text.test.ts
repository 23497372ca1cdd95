import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComparedRow, ComparedVariant, ComparisonOutcome } from '../../../server/compare.ts'
import {
  changesText,
  countsOfRows,
  differenceText,
  kindOfRow,
  ndcgTexts,
  readCompareSearch,
  rowsOf,
} from './compare-text.ts'

const row = (id: string, ...answers: [ndcg10: number, place: number | null][]): ComparedRow => ({
  id,
  text: id,
  sources: [],
  answers: answers.map(([ndcg10, place]) => ({ ndcg10, place, recall10: 0, ms: 1, hit: null })),
})

const ROWS = [
  row('same', [1, 1], [1, 1]),
  row('better', [0, null], [1, 1]),
  row('neither', [0, null], [0, null]),
  row('a little worse', [1, 1], [0.63, 2]),
  row('much worse', [1, 1], [0, null]),
]
const OUTCOME = { rows: ROWS } as ComparisonOutcome

test('rowsOf() lists what is worse by most first', () => {
  const ids = (kind: Parameters<typeof rowsOf>[2]) => rowsOf(OUTCOME, 1, kind).map(({ id }) => id)
  assert.deepEqual(ids('all'), ['much worse', 'a little worse', 'better', 'neither', 'same'])
  assert.deepEqual(ids('worse'), ['much worse', 'a little worse'])
  assert.deepEqual(countsOfRows(OUTCOME, 1), { all: 5, worse: 2, better: 1, same: 1, neither: 1 })
  assert.equal(kindOfRow(ROWS[2]!, 1), 'neither')
})

test('differenceText() says whether a difference is certain', () => {
  const measure = { value: 0.5, difference: 0.041 }
  assert.deepEqual(differenceText({ ...measure, low: 0.012, high: 0.07 }), {
    text: '+4.1 points · 95 %: +1.2 to +7.0',
    isCertain: true,
  })
  assert.equal(differenceText({ ...measure, low: -0.01, high: 0.07 }).isCertain, false)
  assert.deepEqual(differenceText({ ...measure, low: null, high: null }), {
    text: '+4.1 points',
    isCertain: false,
  })
})

test('ndcgTexts() has the interval of the verdict, so that both say the same', () => {
  const [before, after] = [0.45, 0.599].map((value) => ({
    value,
    difference: 0.149,
    low: 0.007,
    high: 0.336,
  }))
  const verdict = { low: 0.006, high: 0.342 } as ComparedVariant['verdict']
  assert.deepEqual(ndcgTexts({ ndcg10: before! }, { ndcg10: after!, verdict }), {
    value: '0.450 → 0.599',
    text: '+0.149 · 95 %: +0.006 to +0.342',
    isCertain: true,
  })
  const open = { low: null, high: null } as unknown as ComparedVariant['verdict']
  assert.equal(ndcgTexts({ ndcg10: before! }, { ndcg10: after!, verdict: open }).isCertain, false)
})

test('changesText() names what a variant has otherwise', () => {
  const change = { nodeId: 'splitter_0', input: 'chunkSize', label: 'Chunk Size', from: 1000, to: 600 }
  const variant = { revision: null, ownDrawing: false, changes: [change] } as unknown as ComparedVariant
  assert.equal(changesText(variant), 'Chunk Size 1000 → 600')
  assert.equal(changesText({ ...variant, revision: 7, changes: [] }), 'revision 7')
})

test('readCompareSearch() takes what an address may have', () => {
  assert.deepEqual(readCompareSearch({ job: 'a', variant: 2, show: 'worse', question: 'q' }), {
    ...{ job: 'a', variant: 2, show: 'worse', question: 'q' },
  })
  assert.deepEqual(readCompareSearch({ job: 1, variant: 0, show: 'none' }), {})
})
