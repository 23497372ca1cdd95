import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { LARGEST, nextMerge, type SegmentSize } from './tiers.ts'

const whole = (passages: number): SegmentSize => ({ passages, gone: 0 })

/** Merges until all is well; answers how many passages were written on the way. */
function settle(segments: SegmentSize[]): number {
  let written = 0
  for (let range = nextMerge(segments); range; range = nextMerge(segments)) {
    const merged = segments.slice(range.from, range.to)
    const passages = merged.reduce((sum, segment) => sum + segment.passages - segment.gone, 0)
    assert.ok(passages <= LARGEST || merged.length === 1)
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
    ['larger than a merge may be', () => LARGEST + 1],
  ]
  for (const [name, next] of batches) {
    const segments: SegmentSize[] = []
    let [passages, written, most] = [0, 0, 0]
    while (passages < 200_000 && segments.length < 500) {
      const size = next()
      segments.push(whole(size))
      passages += size
      written += settle(segments)
      most = Math.max(most, segments.length)
    }
    assert.ok(most <= passages / (LARGEST / 2) + 4 * 33, `${name}: ${most} segments`)
    assert.ok(written <= 4 * passages, `${name}: ${written / passages} times`)
    assert.equal(
      segments.reduce((sum, segment) => sum + segment.passages, 0),
      passages,
    )
  }
})

test('nextMerge() merges a segment alone if more than a quarter is removed, and not if less is', () => {
  assert.equal(nextMerge([whole(5000), { passages: 5000, gone: 1250 }]), undefined)
  assert.deepEqual(nextMerge([whole(5000), { passages: 5000, gone: 1251 }]), { from: 1, to: 2 })
  const segments = [{ passages: 3, gone: 3 }]
  settle(segments)
  assert.deepEqual(segments, [])
})

test('nextMerge() finds nothing to do in no segments', () => {
  assert.equal(nextMerge([]), undefined)
})
