import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortcutOf } from './shortcuts.ts'

const press = (key: string, more = '') => ({
  key,
  ctrlKey: more.includes('ctrl'),
  metaKey: more.includes('meta'),
  shiftKey: more.includes('shift'),
  altKey: more.includes('alt'),
})

test('shortcutOf() knows the keys of the canvas', () => {
  assert.equal(shortcutOf(press('s', 'ctrl'), false), 'save')
  assert.equal(shortcutOf(press('z', 'meta'), false), 'undo')
  assert.equal(shortcutOf(press('Z', 'ctrl shift'), false), 'redo')
  assert.equal(shortcutOf(press('y', 'ctrl'), false), 'redo')
  assert.equal(shortcutOf(press('c'), false), 'connect')
  assert.equal(shortcutOf(press('F2'), false), 'rename')
  assert.equal(shortcutOf(press('r'), false), 'run')
  assert.equal(shortcutOf(press('q'), false), undefined)
  assert.equal(shortcutOf(press('s', 'ctrl alt'), false), undefined)
})

test('shortcutOf() leaves the keys to a text that is edited, except saving', () => {
  assert.equal(shortcutOf(press('s', 'ctrl'), true), 'save')
  for (const key of [press('z', 'ctrl'), press('c'), press('/'), press('Escape')])
    assert.equal(shortcutOf(key, true), undefined)
})
