import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptText, promptValues, variableAt } from './prompts.ts'
import { Untranslatable } from './untranslatable.ts'

const names: Readonly<Record<string, string>> = { seqAgent_0: 'agentAgentflow_0' }
const variableOf = (id: string) => names[id]

test('promptText() puts values in the place of names, and reads doubled braces as one', () => {
  const values = promptValues(
    {
      company: 'Otters \\n Inc',
      asked: '{{question}}',
      plan: '$flow.state.plan[0]',
      said: '{{seqAgent_0.data.instance}}',
    },
    variableOf,
  )
  const { text, unknown } = promptText(
    'At {company}: {asked} {plan} {said} {{question}} {{"a": {{"b": 1}}}} {x: 1} {nobody}',
    values,
    variableOf,
    'systemMessagePrompt',
  )
  assert.equal(
    text,
    'At Otters \n Inc: {{question}} {{$flow.state.plan[0]}} {{agentAgentflow_0}} {{question}} {"a": {"b": 1}} {x: 1} {nobody}',
  )
  assert.deepEqual(unknown, ['nobody'])
})

test('promptValues() refuses what is no JSON object, and nodes that say nothing in a run', () => {
  assert.throws(() => promptValues('{company:', variableOf), Untranslatable)
  assert.throws(() => promptValues({ a: '{{getVariable_0.data.instance}}' }, variableOf), /getVariable_0/)
})

test('variableAt() knows the values of a run by their names of version 1', () => {
  const output = (field: string) => (field === '' ? 'output' : `output.${field}`)
  const expected: Readonly<Record<string, string | undefined>> = {
    '$flow.input': 'question',
    '$flow.state.messages.length': 'runtime_messages_length',
    '$flow.state.messages[-1].content': 'runtime_messages[-1].content',
    '$flow.state.messagesSeen': '$flow.state.messagesSeen',
    '$flow.output.content': 'output',
    '$flow.output.next': 'output.next',
    '$vars.city': '$vars.city',
    $seqAgent_0: 'agentAgentflow_0',
    $nobody: undefined,
  }
  assert.deepEqual(
    Object.fromEntries(Object.keys(expected).map((path) => [path, variableAt(path, variableOf, output)])),
    expected,
  )
})
