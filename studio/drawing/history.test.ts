import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from './commands.ts'
import type { FlowFile } from './flow-file.ts'
import { isDirty, openHistory, redo, run, saved, undo, UNDO_LIMIT } from './history.ts'

const EMPTY: FlowFile = { nodes: [] }
const type = (text: string): Command => ({
  title: 'type',
  merge: 'typing',
  apply: (file) => ({ ...file, text }),
})
const add = (id: string): Command => ({
  title: `add ${id}`,
  apply: (file) => ({ ...file, nodes: [...file.nodes, id] }),
})

test('undo() and redo() go through the versions, and the first version is not dirty', () => {
  let history = run(run(openHistory(EMPTY), add('a')), add('b'))
  assert.deepEqual(history.file.nodes, ['a', 'b'])
  assert.ok(isDirty(history))
  history = undo(undo(history))
  assert.deepEqual([history.file.nodes, isDirty(history)], [[], false])
  assert.equal(undo(history), history)
  history = redo(redo(history))
  assert.deepEqual(history.file.nodes, ['a', 'b'])
  assert.equal(redo(history), history)
})

test('run() after undo() lets go of what was undone', () => {
  const history = run(undo(run(openHistory(EMPTY), add('a'))), add('b'))
  assert.deepEqual(history.file.nodes, ['b'])
  assert.equal(redo(history), history)
})

test('run() undoes letters that were typed one after another together', () => {
  const history = run(run(run(openHistory(EMPTY), add('a')), type('x')), type('xy'))
  assert.equal(history.past.length, 2)
  assert.deepEqual(undo(history).file, { nodes: ['a'] })
})

test('run() begins a new step after saving, so that undo comes back to the saved version', () => {
  let history = run(openHistory(EMPTY), type('x'))
  history = saved(history, history.file)
  assert.ok(!isDirty(history))
  history = run(history, type('xy'))
  assert.ok(isDirty(history))
  assert.ok(!isDirty(undo(history)))
})

test('saved() leaves changes that were made during saving unsaved', () => {
  const sent = run(openHistory(EMPTY), add('a'))
  const later = run(sent, add('b'))
  assert.ok(isDirty(saved(later, sent.file)))
})

test('run() keeps no step for a command that changes nothing, and a bounded number of steps', () => {
  let history = openHistory(EMPTY)
  assert.equal(run(history, { title: 'nothing', apply: (file) => file }), history)
  for (let count = 0; count < UNDO_LIMIT + 10; count++) history = run(history, add(String(count)))
  assert.equal(history.past.length, UNDO_LIMIT)
})
