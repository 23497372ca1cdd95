import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from './catalog.ts'
import { describeKind } from './describe-kind.ts'

type Input = { name: string; type: string; main?: boolean; unit?: string; hidden?: boolean; guard?: string }

const kinds = [...catalog.values()].map((card) => {
  const { inputs, ...kind } = describeKind(card)
  return { ...kind, card, inputs: inputs as unknown as Input[] }
})
const inputOf = (kind: string, input: string) =>
  kinds.find(({ card }) => card.name === kind)!.inputs.find(({ name }) => name === input)!

test('each node with inputs has one or two main inputs, and none of them is a secret', () => {
  for (const { card, inputs } of kinds) {
    const main = inputs.filter(({ main: isMain }) => isMain)
    const own = Object.entries(card.fields).filter(
      ([name, { type }]) => type !== 'credential' && !['metadata', 'omitMetadataKeys'].includes(name),
    )
    assert.ok(main.length <= 2, `${card.name} has ${main.length}`)
    if (own.length > 0) assert.ok(main.length > 0, `${card.name} has none`)
    for (const { name, type, hidden } of main)
      assert.ok(!hidden && !['password', 'credential'].includes(type), `${card.name}.${name}`)
  }
})

test('the sizes of a splitter are in characters, or in tokens where it cuts by tokens', () => {
  for (const { card } of kinds.filter(({ part }) => part === 'splitter'))
    for (const input of ['chunkSize', 'chunkOverlap'])
      assert.equal(
        inputOf(card.name, input).unit,
        card.name === 'tokenTextSplitter' ? 'tokens' : 'characters',
        `${card.name}.${input}`,
      )
  assert.equal(inputOf('chatOpenAI', 'timeout').unit, 'ms')
  assert.equal(inputOf('openAPIToolkit', 'maxOutputLength').unit, 'characters')
})

test('each step of agent flows has an icon of its own', () => {
  const icons = kinds.filter(({ part }) => part === 'step').map(({ icon }) => icon)
  assert.deepEqual(icons.toSorted(), [...new Set(icons)].toSorted())
})
