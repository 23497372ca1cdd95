import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineNode } from '../cards/define-node.ts'
import type { Embedder } from '../contract/embedder.ts'
import { numberField, objectField, textField } from '../cards/field.ts'
import { makeCatalog } from './catalog.ts'
import { describeNodes } from './describe.ts'

const catalog = makeCatalog([
  defineNode({
    kind: 'embedder',
    name: 'remote',
    label: 'Remote',
    version: 1,
    category: 'Embeddings',
    type: 'Remote',
    baseClasses: [],
    description: '',
    fields: {
      apiKey: textField('API Key', undefined, { guard: 'credential' }),
      basePath: textField('Base Path', undefined, { guard: 'url' }),
      password: { ...textField('Password', undefined), type: 'password' as const },
      batch: numberField('Batch', 10),
      notes: textField('Notes', ''),
      more: objectField('More'),
    },
    anchors: {},
    build: () => ({}) as Embedder,
  }),
])
const node = (inputs: Record<string, unknown>) => ({
  id: 'remote_0',
  name: 'remote',
  label: 'My remote',
  category: 'from the file',
  inputs,
})
const valuesOf = (inputs: Record<string, unknown>) => {
  const [described] = describeNodes([node(inputs)], catalog) as [{ paramValues: Record<string, unknown>[] }]
  return Object.fromEntries(described.paramValues.map(({ name, value }) => [name, value]))
}

test('describeNodes() tells the inputs that were given, in the shape of the history', () => {
  assert.deepEqual(describeNodes([node({ batch: '20', notes: '', unknown: 1 })], catalog), [
    {
      label: 'My remote',
      name: 'remote',
      category: 'Embeddings',
      id: 'remote_0',
      paramValues: [{ label: 'Batch', name: 'batch', type: 'number', value: '20' }],
    },
  ])
})

test('describeNodes() shows of a guarded input and of a password only that they are set', () => {
  const values = valuesOf({ apiKey: 'sk-secret', basePath: 'https://u:secret@host', password: 'secret' })
  assert.deepEqual(values, { apiKey: '********', basePath: '********', password: '********' })
})

test('describeNodes() cuts long values, whatever their type', () => {
  assert.deepEqual(valuesOf({ notes: 'x'.repeat(501), more: { a: 1 } }), {
    notes: `${'x'.repeat(500)}…`,
    more: { a: 1 },
  })
  assert.match(String(valuesOf({ more: { a: 'y'.repeat(600) } }).more), /^\{"a":"y+…$/)
})
