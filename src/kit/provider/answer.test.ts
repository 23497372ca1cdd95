import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanMessage, isTooLarge, refusalOf } from './answer.ts'

const failed = (statusCode: number, responseBody: string) =>
  Object.assign(new Error('Bad Request'), { statusCode, responseBody, responseHeaders: { a: 'b' } })

test('refusalOf() reads the message of each provider', () => {
  for (const body of [
    '{"error":{"message":"no"}}',
    '{"error":"no"}',
    '{"message":"no"}',
    '{"error":{"message":"no"},"x":1}',
  ])
    assert.deepEqual(refusalOf(failed(400, body)), { status: 400, headers: { a: 'b' }, message: 'no' })
  for (const body of ['<html>', '{}', '[]', '{"error":7}'])
    assert.equal(refusalOf(failed(500, body))!.message, 'Bad Request')
  assert.equal(refusalOf(new Error('no answer')), undefined)
})

test('isTooLarge() recognises the messages of the servers', () => {
  const is = (status: number, message: string) => isTooLarge({ status, message, headers: {} })
  for (const message of [
    "This model's maximum context length is 8192 tokens, however you requested 9000 tokens",
    'the input length exceeds the context length',
    'input is too large to process. increase the physical batch size',
    'Invalid input: maximum request size is 300000 tokens per request',
    'The input token count exceeds the maximum number of tokens allowed 2048.',
    'input (1200 tokens) is too long',
  ])
    assert.ok(is(400, message), message)
  assert.ok(is(413, ''))
  for (const message of ['The model does not exist', 'dimensions must be at most 3072', 'Invalid API key'])
    assert.ok(!is(400, message), message)
  assert.ok(!is(429, 'Limit of 1000000 tokens exceeded: request too large'))
})

test('cleanMessage() takes keys and repeated input out and keeps the rest, on one short line', () => {
  const secrets = ['hidden-key-value']
  const texts = ['The patient was born in 1970\nand lives "here".', 'pw 123']
  for (const [message, clean] of [
    ['Model   not\nfound', 'Model not found'],
    ['key hidden-key-value is wrong', 'key … is wrong'],
    ['Incorrect key sk-proj-abcdefghijkl1234: see the manual', 'Incorrect key …: see the manual'],
    ['cannot embed "The patient was born in 1970"', 'cannot embed "…"'],
    ['cannot embed "born in 1970\\nand lives \\"here\\"."', 'cannot embed "…"'],
    ['cannot embed pw 123 today', 'cannot embed … today'],
  ] as const)
    assert.equal(cleanMessage(message, { secrets, texts }), clean)
  assert.equal(cleanMessage('long '.repeat(100), { secrets, texts }).length, 199)
})
