import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../kit/json.ts'
import { expand, expandWithin, type VariableScope, valueAtPath } from './variables.ts'

const scopeOf =
  (values: Record<string, Json>): VariableScope =>
  (name) =>
    Object.hasOwn(values, name) ? values[name] : undefined

const scope = scopeOf({
  current_date_time: '2026-07-24T10:00:00.000Z',
  question: 'What costs "$&"?\n{{$vars.key}} {context}',
  '$vars.key': 'secret',
  'a_0.output.list': [1, { b: 2 }],
  context: 'CONTEXT',
  empty: '',
})

/** So long that a search with backtracking would not end. */
const SPACES = ' '.repeat(100_000)

for (const [name, text, expected] of [
  ['a name', 'It is {{current_date_time}}.', 'It is 2026-07-24T10:00:00.000Z.'],
  ['any spacing', '{{ current_date_time}}{{current_date_time\t }}', '2026-07-24T10:00:00.000Z'.repeat(2)],
  ['an unknown name', 'a {{unknown}} b', 'a {{unknown}} b'],
  ['single braces and unbalanced ones', '{current_date_time} {{ } }} {', '{current_date_time} {{ } }} {'],
  ['a name that spans lines', '{{current_date_time\n}}', '{{current_date_time\n}}'],
  ['a user’s text, which stays what it is', '{{question}}', 'What costs "$&"?\n{{$vars.key}} {context}'],
  ['a value that is no text', 'x={{a_0.output.list}}', 'x=[1,{"b":2}]'],
  ['an empty text', '<{{empty}}>', '<>'],
  ['three braces', '{{{$vars.key}}}', '{secret}'],
  ['nothing where much space and no end follows', `{{${SPACES}`, `{{${SPACES}`],
] as const)
  test(`expand() fills in ${name} [agent:date]`, () => assert.equal(expand(text, scope), expected))

test('expand() keeps JSON what it is, whatever a user writes', () => {
  const body = expand(
    '{"text": "{{question}}", "list": {{a_0.output.list}}, "tricky\\"": "{{empty}}"}',
    scope,
  )
  assert.deepEqual(JSON.parse(body), {
    text: 'What costs "$&"?\n{{$vars.key}} {context}',
    list: [1, { b: 2 }],
    'tricky"': '',
  })
})

test('expand() fills single braces only for the names that a prompt has', () => {
  const single = new Set(['context'])
  assert.equal(
    expand('{context} {{question}} {question} {unknown}', scope, single),
    'CONTEXT What costs "$&"?\n{{$vars.key}} {context} {question} {unknown}',
  )
})

test('expandWithin() reaches every text of a value and no key', () => {
  assert.deepEqual(expandWithin({ '{{empty}}': ['{{$vars.key}}', 5, null, { a: '{{context}}' }] }, scope), {
    '{{empty}}': ['secret', 5, null, { a: 'CONTEXT' }],
  })
})

for (const [path, expected] of [
  ['a.b', 1],
  ['list[1].c', 'x'],
  ['list.0', 5],
  ['a.b.c', undefined],
  ['a.constructor', undefined],
  ['list.length', 2],
] as const)
  test(`valueAtPath() finds ${String(expected)} at ${path}`, () =>
    assert.equal(valueAtPath({ a: { b: 1 }, list: [5, { c: 'x' }] }, path), expected))
