import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLong, partText } from './part-text.ts'

test('partText() shows no secret and no content of a file', () => {
  assert.equal(partText('password', 'sk-secret'), '••••••••')
  assert.equal(partText('file', 'data:text/plain;base64,QQ==,filename:a.txt'), 'a.txt')
})

test('partText() writes values as text, objects as JSON by lines', () => {
  assert.deepEqual(
    ['x', 7, false, null, undefined, { a: 1 }].map((value) => partText('string', value)),
    ['x', '7', 'false', '', '', '{\n  "a": 1\n}'],
  )
})

test('isLong() is for several lines and long lines', () => {
  assert.deepEqual([isLong('a', 'b'), isLong('a', 'b\nc'), isLong('x'.repeat(121))], [false, true, true])
})
