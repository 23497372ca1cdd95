import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonErrorLine } from './json-error-line.ts'

test('jsonErrorLine() is the line at which a text stops being JSON', () => {
  for (const [text, line] of [
    ['{\n  "a": 1,\n  b: 2\n}', 3],
    ['[1,\n2,,3]', 2],
    ['{"a": 1\n', 1],
    ['{"a":\n\n1\n', 3],
    ['{"a": 1}', null],
    ['no JSON', null],
    ['', null],
  ] as const)
    assert.equal(jsonErrorLine(text), line, text)
})
