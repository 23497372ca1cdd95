import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { AT_REST, type MergeRule, nextMerge, type SegmentSize, WHILE_WRITING } from './tiers.ts'

const whole = (passages: number): SegmentSize => ({ passages, gone: 0 })

/** Merges until no merge is left; returns how many passages were written. */
function settle(segments: SegmentSize[], rule: MergeRule): number {
  let written = 0
  for (let range = nextMerge(segments, rule); range; range = nextMerge(segments, rule)) {
    const merged = segments.slice(range.from, range.to)
    const passages = merged.reduce((sum, segment) => sum + segment.passages - segment.gone, 0)
    assert.ok(passages <= rule.largest || merged.length === 1)
    segments.splice(range.from, merged.length, ...(passages > 0 ? [whole(passages)] : []))
    written += passages
  }
  return written
}

/** The next merge of segments with so many passages, where 4 neighbours of one size become one of at most 64. */
const small = (...sizes: number[]) => nextMerge(sizes.map(whole), { fan: 4, largest: 64 })

test('nextMerge() merges so many neighbours of about one size, and not fewer', () => {
  assert.deepEqual(small(1, 1, 1, 1), { from: 0, to: 4 })
  assert.equal(small(1, 1, 1), undefined)
  assert.deepEqual(small(4, 4, 4, 4), { from: 0, to: 4 })
  assert.deepEqual(small(20, 1, 1, 1, 1), { from: 1, to: 5 })
  // Four of another size do not count, nor do those beyond a larger one.
  assert.equal(small(4, 1, 1, 1), undefined)
  assert.equal(small(1, 1, 5, 1, 1), undefined)
})

test('nextMerge() takes the smaller ones between along', () => {
  assert.deepEqual(small(4, 1, 4, 4, 1, 4), { from: 0, to: 6 })
  assert.equal(small(4, 1, 1, 4, 4), undefined)
})

test('nextMerge() merges as many as fit, and leaves those alone that have half of the largest', () => {
  assert.deepEqual(small(16, 16, 16, 16), { from: 0, to: 4 })
  assert.deepEqual(small(16, 16, 16, 17), { from: 0, to: 3 })
  assert.deepEqual(small(31, 31, 31, 31), { from: 0, to: 2 })
  assert.equal(small(32, 32, 32, 32), undefined)
  const sizes = [17, 17, 17, 17].map(whole)
  assert.deepEqual(nextMerge(sizes, { fan: 4, largest: 40 }), { from: 0, to: 2 })
})

test('nextMerge() writes a worn segment again alone if what is left of it is no larger than a merge', () => {
  const rule = { fan: 4, largest: 64 }
  assert.deepEqual(nextMerge([{ passages: 100, gone: 36 }], rule), { from: 0, to: 1 })
  assert.equal(nextMerge([{ passages: 100, gone: 35 }], rule), undefined)
})

for (const [name, rule, fan, largest] of [
  ['while passages are written', WHILE_WRITING, 32, 8192],
  ['at rest', AT_REST, 8, 262_144],
] as const)
  test(`nextMerge() merges ${fan} segments ${name}, and at most ${largest} passages`, () => {
    const ones = Array.from({ length: fan }, () => whole(1))
    assert.deepEqual(nextMerge(ones, rule), { from: 0, to: fan })
    assert.equal(nextMerge(ones.slice(1), rule), undefined)
    assert.deepEqual(nextMerge([{ passages: 2 * largest, gone: largest }], rule), { from: 0, to: 1 })
    assert.equal(nextMerge([{ passages: 2 * largest, gone: largest - 1 }], rule), undefined)
  })

test('nextMerge() keeps segments few and writes each passage a few times, whatever the batches are', () => {
  const random = randomBelow(5)
  const batches: [name: string, next: () => number][] = [
    ['one by one', () => 1],
    ['of 256', () => 256],
    ['of 1,024', () => 1024],
    ['of any size', () => 1 + random(1024)],
    ['larger than a merge may be', () => WHILE_WRITING.largest + 1],
  ]
  for (const [name, next] of batches) {
    const segments: SegmentSize[] = []
    let [passages, written, most] = [0, 0, 0]
    while (passages < 200_000 && segments.length < 500) {
      const size = next()
      segments.push(whole(size))
      passages += size
      written += settle(segments, WHILE_WRITING)
      most = Math.max(most, segments.length)
    }
    assert.ok(most <= passages / (WHILE_WRITING.largest / 2) + 4 * 33, `${name}: ${most} segments`)
    assert.ok(written <= 4 * passages, `${name}: ${written / passages} times`)
    assert.equal(
      segments.reduce((sum, segment) => sum + segment.passages, 0),
      passages,
    )
  }
})

test('nextMerge() leaves few segments at rest after a load, and after many small runs, and writes a passage a few times', () => {
  const loads: [name: string, runs: number, batches: number, size: number][] = [
    ['one load of a million', 1, 3907, 256],
    ['100 runs of 10,000', 100, 40, 250],
    ['5,000 runs of one', 5000, 1, 1],
  ]
  for (const [name, runs, batches, size] of loads) {
    const segments: SegmentSize[] = []
    let [written, most] = [0, 0]
    for (let run = 0; run < runs; run++) {
      for (let batch = 0; batch < batches; batch++) {
        segments.push(whole(size))
        written += size + settle(segments, WHILE_WRITING)
      }
      written += settle(segments, AT_REST)
      most = Math.max(most, segments.length)
    }
    const times = written / (runs * batches * size)
    assert.ok(most <= 32, `${name}: ${most} segments`)
    assert.ok(runs > 1 || segments.length <= 10, `${name}: ${segments.length} segments`)
    assert.ok(times <= 6, `${name}: written ${times} times`)
  }
})

test('nextMerge() merges a segment alone if more than a quarter is removed, and not if less is', () => {
  assert.equal(nextMerge([whole(5000), { passages: 5000, gone: 1250 }], AT_REST), undefined)
  assert.deepEqual(nextMerge([whole(5000), { passages: 5000, gone: 1251 }], AT_REST), { from: 1, to: 2 })
  const large = [
    { passages: 9000, gone: 8000 },
    { passages: 90_000, gone: 30_000 },
  ]
  assert.deepEqual(nextMerge(large, WHILE_WRITING), { from: 0, to: 1 })
  assert.equal(nextMerge(large.slice(1), WHILE_WRITING), undefined)
  const segments = [{ passages: 3, gone: 3 }]
  settle(segments, AT_REST)
  assert.deepEqual(segments, [])
})

test('nextMerge() finds nothing to do in no segments', () => {
  assert.equal(nextMerge([], AT_REST), undefined)
})
