import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../../test/support/studio-kinds.ts'
import { addNode, removeNodes } from '../../drawing/commands.ts'
import { isDirty } from '../../drawing/history.ts'
import { createEditor } from './editor.ts'

test('createEditor() shows each change, selects what was added, and lets go of what is gone', () => {
  const editor = createEditor({ nodes: [], edges: [] }, KINDS)
  const command = addNode(editor.getState().history.file, KINDS.get('store')!, { x: 0, y: 0 })
  editor.getState().run(command, [command.id])
  assert.deepEqual([...editor.getState().selection], ['store_0'])
  assert.equal(editor.getState().announcement, 'Done: add store')
  editor.getState().run(removeNodes(['store_0']))
  assert.deepEqual([...editor.getState().selection], [])
  editor.getState().undo()
  assert.equal(editor.getState().announcement, 'Undone: remove a node')
  assert.equal(editor.getState().graph.nodes.length, 1)
  editor.getState().redo()
  assert.equal(editor.getState().graph.nodes.length, 0)
})

test('createEditor() is dirty until markSaved() has the version', () => {
  const editor = createEditor({ nodes: [], edges: [] }, KINDS)
  editor.getState().run(addNode(editor.getState().history.file, KINDS.get('store')!, { x: 0, y: 0 }))
  assert.ok(isDirty(editor.getState().history))
  editor.getState().markSaved(editor.getState().history.file)
  assert.ok(!isDirty(editor.getState().history))
})
