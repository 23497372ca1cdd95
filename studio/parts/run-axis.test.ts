import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisOf, depthsOf, type TimedSpan } from './run-axis.ts'

const span = (offset: number, ms?: number, kind: TimedSpan['kind'] = 'model'): TimedSpan => ({
  kind,
  offset,
  ...(ms === undefined ? {} : { ms }),
})

test('axisOf() places spans at their time in the run, and a running one to its end', () => {
  const spans = [span(0, 250), span(500, 500), span(750)]
  const { length, place } = axisOf(spans, 1000)
  assert.equal(length, 1000)
  assert.deepEqual(spans.map(place), [
    { left: 0, width: 25 },
    { left: 50, width: 50 },
    { left: 75, width: 25 },
  ])
  assert.deepEqual(axisOf([span(0, 0)], 0).place(span(0, 0)), { left: 0, width: 0.8 })
})

test('axisOf() leaves out the time of a wait for a person, and keeps every bar within the axis', () => {
  const spans = [span(0, 1000), span(1000, 3_600_000, 'wait'), span(3_601_000, 1000)]
  const { length, place } = axisOf(spans, 3_602_000)
  assert.equal(length, 2000)
  assert.deepEqual(place(spans[2]!), { left: 50, width: 50 })
  assert.deepEqual(place(spans[1]!), { left: 50, width: 0.8 })
  const last = axisOf([span(0, 1000), span(1000, 0)], 1000).place(span(1000, 0))
  assert.ok(last.left + last.width <= 100)
})

test('depthsOf() counts the spans around each span; one whose parent was not kept stands at the left', () => {
  const spans = [{ id: 1 }, { id: 2, parent: 1 }, { id: 3, parent: 2 }, { id: 5, parent: 4 }]
  assert.deepEqual([...depthsOf(spans).values()], [0, 1, 2, 0])
})
