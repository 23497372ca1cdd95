import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeCard } from '../contract/card.ts'
import { textField } from '../cards/field.ts'
import type { FlowNode } from './graph.ts'
import { namedNodes, namesHistory, nodeOfName, nodesNamedIn, sourcesOf } from './named-nodes.ts'

const card = (kind: string, anchors = {}) =>
  ({
    kind,
    anchors,
    fields: { template: textField('Template', ''), values: textField('Values', '') },
  }) as unknown as NodeCard
const catalog = new Map([
  ['prompt', card('prompt', { example: {} })],
  ['model', card('chatModel')],
])
const node = (name: string, inputs: Record<string, unknown>): FlowNode => ({
  id: `${name}_0`,
  name,
  label: name,
  category: '',
  inputs,
})
const [one, two] = ['{{llmChain_0.data.instance}}', '{{ tool-1.data.instance }}']

test('nodesNamedIn() finds each node within texts, lists and objects once', () => {
  assert.deepEqual(nodesNamedIn({ a: `${one} and ${two}`, b: [`"${one}"`] }), ['llmChain_0', 'tool-1'])
  assert.deepEqual(nodesNamedIn('{{question}} {llmChain_0.data.instance}'), [])
  assert.equal(nodeOfName('llmChain_0.data.instance'), 'llmChain_0')
  assert.equal(nodeOfName('llmChain_0.data'), undefined)
})

test('namedNodes() looks at the inputs of prompts alone, and not at lines that lead to an input', () => {
  const inputs = { template: two, values: `{"a": "${one}"}`, other: one }
  assert.deepEqual(namedNodes(node('prompt', inputs), catalog), [
    { input: 'template', id: 'tool-1' },
    { input: 'values', id: 'llmChain_0' },
  ])
  assert.deepEqual(namedNodes(node('prompt', { values: [one] }), catalog), [])
  assert.deepEqual(namedNodes(node('model', inputs), catalog), [])
  assert.deepEqual(namedNodes(node('unknown', inputs), catalog), [])
})

test('sourcesOf() has what plugs in and what is named', () => {
  assert.deepEqual(sourcesOf(node('prompt', { example: '{{b.data.instance}}', values: one }), catalog), [
    'b',
    'llmChain_0',
  ])
})

test('namesHistory() is about prompts that name the conversation', () => {
  assert.equal(namesHistory(node('prompt', { values: { h: 'x {{ chat_history }}' } }), catalog), true)
  assert.equal(namesHistory(node('prompt', { values: { h: '{chat_history}' } }), catalog), false)
  assert.equal(namesHistory(node('model', { values: '{{chat_history}}' }), catalog), false)
})
