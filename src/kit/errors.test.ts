import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERRORS, errorBody, reasonOf, SluiceError } from './errors.ts'

test('a SluiceError fills its sentence from its facts and takes its status from the table', () => {
  const error = new SluiceError('file_type_not_accepted', { file: 'x.png', type: 'png', accepted: '.txt' })
  assert.equal(error.status, 415)
  assert.equal(error.message, 'x.png: no loader of this flow reads png; accepted: .txt')
})

test('a fact that was not given shows as a question mark, never as undefined', () => {
  assert.equal(new SluiceError('flow_not_found').message, 'Chatflow ? not found')
})

test('errorBody() has the common shape, and only a 401 carries the line old clients look for', () => {
  assert.deepEqual(errorBody(new SluiceError('file_encrypted', { file: 'b.pdf', stage: 'parse' })), {
    statusCode: 422,
    success: false,
    message: 'b.pdf is protected by a password',
    stack: {},
    code: 'file_encrypted',
    file: 'b.pdf',
    stage: 'parse',
  })
  const body = errorBody(new SluiceError('unauthorized'))
  assert.equal(body.error, 'Unauthorized Access')
  assert.match(body.message, /Unauthorized/)
})

test('every status is one of HTTP and every sentence is one line', () => {
  for (const [code, [status, sentence]] of Object.entries(ERRORS)) {
    assert.ok(status >= 400 && status < 600, code)
    assert.ok(!sentence.includes('\n'), code)
  }
})

test('reasonOf() keeps one line of any thrown value', () => {
  assert.equal(reasonOf(new Error('first\nsecond')), 'first')
  assert.equal(reasonOf(7), '7')
})

test('the message of a SluiceError holds no more than 2,000 characters of a fact', () => {
  const { message } = new SluiceError('file_unreadable', { file: 'a.xml', reason: 'x'.repeat(1_000_000) })
  assert.ok(message.length > 2000 && message.length < 2200, `${message.length}`)
})
