import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOT_SHOWN, settingChangeText } from './setting-change.ts'

test('settingChangeText() shows both values in one line, and hides values that are not known', () => {
  const text = (from: Parameters<typeof settingChangeText>[0]['from'], to: typeof from) =>
    settingChangeText({ label: 'Chunk Size', from, to })
  assert.equal(text(1000, 600), 'Chunk Size 1000 → 600')
  assert.equal(text(null, 'a\nb'), 'Chunk Size none → a b')
  assert.equal(text(true, false), 'Chunk Size on → off')
  assert.equal(text(NOT_SHOWN, NOT_SHOWN), 'Chunk Size has another value')
  assert.equal(text('', 'x'.repeat(80)).length, 'Chunk Size none → '.length + 40)
})
