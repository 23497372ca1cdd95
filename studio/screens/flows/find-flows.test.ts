import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowSummary } from '../../server/flows.ts'
import { findFlows, type FlowSearch, readFlowSearch, sortedBy } from './find-flows.ts'

const flow = (name: string, rest: Partial<FlowSummary> = {}): FlowSummary => ({
  id: name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  name,
  type: 'CHATFLOW',
  category: null,
  createdDate: '2026-01-01T00:00:00.000Z',
  updatedDate: '2026-01-01T00:00:00.000Z',
  revision: 1,
  key: null,
  chunks: 0,
  documents: 0,
  problemCount: 0,
  problem: null,
  lastUpsert: null,
  ...rest,
})

const FLOWS = [
  flow('Tea house', { chunks: 5, updatedDate: '2026-01-03T00:00:00.000Z' }),
  flow('annual report', { chunks: 90, key: { id: 'k', name: 'harbour' } }),
  flow('Ferries', { chunks: 5, updatedDate: '2026-01-02T00:00:00.000Z' }),
]
const names = (search: FlowSearch) => findFlows(FLOWS, search).map(({ name }) => name)

test('findFlows() shows the flow changed last first, and wants every word in name, slug or key', () => {
  assert.deepEqual(names({}), ['Tea house', 'Ferries', 'annual report'])
  assert.deepEqual(names({ q: ' TEA ho' }), ['Tea house'])
  assert.deepEqual(names({ q: 'harbour' }), ['annual report'])
  assert.deepEqual(names({ q: 'tea harbour' }), [])
})

test('findFlows() sorts by each column both ways, by name among equal ones', () => {
  assert.deepEqual(names({ sort: 'name' }), ['annual report', 'Ferries', 'Tea house'])
  assert.deepEqual(names({ sort: 'chunks' }), ['annual report', 'Ferries', 'Tea house'])
  assert.deepEqual(names({ sort: 'chunks', up: true }), ['Ferries', 'Tea house', 'annual report'])
})

test('sortedBy() turns the order round at the second click', () => {
  assert.deepEqual(sortedBy({ q: 'a' }, 'name'), { q: 'a', sort: 'name', up: true })
  assert.deepEqual(sortedBy({ sort: 'name', up: true }, 'name'), { sort: 'name', up: false })
  assert.deepEqual(sortedBy({}, 'changed'), { sort: 'changed', up: true })
})

test('readFlowSearch() leaves out what no list has', () => {
  assert.deepEqual(readFlowSearch({ q: 7, sort: 'chunks', up: false, deleted: true }), {
    q: '7',
    sort: 'chunks',
    up: false,
    deleted: true,
  })
  assert.deepEqual(readFlowSearch({ q: '', sort: 'nonsense', up: 'x', deleted: 'y', other: 1 }), {})
})
