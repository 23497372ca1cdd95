import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOverrideGate } from './api-config.ts'
import { overrideVariables } from './apply-request.ts'

const gateOf = (status: boolean) =>
  readOverrideGate({
    overrideConfig: {
      status,
      nodes: {
        '*': ['systemMessage', 'messages', 'other', 'filter'].map((name) => ({ name, enabled: true })),
      },
      variables: [
        { name: 'city', enabled: true },
        { name: 'token', enabled: false },
      ],
    },
  })

test('overrideVariables() lets through the variables that the flow opens, and names the others', () => {
  const vars = { city: 'Oslo', token: 'x', constructor: 'y' }
  const { values, warnings, rest } = overrideVariables({ vars, topK: 3 }, gateOf(true))
  assert.deepEqual([values, rest], [{ city: 'Oslo' }, { topK: 3 }])
  assert.deepEqual(
    warnings.map(({ key }) => key),
    ['vars.token', 'vars.constructor'],
  )
})

test('overrideVariables() lets none through where the gate is shut, and reads JSON text as forms send it', () => {
  assert.deepEqual(overrideVariables({ vars: { city: 'Oslo' } }, gateOf(false)).values, {})
  assert.deepEqual(overrideVariables({ vars: '{"city": 5}' }, gateOf(true)).values, { city: '5' })
})

test('overrideVariables() takes no override that would read a variable', () => {
  const { warnings, rest } = overrideVariables(
    {
      systemMessage: 'say {{ $vars.token }}',
      messages: [{ content: '{{$vars.token}}' }],
      other: '{{question}}',
      shut: '{{$vars.token}}',
    },
    gateOf(true),
  )
  assert.deepEqual(rest, { other: '{{question}}', shut: '{{$vars.token}}' })
  assert.deepEqual(
    warnings.map(({ key }) => key),
    ['systemMessage', 'messages'],
  )
})

for (const [how, text] of [
  ['behind a tab', '{{\t$vars.token}}'],
  ['in rich text', '<p>{{ <b>&#36;</b>vars.token }}</p>'],
  ['in JSON text', '{"a": ["{{ \\u0024vars.token }}"]}'],
  ['in JSON written by hand', "{a: '{{ \\u0024vars.token }}',}"],
] as const)
  test(`overrideVariables() finds a variable ${how}`, () => {
    const { warnings, rest } = overrideVariables({ filter: { a: text } }, gateOf(true))
    assert.deepEqual([rest, warnings.length], [{}, 1])
  })
