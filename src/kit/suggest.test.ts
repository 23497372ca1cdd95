import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggest } from './suggest.ts'

const COMMANDS = ['start', 'events', 'upsert', 'query', 'key']

test('suggest() finds the word that one slip of the fingers turns into the given one', () => {
  for (const slip of ['upser', 'upsertt', 'upsret', 'ubsert']) assert.equal(suggest(slip, COMMANDS), 'upsert')
})

test('suggest() prefers the nearest, and says nothing where nothing is near', () => {
  assert.equal(suggest('stat', ['stack', 'start']), 'start')
  assert.equal(suggest('delete', COMMANDS), undefined)
  assert.equal(suggest('x', COMMANDS), undefined)
  assert.equal(suggest('', COMMANDS), undefined)
})
