import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleText } from './title-text.ts'

test('titleText() begins with the screen, and leaves out what is not known', () => {
  assert.equal(titleText('Ask', 'Quickstart'), 'Ask · Quickstart · Sluice')
  assert.equal(titleText('Jobs', undefined), 'Jobs · Sluice')
  assert.equal(titleText(undefined), 'Sluice')
})
