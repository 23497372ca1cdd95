import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growingPauses } from './growing-pauses.ts'

test('growingPauses() lets a second attempt be made at once, then waits twice as long each time, an hour at most', () => {
  let now = 1_000_000
  const pauses = growingPauses(() => now)
  const waits = Array.from({ length: 12 }, () => {
    pauses.failed('a')
    let waited = 0
    for (; !pauses.isDue('a'); waited += 10_000) now += 10_000
    return waited / 1000
  })
  assert.deepEqual(waits, [0, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600])
})

test('growingPauses() knows things apart, and begins anew after an end', () => {
  const pauses = growingPauses(() => 5)
  pauses.failed('a')
  pauses.failed('a')
  assert.deepEqual([pauses.isDue('a'), pauses.isDue('b')], [false, true])
  pauses.end('a')
  pauses.failed('a')
  assert.equal(pauses.isDue('a'), true)
})
