import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunSpan } from '../../contract/run-span.ts'
import { stepsToRepeat, whyNotFrom } from './run-steps.ts'

const span = (id: number, kind: RunSpan['kind'], more: Partial<RunSpan> = {}): RunSpan => ({
  ...{ id, kind, name: `${kind} ${id}`, status: 'FINISHED', start: id, ms: 1 },
  ...more,
})

test('stepsToRepeat() leaves out what tools did, which their answers stand for', () => {
  const spans = [
    span(1, 'model'),
    span(2, 'tool'),
    span(3, 'search', { parent: 2 }),
    span(4, 'model', { parent: 3 }),
    span(5, 'model'),
  ]
  assert.deepEqual(
    stepsToRepeat(spans).map(({ id }) => id),
    [1, 2, 5],
  )
  assert.match(whyNotFrom(spans).get(3)!, /within a tool/)
  assert.deepEqual([...whyNotFrom(spans).keys()], [3, 4])
})

test('whyNotFrom() gives the first reason for all steps behind it', () => {
  const cut = [span(1, 'model'), span(2, 'tool', { cut: true }), span(3, 'model')]
  assert.deepEqual([...whyNotFrom(cut).keys()], [3])
  const waited = [span(1, 'model'), span(2, 'wait'), span(3, 'tool')]
  assert.deepEqual([...whyNotFrom(waited).keys()], [2, 3])
  const failed = [span(1, 'model', { status: 'ERROR' }), span(2, 'model')]
  assert.match(whyNotFrom(failed).get(2)!, /step 1 .* did not end well/)
  assert.deepEqual([...whyNotFrom([span(1, 'search', { cut: true }), span(2, 'model')]).keys()], [])
})
