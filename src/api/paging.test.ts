import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { chatId, count, jsonObject } from './json.ts'
import { dateRange, listOf, pageIfAsked, pageQuery } from './paging.ts'

test('pageQuery has the first fifty rows where nothing is asked, pageIfAsked all', () => {
  assert.deepEqual(pageQuery.parse({}), { page: 1, limit: 50 })
  assert.deepEqual(pageIfAsked.parse({}), {})
})

test('a page is a whole number from 1, and has 1 to 1,000 rows', () => {
  for (const shape of [pageQuery, pageIfAsked]) {
    assert.deepEqual(shape.parse({ page: '1', limit: '1000' }), { page: 1, limit: 1000 })
    assert.deepEqual(shape.parse({ page: '900000', limit: '1' }), { page: 900_000, limit: 1 })
    for (const wrong of [
      { page: '0' },
      { page: '-1' },
      { page: '1.5' },
      { page: 'x' },
      { page: '' },
      { limit: '0' },
      { limit: '1001' },
      { limit: '2.5' },
    ])
      assert.equal(shape.safeParse(wrong).success, false, JSON.stringify(wrong))
  }
})

test('dateRange takes days and moments with an offset', () => {
  for (const startDate of ['2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.5+02:00'])
    assert.deepEqual(dateRange.parse({ startDate }), { startDate })
  for (const endDate of ['', '2026-02-30', '31.01.2026', '2026-01-31T10:00:00', 'now'])
    assert.equal(dateRange.safeParse({ endDate }).success, false, endDate)
})

test('listOf() takes all rows, or a page with the number of all', () => {
  const list = listOf(z.object({ id: z.string() }))
  const rows = [{ id: 'a' }]
  for (const value of [rows, [], { data: rows, total: 1 }]) assert.ok(list.safeParse(value).success)
  for (const value of [{ data: rows }, { data: rows, total: -1 }, { data: rows, total: 0.5 }, [{}]])
    assert.equal(list.safeParse(value).success, false)
})

test('the shapes that others share have their bounds', () => {
  assert.deepEqual(
    [0, 1, -1, 0.5, '1'].map((value) => count.safeParse(value).success),
    [true, true, false, false, false],
  )
  assert.deepEqual(
    [255, 256].map((length) => chatId.safeParse('x'.repeat(length)).success),
    [true, false],
  )
  for (const value of [[], null, 'x', 1]) assert.equal(jsonObject.safeParse(value).success, false)
  const sent = JSON.parse('{"__proto__": {"a": 1}, "b": 2}')
  assert.equal(jsonObject.parse(sent), sent)
})
