import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineNode } from '../cards/define-node.ts'
import { objectField, rowListField, textField } from '../cards/field.ts'
import { makeCatalog } from './catalog.ts'
import { filledStep } from './fill-step.ts'

const plain = { version: 1, category: '', type: '', baseClasses: [], description: '', anchors: {} }
const code = { ...textField('Code', ''), type: 'code' } as const

const catalog = makeCatalog([
  defineNode({
    ...plain,
    kind: 'step',
    name: 'agent',
    label: 'Agent',
    fields: {
      code,
      message: textField('Message', ''),
      kits: rowListField('Tools'),
      kitConfig: objectField('Kit'),
      kit: textField('Kit', ''),
    },
    build: () => ({ type: 'directReply', message: '' }),
  }),
  defineNode({
    ...plain,
    kind: 'tools',
    name: 'kit',
    label: 'Kit',
    fields: { code, url: textField('URL', '') },
    build: () => ({ tools: async () => [] }),
  }),
])

const fill = (inputs: Record<string, unknown>) =>
  filledStep({ id: 'a_0', name: 'agent', label: 'A', category: '', inputs }, catalog, (name) =>
    name === 'question' ? '"; fetch("x") //' : undefined,
  ).inputs

test('filledStep() fills texts, rich ones among them, and drops what the node does not have', () => {
  assert.deepEqual(fill({ message: '<p>{{ question }}</p>', other: '{{question}}' }), {
    message: '"; fetch("x") //',
  })
})

test('filledStep() puts nothing into code, nor into that of parts within the node', () => {
  const written = 'return "{{question}}"'
  const part = { kit: 'kit', kitConfig: { code: written, url: '{{question}}' } }
  const filled = { kit: 'kit', kitConfig: { code: written, url: '"; fetch("x") //' } }
  assert.deepEqual(fill({ other: 1, code: written, ...part, kits: [{ kit: 'gone', kitConfig: {} }, part] }), {
    code: written,
    ...filled,
    kits: [{ kit: 'gone', kitConfig: {} }, filled],
  })
})
