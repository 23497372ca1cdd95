import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterOf, readExecutionSearch } from './execution-search.ts'

test('readExecutionSearch() keeps what a list can be narrowed by, and leaves out the rest', () => {
  const whole = {
    q: 'notice',
    flow: 'f',
    state: 'ERROR',
    from: '2026-03-01',
    to: '2026-03-02',
    page: 2,
    open: 'x',
  }
  assert.deepEqual(readExecutionSearch(whole), whole)
  assert.deepEqual(
    readExecutionSearch({ flow: 1, state: 'ODD', from: 'now', to: '2026-99-99', page: 1, open: '' }),
    {},
  )
})

test('filterOf() takes whole days of the person', () => {
  const { startDate, endDate } = filterOf({ from: '2026-03-01', to: '2026-03-01' })
  assert.equal(Date.parse(endDate!) - Date.parse(startDate!), 86_400_000 - 1)
  assert.deepEqual(readExecutionSearch({ q: 42 }), { q: '42' })
  assert.deepEqual(filterOf({}), {
    search: undefined,
    agentflowId: undefined,
    state: undefined,
    startDate: undefined,
    endDate: undefined,
  })
})
