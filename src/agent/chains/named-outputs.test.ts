import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedModel } from '../../../test/support/scripted-model.ts'
import type { AnswererPart } from '../../contract/card.ts'
import { buildNamedParts, namedOutputs } from './named-outputs.ts'

/** A chain whose prompt names others. */
const chain = (...named: string[]): AnswererPart => ({
  type: 'promptChain',
  model: scriptedModel(),
  moderations: [],
  prompt: {
    nodeId: 'prompt',
    messages: [],
    values: Object.fromEntries(named.map((id) => [id, `{{${id}.data.instance}}`])),
  },
})

test('buildNamedParts() builds each node once, however many name it, after those that it names', () => {
  const built: string[] = []
  const parts = buildNamedParts(chain('22', '21'), (id) => {
    built.push(id)
    const number = Number(id)
    const named = number < 2 ? [] : [String(number - 1), String(number - 2)]
    return { kind: 'answerer', label: id, part: chain(...named) }
  })
  assert.equal(built.length, 23)
  const order = [...parts.keys()]
  for (let number = 2; number <= 22; number++)
    assert.ok(order.indexOf(String(number)) > order.indexOf(String(number - 1)))
})

test('namedOutputs() runs nodes that do not need one another at the same time, and adds what they cost', async () => {
  const parts = buildNamedParts(chain('c', 'd'), (id) => ({
    kind: 'answerer',
    label: id,
    part: chain(...(id === 'c' ? ['a', 'b'] : [])),
  }))
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const { outputs, usage } = await namedOutputs(parts, async (id, _, inner) => {
    begun.push(id)
    // Nodes that wait for one another would wait for ever.
    if (begun.length === 3) gate.resolve()
    await gate.promise
    return { value: [id, ...inner.values()].flat().join(''), usage: { inputTokens: 1, outputTokens: 2 } }
  })
  assert.deepEqual(begun.slice(0, 3).sort(), ['a', 'b', 'd'])
  assert.deepEqual(Object.fromEntries(outputs), { a: 'a', b: 'b', c: 'cab', d: 'd' })
  assert.deepEqual(usage, { inputTokens: 4, outputTokens: 8 })
})
