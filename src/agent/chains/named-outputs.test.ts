import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectField } from '../../cards/field.ts'
import type { NodeCard } from '../../contract/card.ts'
import type { FlowBranch, FlowNode } from '../../flow/graph.ts'
import { buildNamedParts, type NamedGraph, type NamedPart, runNamed } from './named-outputs.ts'

const card = { kind: 'value', anchors: {}, fields: { values: objectField('Values') } } as unknown as NodeCard
const catalog = new Map([['function', card]])

/** Functions by id, with the ids of those that each names. */
const functions = (named: Record<string, string[]>, branches: FlowBranch[] = []): NamedGraph => {
  const nodes = Object.entries(named).map(([id, ids]): FlowNode => {
    const values = Object.fromEntries(ids.map((one) => [one, `{{${one}.data.instance}}`]))
    const inputs = { values }
    return { ...{ id, label: id, category: '', inputs }, name: 'function' }
  })
  return { graph: { nodes: new Map(nodes.map((node) => [node.id, node])), steps: [], branches }, catalog }
}

const part = (label: string): NamedPart => ({
  ...{ label, kind: 'value' },
  part: { type: 'function', name: '', inputs: {}, code: '' },
})

test('buildNamedParts() builds each node once, however many name it, after those that it names', () => {
  const ids = Array.from({ length: 23 }, (_, number) => String(number))
  const named = Object.fromEntries(
    ids.map((id, number) => [id, number < 2 ? [] : [ids[number - 1]!, ids[number - 2]!]]),
  )
  const built: string[] = []
  const parts = buildNamedParts(['22', '21'], functions(named), (id) => {
    built.push(id)
    return part(id)
  })
  assert.equal(built.length, 23)
  const order = [...parts.keys()]
  for (let number = 2; number <= 22; number++)
    assert.ok(order.indexOf(String(number)) > order.indexOf(String(number - 1)))
})

test('buildNamedParts() refuses nodes that need one another, with their names, also through a branch', () => {
  const refused = { code: 'flow_invalid', message: /b needs its own output, through b, c$|through b, c\b/ }
  const circle = { a: ['b'], b: ['c'], c: ['b'] }
  assert.throws(() => buildNamedParts(['a'], functions(circle), part), refused)
  const branches = [{ from: 'b', taken: true, to: 'c' }]
  const behind = functions({ a: ['b'], b: ['c'], c: [] }, branches)
  assert.throws(() => buildNamedParts(['a'], behind, part), refused)
})

test('runNamed() runs nodes that do not need one another at the same time, each once, and adds what they cost', async () => {
  const drawing = functions({ end: ['c', 'd'], c: ['a', 'b'], d: ['a'], a: [], b: [] })
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const run = runNamed(drawing, async (id, outputs) => {
    begun.push(id)
    // Nodes that wait for one another would wait for ever.
    if (begun.length === 2) gate.resolve()
    await gate.promise
    return { value: [id, ...outputs.values()].join(''), usage: { inputTokens: 1, outputTokens: 2 } }
  })
  const outputs = await run.outputsFor('end')
  assert.deepEqual(begun.toSorted(), ['a', 'b', 'c', 'd'])
  assert.deepEqual(Object.fromEntries(outputs), { c: 'cab', d: 'da' })
  assert.deepEqual(run.usage(), { inputTokens: 4, outputTokens: 8 })
})

test('runNamed() takes no node behind a branch that is not taken, and runs the condition once', async () => {
  const branches = [
    { from: 'if', taken: true, to: 'yes' },
    { from: 'if', taken: false, to: 'no' },
  ]
  const drawing = functions({ if: [], yes: [], no: [], afterYes: ['yes'], afterNo: ['no'] }, branches)
  const begun: string[] = []
  const run = runNamed(drawing, async (id) => {
    begun.push(id)
    return { value: id, usage: { inputTokens: 0, outputTokens: 0 }, branch: false }
  })
  assert.deepEqual(
    [await run.isTaken('afterYes'), await run.isTaken('afterNo'), await run.isTaken('yes')],
    [false, true, false],
  )
  assert.deepEqual(begun, ['if'])
})
