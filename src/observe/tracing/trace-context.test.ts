import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSpanId, newTraceId, readTraceparent, writeTraceparent } from './trace-context.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

test('readTraceparent() reads what writeTraceparent() writes', () => {
  for (const sampled of [true, false]) {
    const context = { traceId: newTraceId(), spanId: newSpanId(), sampled }
    assert.deepEqual(readTraceparent(writeTraceparent(context)), context)
  }
})

test('readTraceparent() takes the header of the specification, and of later versions with more fields', () => {
  const context = { traceId: TRACE, spanId: SPAN, sampled: true }
  assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-01`), context)
  assert.deepEqual(readTraceparent(`cc-${TRACE}-${SPAN}-09-what-comes-later`), context)
})

test('readTraceparent() takes no invalid header', () => {
  for (const header of [
    undefined,
    '',
    'x',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
  ])
    assert.equal(readTraceparent(header), undefined, String(header))
})
