import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DrawnNode } from './graph.ts'
import type { NodeInput } from './node-kinds.ts'
import { changedValues, usedValues, valueText } from './value-text.ts'

const input = (name: string, type: string, more: Partial<NodeInput> = {}): NodeInput => ({
  name,
  label: name,
  type,
  optional: true,
  ...more,
})

test('valueText() shows a value in one line, and no secret', () => {
  assert.equal(valueText(input('a', 'password'), 'sk-123'), '••••••••')
  assert.equal(valueText(input('a', 'boolean'), 'true'), 'yes')
  assert.equal(valueText(input('a', 'string'), 'x\n  y'), 'x y')
  assert.equal(valueText(input('a', 'file'), 'data:;base64,AA==,filename:a.txt'), 'a.txt')
  assert.equal(valueText(input('a', 'json'), {}), '')
  assert.equal(valueText(input('a', 'options', { options: [{ name: 'b', label: 'B' }] }), 'b'), 'B')
})

const node = {
  fields: [
    input('size', 'number', { default: 1000 }),
    input('overlap', 'number', { default: 200 }),
    input('model', 'string', { default: '' }),
  ],
  values: { size: '500', overlap: 200, model: '' },
} as unknown as DrawnNode

test('changedValues() are those that differ from the defaults', () => {
  assert.deepEqual(changedValues(node, 3), [{ name: 'size', label: 'size', text: '500' }])
})

test('usedValues() have the default where the flow has no value', () => {
  assert.deepEqual(
    usedValues(node).map(({ text, isDefault }) => [text, isDefault]),
    [
      ['500', false],
      ['200', true],
      ['', true],
    ],
  )
})
