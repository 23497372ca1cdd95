import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretsInPath } from './secrets-in-path.ts'
import { secretsSent } from './secrets-sent.ts'

const found = (headers: Record<string, string>, body?: string) =>
  secretsSent('http://a.example/', headers, body)

test('secretsSent() finds headers with blanks, and the keys within them', () => {
  assert.deepEqual(found({ 'x-pass': 'hold hands while 1' }), ['hold hands while 1'])
  assert.deepEqual(found({ 'x-workspace': 'the blue door of 42' }), ['the blue door of 42'])
  assert.deepEqual(found({ 'x-access': 'Custom id=7, key=abc123def456' }), [
    'Custom id=7, key=abc123def456',
    'abc123def456',
  ])
  assert.deepEqual(found({ 'x-short': 'a b c', accept: 'text/html, and more than that' }), [])
})

test('secretsSent() finds secrets in headers that begin as harmless ones do', () => {
  for (const name of ['openai-api-key', 'anthropic-auth', 'accept-token', 'sec-api-key', 'content-signature'])
    assert.deepEqual(found({ [name]: 'k-7f3a91' }), ['k-7f3a91'], name)
  const harmless = {
    'content-type': 'application/json',
    'openai-organization': 'org-1234567890',
    'if-match': '"1234567890123"',
  }
  assert.deepEqual(found(harmless), [])
})

test('secretsSent() finds texts of fields such as password in a body, in JSON, a form or its parts', () => {
  const secrets = ['hunter-of-the-2', 'client-1']
  const parts = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  for (const body of [
    JSON.stringify({
      user: 'ann',
      login: [{ password: secrets[0] }],
      client_secret: secrets[1],
      max_tokens: 7,
    }),
    new URLSearchParams({ user: 'ann', password: secrets[0]!, client_secret: secrets[1]! }).toString(),
    `${parts('user', 'ann')}${parts('password', secrets[0]!)}${parts('client_secret', secrets[1]!)}--b--`,
  ])
    assert.deepEqual(found({}, body), secrets, body)
  assert.deepEqual(found({}, JSON.stringify({ question: 'What is my password?' })), [])
})

test('secretsInPath() finds keys that an author typed into a path, and no place that is filled in', () => {
  for (const [address, secrets] of [
    ['https://a.example/bot12345:AAHdqTcvCH1vGWJ/send', ['bot12345:AAHdqTcvCH1vGWJ', 'AAHdqTcvCH1vGWJ']],
    ['https://a.example/hooks/letters/x', ['letters']],
    ['https://a.example/services/T00000000/B11/Zx81kkPqL0qw', ['Zx81kkPqL0qw']],
    ['https://a.example/events/:id/{identifier-12345}/{{$vars.token_123456}}', []],
    ['https://a.example/api/v1/chat/completions?key=1', []],
    ['not an address', []],
  ] as const)
    assert.deepEqual(secretsInPath(address), secrets, address)
})
