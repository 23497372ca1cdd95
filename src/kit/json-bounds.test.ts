import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonBounds } from './json-bounds.ts'

const LIMITS = { depth: 3, values: 6 }

/** What is said of a text, whole and byte by byte: the same. */
function judge(text: string): string | undefined {
  const bytes = Buffer.from(text)
  const whole = jsonBounds(LIMITS)(bytes)
  const look = jsonBounds(LIMITS)
  const single = Array.from(bytes, (_, i) => look(bytes.subarray(i, i + 1))).find(Boolean)
  assert.equal(single, whole)
  return whole
}

test('jsonBounds() lets pass what keeps the limits', () => {
  for (const text of ['', '1', '{"a": [1, {"b": 2}]}', '[[], []]', '[1, 2, 3, 4, 5]'])
    assert.equal(judge(text), undefined, text)
})

test('jsonBounds() names the limit that a text exceeds, before the text is complete', () => {
  assert.match(judge('[[[[') ?? '', /deeper than 3/)
  assert.match(judge('[[{"a":{') ?? '', /deeper than 3/)
  assert.match(judge('[1,2,3,4,5,6') ?? '', /more than 6/)
  assert.match(judge('[{},{},{},') ?? '', /more than 6/)
})

test('jsonBounds() counts nothing within strings, escapes included', () => {
  for (const text of [
    '"[[[[[,,,,,,,,"',
    '"\\"[[[[[,,,,,,,"',
    '["\\\\", "{{{{{{"]',
    '"\\\\\\"[[[["',
    '"é[[[[["',
  ])
    assert.equal(judge(text), undefined, text)
  assert.match(judge('["\\\\",[[[') ?? '', /deeper than 3/)
})
