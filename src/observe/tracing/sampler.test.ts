import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSampler } from './sampler.ts'
import { newTraceId } from './trace-context.ts'

const ids = Array.from({ length: 4000 }, newTraceId)

test('createSampler() records all or nothing by name; only the samplers with a parent follow it', () => {
  const decide = (name: Parameters<typeof createSampler>[0]) =>
    [undefined, true, false].map((parent) => createSampler(name, 1)(ids[0]!, parent))
  assert.deepEqual(decide('always_on'), [true, true, true])
  assert.deepEqual(decide('always_off'), [false, false, false])
  assert.deepEqual(decide('parentbased_always_on'), [true, true, false])
  assert.deepEqual(decide('parentbased_always_off'), [false, true, false])
  assert.deepEqual(decide('traceidratio'), [true, true, true])
  assert.deepEqual(decide('parentbased_traceidratio'), [true, true, false])
})

test('createSampler() records about the asked share, and decides equally for an id each time', () => {
  const sampler = createSampler('traceidratio', 0.25)
  const recorded = ids.filter((id) => sampler(id, undefined))
  // Five standard deviations around a quarter.
  assert.ok(Math.abs(recorded.length - 1000) < 140, String(recorded.length))
  assert.ok(recorded.every((id) => sampler(id, undefined)))
  assert.ok(ids.every((id) => !createSampler('traceidratio', 0)(id, undefined)))
})
