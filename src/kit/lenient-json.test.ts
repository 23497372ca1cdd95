import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lenientJson } from './lenient-json.ts'

for (const [text, value] of [
  ['{"a": [1, {"b": null}]}', { a: [1, { b: null }] }],
  ["{'a': 'it\\'s', \"b\": 'x\"y'}", { a: "it's", b: 'x"y' }],
  [
    '{a: 1, $b_2: true, größe: .5, "c-d": -0x1F, e: +1.5e2,}',
    { a: 1, $b_2: true, größe: 0.5, 'c-d': -31, e: 150 },
  ],
  ['// the schema\n{ /* of */ a: [1, 2,], }\n// end', { a: [1, 2] }],
  ['{“a”: “b”, ‘c’: ‘d’}', { a: 'b', c: 'd' }],
  ["'line\\\nbreak \\u00e9 \\n'", 'linebreak é \n'],
  ['{ok: True, no: False, none: None}', { ok: true, no: false, none: null }],
  ['{__proto__: {x: 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
  ['\ufeff[]', []],
] as const)
  test(`lenientJson() reads ${JSON.stringify(text)}`, () => assert.deepEqual(lenientJson(text), value))

for (const text of [
  '',
  'hello',
  '{',
  '{"a" 1}',
  '[1 2]',
  '{a: }',
  "{'a: 1}",
  '{} {}',
  '{,}',
  '"\\u12"',
  'NaN',
  'constructor',
  '['.repeat(5000),
])
  test(`lenientJson() takes ${JSON.stringify(text.slice(0, 20))} for no JSON`, () =>
    assert.equal(lenientJson(text), undefined))
