import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeInputAnswer, NodeKindAnswer } from '../../src/api/node.ts'
import { selectableKinds, selectPart, valuesOfPart } from './parts-within.ts'

const field = (name: string, type: string, more: Partial<NodeInputAnswer> = {}): NodeInputAnswer => ({
  name,
  label: name,
  type,
  optional: true,
  ...more,
})
const kind = (name: string, part: string, inputs: NodeInputAnswer[]): NodeKindAnswer => ({
  ...{ name, part, label: name, version: 1, type: name, category: '', icon: 'box', colour: 'slate' },
  ...{ baseClasses: [name], description: '', outputs: [{ label: name }] },
  inputs,
})
const chat = kind('chat', 'chatModel', [
  field('credential', 'credential'),
  field('modelName', 'string', { default: 'small' }),
  field('temperature', 'number', { default: 0.9 }),
])
const other = kind('other', 'chatModel', [field('credential', 'credential'), field('temperature', 'number')])
const plugged = kind('plugged', 'chatModel', [field('model', 'BaseModel', { optional: false })])
const kinds = new Map([chat, other, plugged].map((one) => [one.name, one]))
const input = field('agentModel', 'string', { selects: 'chatModel', config: 'agentModelConfig' })

test('selectableKinds() leaves out kinds that need other nodes', () => {
  assert.deepEqual(selectableKinds(kinds, input), [chat, other])
})

test('selectPart() writes the name of the kind and its inputs, with defaults', () => {
  assert.deepEqual(selectPart(input, chat, {}), {
    agentModel: 'chat',
    agentModelConfig: { credential: '', modelName: 'small', temperature: 0.9, agentModel: 'chat' },
  })
})

test('selectPart() keeps the values that the new kind has too, but no credential', () => {
  const values = {
    agentModel: 'chat',
    agentModelConfig: { credential: 'c', modelName: 'm', temperature: 0.1 },
  }
  assert.deepEqual(selectPart(input, other, values).agentModelConfig, {
    credential: '',
    temperature: 0.1,
    agentModel: 'other',
  })
  assert.deepEqual(selectPart(input, undefined, values), { agentModel: '', agentModelConfig: {} })
})

test('valuesOfPart() is empty for anything but an object', () => {
  assert.deepEqual(valuesOfPart(input, { agentModelConfig: '' }), {})
  assert.deepEqual(valuesOfPart(input, { agentModelConfig: { a: 1 } }), { a: 1 })
})
