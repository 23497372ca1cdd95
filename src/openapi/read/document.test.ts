import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTree } from './document.ts'

for (const [what, text, expected] of [
  ['JSON', '{"a":[1]}', { a: [1] }],
  ['JSON after a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
  ['JSON with comments and a comma too many', '{"a":1, # one\n}', { a: 1 }],
  ['YAML', 'a:\n  - 1', { a: [1] }],
  ['YAML with numbers as keys', 'responses:\n  200: ok', { responses: { '200': 'ok' } }],
  [
    'YAML with aliases and merged maps',
    'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2',
    { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } },
  ],
  [
    'YAML whose quoted text continues without indentation',
    'a:\n  b: "one\n  two."\n  c: 3',
    { a: { b: 'one two.', c: 3 } },
  ],
  ['dates as texts', 'a: 2026-01-01', { a: '2026-01-01' }],
] as const)
  test(`parseTree() reads ${what}`, () => {
    assert.deepEqual(parseTree(text), expected)
  })

/** Each line contains the one before it nine times: nine levels are several hundred million values. */
const bomb = Array.from({ length: 9 }, (_, level) =>
  level === 0
    ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]'
    : `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(',')}]`,
).join('\n')

for (const [what, text, reason] of [
  ['invalid YAML', 'a: [1, 2', /it is not valid YAML/],
  ['a quoted text without an end', 'a: "b\nc: 1', /it is not valid YAML/],
  ['aliases that multiply', bomb, /alias|values/i],
  ['an alias within itself', 'a: &a\n  b: *a', /nested deeper|alias|values/i],
  ['deep nesting', '['.repeat(300) + ']'.repeat(300), /nested deeper/],
  ['very much', `{"a":[${'1,'.repeat(2_000_001)}1]}`, /values/],
  ['very long texts', `a: ${'x'.repeat(20_000_001)}`, /characters/],
] as const)
  test(`parseTree() refuses ${what}`, () => {
    assert.throws(() => parseTree(text), reason)
  })
