import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateLimitOf, rateLimitProblem, withRateLimit } from './rate-limit.ts'

test('withRateLimit() keeps other members, and begins with usable numbers', () => {
  const first = withRateLimit({ overrideConfig: {} }, { isOn: true })
  assert.deepEqual(first, {
    overrideConfig: {},
    rateLimit: { status: true, limitMax: 60, limitDuration: 60, limitMsg: '' },
  })
  const off = withRateLimit(
    { rateLimit: { status: true, limitMax: '5', limitDuration: 9, own: 1 } },
    { isOn: false },
  )
  assert.deepEqual(off.rateLimit, { status: false, limitMax: '5', limitDuration: 9, own: 1, limitMsg: '' })
})

test('rateLimitProblem() names a limit without effect', () => {
  const limit = (limitMax: unknown, limitDuration: unknown, status = true) =>
    rateLimitProblem(rateLimitOf({ rateLimit: { status, limitMax, limitDuration } as never }))
  assert.equal(limit('5', 10), undefined)
  assert.equal(limit('', 10, false), undefined)
  for (const [max, seconds] of [
    ['', 10],
    [5, 'abc'],
    [0, 5],
  ])
    assert.match(limit(max, seconds)!, /no limit/)
})
