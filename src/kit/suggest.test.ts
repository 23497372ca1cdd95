import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, suggest } from './suggest.ts'

const COMMANDS = ['start', 'events', 'upsert', 'query', 'key']

test('suggest() finds the word that one slip of the fingers turns into the given one', () => {
  for (const slip of ['upser', 'upsertt', 'upsret', 'ubsert']) assert.equal(suggest(slip, COMMANDS), 'upsert')
})

test('suggest() gives the nearest candidate, and undefined if none is near', () => {
  assert.equal(suggest('stat', ['stack', 'start']), 'start')
  assert.equal(suggest('delete', COMMANDS), undefined)
  assert.equal(suggest('x', COMMANDS), undefined)
  assert.equal(suggest('', COMMANDS), undefined)
})

test('suggest() does not look at case, and takes the beginning of one word for the whole', () => {
  assert.equal(suggest('chunksize', ['chunkSize', 'chunkOverlap']), 'chunkSize')
  assert.equal(suggest('web', ['website', 'pdf']), 'website')
  assert.equal(suggest('chunk', ['chunkSize', 'chunkOverlap']), undefined)
})

test('didYouMean() names the nearest candidate, or gives the other text', () => {
  assert.equal(didYouMean('upsret', COMMANDS), 'did you mean upsert?')
  assert.equal(didYouMean('delete', COMMANDS, 'see the list'), 'see the list')
  assert.equal(didYouMean('delete', COMMANDS), undefined)
})
