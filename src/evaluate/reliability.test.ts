import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auroc, ReliabilityMeter } from './reliability.ts'

const ANSWERED = { answerable: true, unlikely: false }
const UNANSWERED = { answerable: false, unlikely: false }

test('auroc() is the share of pairs in order; equal ones count half', () => {
  assert.equal(auroc([0.9, 0.8], [0.1, 0.2]), 1)
  assert.equal(auroc([0.1], [0.2, 0.3]), 0)
  assert.equal(auroc([0.5, 0.5], [0.5]), 0.5)
  assert.equal(auroc([0.9, 0.3], [0.5, 0.3]), (1 + 1 + 0 + 0.5) / 4)
})

test('ReliabilityMeter compares the confidence of first hits with the share of right ones, by tenths', () => {
  const meter = new ReliabilityMeter()
  const first = (confidence: number, right: boolean) => [{ confidence, right }]
  meter.add(first(0.91, true), ANSWERED)
  meter.add(first(0.95, false), ANSWERED)
  meter.add(first(0.05, false), { answerable: false, unlikely: true })
  meter.add([], UNANSWERED)
  const { ece, auroc: area, curve } = meter.result()!
  assert.deepEqual(
    curve.map(({ from, questions, right }) => [from, questions, right]),
    [
      [0, 1, 0],
      [0.9, 2, 0.5],
    ],
  )
  assert.ok(Math.abs(ece - (0.05 + 2 * (0.93 - 0.5)) / 3) < 1e-9)
  assert.equal(area, 1)
  assert.deepEqual(meter.unlikely(), { answerable: 0, unanswerable: 0.5 })
})

test('ReliabilityMeter uses the highest confidence of a question, and has no result without any confidence', () => {
  const meter = new ReliabilityMeter()
  meter.add([{ confidence: null, right: true }], ANSWERED)
  assert.equal(meter.result(), undefined)
  meter.add(
    [
      { confidence: 0.2, right: false },
      { confidence: 0.9, right: true },
    ],
    ANSWERED,
  )
  assert.equal(meter.result(), undefined)
  meter.add([{ confidence: 0.5, right: false }], UNANSWERED)
  assert.equal(meter.result()!.auroc, 1)
  assert.equal(meter.result()!.known, 2 / 3)
})
