import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findActions } from './find-actions.ts'
import type { Action } from './registry.ts'

const action = (group: string, label: string, words?: string): Action => ({
  id: label,
  label,
  group,
  ...(words === undefined ? {} : { words }),
  run: () => undefined,
})
const ACTIONS = [
  action('Here', 'Save'),
  action('Here', 'Undo'),
  action('Go to', 'Flows'),
  ...Array.from({ length: 40 }, (_, at) => action('Flows', `Handbook ${at}`, `handbook-${at}`)),
  action('Flows', 'Save the whales', 'whales'),
]
const found = (search: string) =>
  findActions(ACTIONS, search).map(({ value, items }) => [value, items.map(({ label }) => label)] as const)

test('findActions() without a search lists what can be done here in full, and some of each other group', () => {
  const groups = found('')
  assert.deepEqual(groups.slice(0, 2), [
    ['Here', ['Save', 'Undo']],
    ['Go to', ['Flows']],
  ])
  assert.equal(groups[2]![1].length, 6)
})

test('findActions() wants every word, in label, group or other words, and puts labels that begin with it first', () => {
  assert.deepEqual(found('save'), [
    ['Here', ['Save']],
    ['Flows', ['Save the whales']],
  ])
  assert.deepEqual(found('WHALES flows'), [['Flows', ['Save the whales']]])
  assert.deepEqual(found('handbook-39'), [['Flows', ['Handbook 39']]])
  assert.deepEqual(found('handbook')[0]![1].length, 30)
  assert.deepEqual(found('nonsense'), [])
})
