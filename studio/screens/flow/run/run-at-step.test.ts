import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Run } from '../../../server/runs.ts'
import { lineKey, runAtStep, stepTowards } from './run-at-step.ts'

const node = (id: string) => ({ id, label: id, name: id, state: 'FINISHED' as const, ms: 1, counts: {} })
const span = (id: number, nodeId: string) => ({
  ...{ id, nodeId, kind: 'model' as const, name: 'm', status: 'FINISHED' as const, offset: 0, ms: 1 },
})
const line = (from: string, to: string) => ({ from, to, unit: 'turns', count: 1, items: [] })
const RUN = {
  nodes: [node('a'), node('b')],
  lines: [line('a', 'c'), line('b', 'c')],
  spans: [span(1, 'a'), span(2, 'b')],
} as unknown as Run

test('runAtStep() shows what a run had reached: the node of the step, those before it, and no line of later ones', () => {
  const whole = runAtStep(RUN, undefined)
  assert.deepEqual(
    [...whole.nodes.values()].map(({ look }) => look),
    ['FINISHED', 'FINISHED'],
  )
  assert.deepEqual([...whole.lines.keys()], [lineKey('a', 'c'), lineKey('b', 'c')])
  const first = runAtStep(RUN, 1)
  assert.deepEqual(
    [...first.nodes.values()].map(({ look }) => look),
    ['now', 'later'],
  )
  assert.deepEqual([...first.lines.keys()], [lineKey('a', 'c')])
})

test('stepTowards() goes through the steps, and from the ends to the whole run', () => {
  assert.deepEqual(
    [stepTowards(RUN, undefined, 1), stepTowards(RUN, 1, 1), stepTowards(RUN, 2, 1), stepTowards(RUN, 1, -1)],
    [1, 2, undefined, undefined],
  )
  assert.equal(stepTowards(RUN, undefined, -1), 2)
})
