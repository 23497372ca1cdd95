import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunSpan } from '../../contract/run-span.ts'
import { recordedSpans } from './recorded-spans.ts'

const span = (id: number, more: Partial<RunSpan> = {}): RunSpan => ({
  ...{ id, kind: 'tool', name: 'look', status: 'FINISHED', start: 10 * id, ms: 5 },
  ...more,
})

test('recordedSpans() keeps a span once, with what is known at its end', () => {
  const recorded = recordedSpans()
  const { ms: _, ...begun } = span(1, { status: 'INPROGRESS' })
  recorded.note(begun)
  assert.deepEqual(recorded.stored(undefined).spans, [begun])
  assert.deepEqual(recorded.stored(undefined, 'TERMINATED').spans, [{ ...begun, status: 'TERMINATED' }])
  recorded.note(span(1, { output: 'seen' }))
  assert.deepEqual(recorded.stored(undefined, 'FINISHED'), {
    spans: [span(1, { output: 'seen' })],
    omittedSpans: 0,
  })
})

test('recordedSpans() counts spans on after those before a decision, with the wait between them', () => {
  const recorded = recordedSpans()
  recorded.note(span(1))
  recorded.note(span(2, { parent: 1 }))
  const before = { spans: [span(1), span(2, { status: 'STOPPED' })], omittedSpans: 3, updatedAt: 100 }
  const { spans, omittedSpans } = recorded.stored({ ...before, decision: 'reject', decidedAt: 350 })
  assert.deepEqual(
    spans.map(({ id, parent, kind, status }) => [id, parent, kind, status]),
    [
      [1, undefined, 'tool', 'FINISHED'],
      [2, undefined, 'tool', 'FINISHED'],
      [3, undefined, 'wait', 'FINISHED'],
      [4, undefined, 'tool', 'FINISHED'],
      [5, 4, 'tool', 'FINISHED'],
    ],
  )
  assert.partialDeepStrictEqual(spans[2], { start: 100, ms: 250, decision: 'reject' })
  assert.equal(omittedSpans, 3)
})

test('recordedSpans() limits the number and the size of what it keeps', () => {
  const recorded = recordedSpans()
  for (let id = 1; id <= 700; id++) {
    const { ms: _, ...begun } = span(id)
    recorded.note(begun)
    recorded.note(span(id, { output: 'é'.repeat(5000), input: { rows: Array(600).fill('word') } }))
  }
  const { spans, omittedSpans } = recorded.stored(undefined)
  assert.deepEqual([spans.length, omittedSpans], [500, 200])
  assert.ok(JSON.stringify(spans).length <= 250_000)
  const one = recordedSpans()
  one.note(span(1, { output: 'x'.repeat(1_000_000), input: { rows: Array(5000).fill('word') } }))
  const [kept] = one.stored(undefined).spans
  assert.match(kept!.output!, /^x{16000}… \(cut: it has 1,000,000 characters\)$/)
  assert.match(String(kept!.input), /^\{"rows":\["word".*… \(cut: it has 35,\d\d\d characters\)$/)
})
