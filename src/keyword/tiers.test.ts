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
