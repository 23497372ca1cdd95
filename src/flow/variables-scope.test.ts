import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstOf, flowScope, variableValues } from './variables.ts'

const scope = flowScope({
  question: 'Why?',
  form: { subject: 'Hi', 'a.b': 1 },
  fileText: '',
  past: [
    { role: 'userMessage', content: 'Hello' },
    { role: 'apiMessage', content: 'Good day' },
  ],
  now: new Date('2026-07-24T10:00:00Z'),
  variables: { city: 'Oslo' },
  flow: { chatflowId: 'f', sessionId: 's', state: { list: [{ n: 1 }] } },
})

for (const [name, expected] of [
  ['question', 'Why?'],
  ['chat_history', 'Human: Hello\nAssistant: Good day'],
  ['file_attachment', ''],
  ['current_date_time', '2026-07-24T10:00:00.000Z'],
  ['runtime_messages_length', 2],
  ['$form.subject', 'Hi'],
  ['$vars.city', 'Oslo'],
  ['$vars.unknown', undefined],
  ['$vars.constructor', undefined],
  ['$flow.chatflowId', 'f'],
  ['$flow.input', 'Why?'],
  ['$flow.state.list[0].n', 1],
  ['constructor', undefined],
  ['questions', undefined],
] as const)
  test(`flowScope() has ${name}: ${JSON.stringify(expected)} [agent:date]`, () =>
    assert.equal(scope(name), expected))

test('firstOf() uses the first scope with a value', () => {
  const both = firstOf((name) => (name === 'output' ? null : undefined), scope)
  assert.deepEqual([both('output'), both('question'), both('unknown')], [null, 'Why?', undefined])
})

test('variableValues() takes values from the row, or from the environment under the same name', async () => {
  const rows = [
    { name: 'city', type: 'static', value: 'Oslo' },
    { name: 'token', type: 'runtime', value: 'ignored' },
    { name: 'unset', type: 'runtime', value: '' },
  ] as const
  const environment = (name: string) => (name === 'token' ? 't' : undefined)
  assert.deepEqual(await variableValues({ list: async () => rows }, environment), {
    city: 'Oslo',
    token: 't',
  })
})
