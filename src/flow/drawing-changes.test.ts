import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallCatalog } from '../../test/support/small-catalog.ts'
import type { JsonObject } from '../kit/json.ts'
import { drawingChanges } from './drawing-changes.ts'
import { NOT_SHOWN } from './setting-change.ts'

const node = (id: string, name: string, inputs: JsonObject, label = `${name} node`): JsonObject => ({
  id,
  position: { x: 1, y: 2 },
  data: { id, name, label, inputs },
})
const changes = (before: JsonObject[], after: JsonObject[]) =>
  drawingChanges(smallCatalog, { nodes: before, edges: [] }, { nodes: after, edges: [] }).map(
    ({ nodeId, input, label, from, to }) => [nodeId, input, label, from, to],
  )

test('drawingChanges() tells inputs by their labels, and no default, place or equal value', () => {
  const before = node('l', 'loader', { notes: 'none', deep: 'true' })
  assert.deepEqual(
    changes([before], [{ ...node('l', 'loader', { deep: true }), position: { x: 9, y: 9 } }]),
    [],
  )
  assert.deepEqual(changes([before], [node('l', 'loader', { notes: 'More', deep: false })]), [
    ['l', 'notes', 'Notes', 'none', 'More'],
    ['l', 'deep', 'Deep', true, false],
  ])
})

test('drawingChanges() hides long values, addresses and inputs that no card has', () => {
  const [before, after] = [
    { url: 'https://a.example', notes: 'x'.repeat(500), secret: 'one' },
    { url: 'https://b.example', notes: 'y'.repeat(500), secret: 'two' },
  ]
  assert.deepEqual(changes([node('l', 'loader', before)], [node('l', 'loader', after)]), [
    ['l', 'url', 'URL', NOT_SHOWN, NOT_SHOWN],
    ['l', 'notes', 'Notes', NOT_SHOWN, NOT_SHOWN],
    ['l', 'secret', 'secret', NOT_SHOWN, NOT_SHOWN],
  ])
})

test('drawingChanges() tells nodes that came, went, are another kind or have another name', () => {
  assert.deepEqual(
    changes(
      [node('a', 'loader', {}, 'Old'), node('b', 'loader', {}, 'Gone'), node('c', 'loader', {}, 'Was')],
      [node('a', 'loader', {}, 'New'), node('c', 'other', {}, 'Is'), node('d', 'loader', {}, 'Came')],
    ),
    [
      ['a', null, 'Name', 'Old', 'New'],
      ['c', null, 'Node', 'Was', 'Is'],
      ['d', null, 'Node', null, 'Came'],
      ['b', null, 'Node', 'Gone', null],
    ],
  )
  assert.throws(() => drawingChanges(smallCatalog, '{}', '{"nodes":[]}'), { code: 'flow_invalid' })
})
