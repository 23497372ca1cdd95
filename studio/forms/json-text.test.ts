import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonProblem, jsonTextOf } from './json-text.ts'

test('jsonProblem() is undefined for JSON and for an empty text', () => {
  for (const text of ['', '  ', '{}', '[1, 2]', '"a"']) assert.equal(jsonProblem(text), undefined)
})

test('jsonProblem() names the line of the mistake', () => {
  assert.equal(jsonProblem('{\n  "a": 1,\n  b: 2\n}')!.line, 3)
  assert.equal(jsonProblem('{\n  "a": ')!.line, 2)
  assert.doesNotMatch(jsonProblem('{\n  "a": 1,\n  b: 2\n}')!.message, /position|line/)
})

test('jsonTextOf() shows objects over several lines, and texts as they are', () => {
  assert.equal(jsonTextOf({ a: 1 }), '{\n  "a": 1\n}')
  assert.equal(jsonTextOf('{"a":1}'), '{"a":1}')
  assert.equal(jsonTextOf(undefined), '')
})
