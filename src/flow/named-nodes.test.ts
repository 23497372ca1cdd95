import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeCard } from '../contract/card.ts'
import { textField } from '../cards/field.ts'
import type { FlowBranch, FlowGraph, FlowNode } from './graph.ts'
import {
  namedNodes,
  namesHistory,
  neededOutputs,
  nodeOfName,
  nodesNamedIn,
  sourcesOf,
} from './named-nodes.ts'

const card = (kind: string, anchors = {}) =>
  ({
    kind,
    anchors,
    fields: { template: textField('Template', ''), values: textField('Values', '') },
  }) as unknown as NodeCard
const catalog = new Map([
  ['prompt', card('prompt', { example: {} })],
  ['model', card('chatModel', { prompt: {} })],
  ['function', card('value')],
  ['setVariable', card('value')],
  ['getVariable', card('value')],
])
const node = (name: string, inputs: Record<string, unknown>): FlowNode => ({
  id: `${name}_0`,
  name,
  label: name,
  category: '',
  inputs,
})
const graphOf = (nodes: FlowNode[] = [], branches: FlowBranch[] = []): FlowGraph => ({
  nodes: new Map(nodes.map((one) => [one.id, one])),
  steps: [],
  branches,
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
  assert.deepEqual(namedNodes(node('prompt', inputs), graphOf(), catalog), [
    { input: 'template', id: 'tool-1' },
    { input: 'values', id: 'llmChain_0' },
  ])
  assert.deepEqual(namedNodes(node('prompt', { values: [one] }), graphOf(), catalog), [])
  assert.deepEqual(namedNodes(node('model', inputs), graphOf(), catalog), [])
  assert.deepEqual(namedNodes(node('unknown', inputs), graphOf(), catalog), [])
})

test('sourcesOf() has what plugs in and what is named', () => {
  const prompt = node('prompt', { example: '{{b.data.instance}}', values: one })
  assert.deepEqual(sourcesOf(prompt, graphOf(), catalog), ['b', 'llmChain_0'])
})

test('namedNodes() finds in texts of any node those that make values, and in functions all', () => {
  const graph = graphOf([node('function', {}), node('model', {})])
  const named = '{{function_0.data.instance}} {{model_0.data.instance}}'
  const ids = (name: string) =>
    namedNodes(node(name, { template: named }), graph, catalog).map(({ id }) => id)
  assert.deepEqual(ids('model'), ['function_0'])
  assert.deepEqual(ids('function'), ['function_0', 'model_0'])
  assert.deepEqual(
    namedNodes(node('function', { values: [one] }), graph, catalog).map(({ id }) => id),
    ['llmChain_0'],
  )
})

test('neededOutputs() has what all that plugs in names, the branches it hangs on, and the setters of a variable', () => {
  const prompt = node('prompt', { values: one })
  const model = node('model', { prompt: '{{prompt_0.data.instance}}' })
  const branches = [{ from: 'ifElse_0', taken: true, to: 'prompt_0' }]
  const graph = graphOf([prompt, model], branches)
  assert.deepEqual(neededOutputs(model, graph, catalog), ['llmChain_0', 'ifElse_0'])
  const [set, get] = [
    node('setVariable', { variableName: 'x' }),
    node('getVariable', { variableName: 'x', values: one }),
  ]
  const other = { ...node('setVariable', { variableName: 'y' }), id: 'setVariable_1' }
  assert.ok(neededOutputs(get, graphOf([set, other, get]), catalog).includes('setVariable_0'))
  assert.ok(!neededOutputs(get, graphOf([set, other, get]), catalog).includes('setVariable_1'))
})

test('namesHistory() is about prompts that name the conversation', () => {
  assert.equal(namesHistory(node('prompt', { values: { h: 'x {{ chat_history }}' } }), catalog), true)
  assert.equal(namesHistory(node('prompt', { values: { h: '{chat_history}' } }), catalog), false)
  assert.equal(namesHistory(node('model', { values: '{{chat_history}}' }), catalog), false)
})
