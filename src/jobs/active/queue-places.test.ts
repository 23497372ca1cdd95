import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queuePlaces } from './queue-places.ts'

const job = (id: string, owner: string, state: 'queued' | 'running' = 'queued') => ({ id, owner, state })

test('queuePlaces() lets owners take turns, and keeps the order of arrival within one', () => {
  const places = queuePlaces([
    job('a1', 'a'),
    job('a2', 'a'),
    job('a3', 'a'),
    job('b1', 'b'),
    job('b2', 'b'),
    job('c1', 'c'),
  ])
  assert.deepEqual([...places.keys()], ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  assert.deepEqual([...places.values()], [1, 2, 3, 4, 5, 6])
})

test('queuePlaces() puts an owner with running jobs behind those with fewer', () => {
  const places = queuePlaces([
    job('a1', 'a', 'running'),
    job('a2', 'a', 'running'),
    job('a3', 'a'),
    job('b1', 'b'),
    job('b2', 'b'),
    job('b3', 'b'),
  ])
  assert.deepEqual(
    [...places],
    [
      ['b1', 1],
      ['b2', 2],
      ['a3', 3],
      ['b3', 4],
    ],
  )
})

test('queuePlaces() has no place for running jobs', () => {
  assert.equal(queuePlaces([job('a', 'a', 'running')]).size, 0)
})
