import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedDifferences } from '../../../test/support/simulated-differences.ts'
import { holm } from './holm.ts'
import { LOOK_LEVEL, LOOKS, lookPoints } from './looks.ts'
import { type PairedDifference, pairedTest } from './paired-test.ts'
import type { VariantVerdict } from '../../contract/verdict.ts'
import { shortScore, verdictsOf } from './verdict.ts'

const verdictOn = (...differences: number[]): VariantVerdict => verdictsOn(differences)[0]!

const verdictsOn = (...variants: number[][]): VariantVerdict[] =>
  verdictsOf(
    variants.map((differences, at) => ({
      name: 'BCDEFGH'[at]!,
      differences: differences.map((difference, question) => ({ difference, cluster: String(question) })),
    })),
    { baseline: 'live', looks: 1, seed: 1 },
  )

const times = (count: number, difference: number): number[] => Array.from({ length: count }, () => difference)

test('verdictsOf() says which is better, with the interval and the questions [compare:verdict]', () => {
  const better = verdictOn(...times(30, 0.2), ...times(90, 0))
  assert.equal(better.kind, 'better')
  assert.match(better.sentence, /^B is better: \+\.050 \(\.0\d\d to \.\d\d\d\), 120 questions$/)
  const worse = verdictOn(...times(30, -0.2), ...times(90, 0))
  assert.equal(worse.kind, 'worse')
  assert.match(worse.sentence, /^live is better: \+\.050 \(\.0\d\d to \.\d\d\d\), 120 questions$/)
})

test('verdictsOf() says that a difference is unlikely where the interval is small [compare:verdict]', () => {
  const same = verdictOn(...times(200, 0))
  assert.deepEqual([same.kind, same.sentence], ['alike', 'A difference above .02 is unlikely'])
  // Forty questions that do not differ say little of all others.
  assert.equal(verdictOn(...times(40, 0)).kind, 'open')
})

test('verdictsOf() says what cannot be told, and how many questions it needs [compare:verdict]', () => {
  const { kind, sentence } = verdictOn(0.4, -0.4, 0.6, -0.5, ...times(36, 0))
  assert.equal(kind, 'open')
  assert.match(
    sentence,
    /^Cannot tell: 40 questions show only differences above \.0\d; \.02 needs about [3-6]\d\d$/,
  )
})

test('verdictsOf() says nothing of a difference below thirty questions [compare:few-questions]', () => {
  for (const count of [0, 1, 29]) {
    const { kind, low, high, sentence } = verdictOn(...times(count, 1))
    assert.deepEqual([kind, low, high], ['open', null, null])
    assert.match(sentence, /^Cannot tell: /)
  }
  assert.equal(verdictOn(...times(30, 1)).kind, 'better')
})

test('verdictsOf() asks more of each variant where there are several [compare:holm]', () => {
  // Six of six one way: p = 2 / 64 alone.
  const six = [...times(6, 0.5), ...times(60, 0)]
  assert.equal(verdictOn(...six).kind, 'better')
  assert.deepEqual(
    verdictsOn(six, times(66, 0), times(66, 0))
      .map(({ kind }) => kind)
      .slice(0, 1),
    ['open'],
  )
})

test('tests and levels give at most 5 % of false verdicts where nothing differs, with one look and three [compare:false-verdicts]', () => {
  const trials = 60
  for (const variants of [1, 7])
    for (const looks of LOOKS) {
      let wrong = 0
      for (let trial = 0; trial < trials; trial++) {
        const all = simulatedDifferences({ questions: 90, variants, seed: 1 + trial })
        if (lookPoints(90, looks).some((point) => rejects(all, point, looks))) wrong++
      }
      // The share is below 5 %, `npm run bench -- verdicts` measures it; of 60 trials more than 8 would be very rare.
      assert.ok(wrong <= 8, `${wrong} of ${trials}, ${variants} variants, ${looks} looks`)
    }
})

test('verdictsOf() finds a difference of .05 in most of 200 questions [compare:power]', () => {
  let found = 0
  for (let trial = 0; trial < 20; trial++) {
    const all = simulatedDifferences({ questions: 200, variants: 1, effect: 0.05, seed: 1 + trial })
    if (
      verdictsOf([{ name: 'v', differences: all[0]! }], { baseline: 'live', looks: 1, seed: 1 })[0]!.kind ===
      'better'
    )
      found++
  }
  assert.ok(found >= 14, `${found} of 20`)
})

/** Whether a test rejects: a verdict needs an interval without 0, too. */
const rejects = (all: PairedDifference[][], point: number, looks: 1 | 3): boolean =>
  point >= 30 &&
  holm(
    all.map((differences) => pairedTest(differences.slice(0, point), 1).p),
    LOOK_LEVEL[looks],
  ).some(({ rejected }) => rejected)

test('shortScore() writes a score without its 0', () => {
  assert.deepEqual(
    [shortScore(0.0412), shortScore(-0.0123), shortScore(1), shortScore(-0.0001), shortScore(0.087, 2)],
    ['.041', '−.012', '1.000', '.000', '.09'],
  )
})
