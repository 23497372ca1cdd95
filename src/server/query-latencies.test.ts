import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryLatencies } from './query-latencies.ts'

const HOUR = 3_600_000

test('QueryLatencies gives the median and the 95th percentile of each hour, to about a tenth', () => {
  let now = 10 * HOUR
  const times = new QueryLatencies(() => now)
  for (let i = 1; i <= 100; i++) times.note('a', i)
  const [first] = times.hours('a')
  assert.deepEqual([first!.at, first!.queries], [10 * HOUR, 100])
  assert.ok(Math.abs(first!.p50 - 50) < 6, `p50 ${first!.p50}`)
  assert.ok(Math.abs(first!.p95 - 95) < 11, `p95 ${first!.p95}`)
  now += HOUR
  times.note('b', 0.5)
  assert.deepEqual(
    times.hours().map(({ at, queries }) => [at / HOUR, queries]),
    [
      [10, 100],
      [11, 1],
    ],
  )
  assert.deepEqual(times.hours('none'), [])
})

test('QueryLatencies forgets hours after two days, and the flow without queries for the longest time', () => {
  let now = 0
  const times = new QueryLatencies(() => now)
  times.note('flow 0', 1)
  now = 60 * HOUR
  for (let i = 1; i <= 500; i++) times.note(`flow ${i}`, 1)
  assert.deepEqual(times.hours('flow 0'), [])
  assert.equal(
    times.hours().reduce((sum, { queries }) => sum + queries, 0),
    500,
  )
  times.note('one more', 1)
  assert.equal(
    times.hours().reduce((sum, { queries }) => sum + queries, 0),
    500,
  )
})
