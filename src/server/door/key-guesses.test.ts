import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyGuesses, networkOf } from './key-guesses.ts'

const key = (text: string) => Buffer.from(text)

function house(perMinute: number) {
  let now = 0
  const guesses = createKeyGuesses(perMinute, () => now)
  return {
    later(ms: number) {
      now += ms
    },
    /** Whether the key was looked at; throws too_many_keys. */
    present(address: string, text: string, right = false) {
      const guess = guesses.of(address)
      guess.begin(key(text))
      guess.end(key(text), right)
    },
  }
}
const slowed = { code: 'too_many_keys', facts: { retryAfter: 20 } }

test('createKeyGuesses() refuses an address after too many wrong keys, and admits it again later', () => {
  const { present, later } = house(3)
  for (const text of ['a', 'b', 'c']) present('203.0.113.1', text)
  assert.throws(() => present('203.0.113.1', 'd'), slowed)
  assert.throws(() => present('203.0.113.1', 'the right one, for the first time', true), slowed)
  present('203.0.113.2', 'd')
  later(20_000)
  present('203.0.113.1', 'd')
  assert.throws(() => present('203.0.113.1', 'e'), slowed)
})

test('createKeyGuesses() does not count right keys, and still accepts keys that were right before', () => {
  const { present } = house(3)
  for (let i = 0; i < 10; i++) present('203.0.113.1', 'right', true)
  for (const text of ['a', 'b', 'c']) present('203.0.113.1', text)
  assert.throws(() => present('203.0.113.1', 'd'), slowed)
  present('203.0.113.1', 'right', true)
  // A key that was deleted in the meantime is a guess like any other.
  present('203.0.113.1', 'right')
  assert.throws(() => present('203.0.113.1', 'right'), slowed)
})

test('createKeyGuesses() counts a request once, even if its key is looked up several times', () => {
  const guess = createKeyGuesses(1).of('203.0.113.1')
  for (let i = 0; i < 5; i++) {
    guess.begin(key('a'))
    guess.end(key('a'), false)
  }
})

test('createKeyGuesses() counts look-ups in progress', () => {
  const guesses = createKeyGuesses(3)
  const waiting = ['a', 'b', 'c'].map((text) => {
    const guess = guesses.of('203.0.113.1')
    guess.begin(key(text))
    return () => guess.end(key(text), text === 'c')
  })
  assert.throws(() => guesses.of('203.0.113.1').begin(key('d')), { code: 'too_many_keys' })
  for (const end of waiting) end()
  guesses.of('203.0.113.1').begin(key('d'))
})

test('networkOf() gives the same network for all addresses of an IPv6 network', () => {
  assert.equal(networkOf('2001:db8::1'), networkOf('2001:db8:0:0:ffff::2'))
  assert.notEqual(networkOf('2001:db8::1'), networkOf('2001:db8:0:1::1'))
  assert.equal(networkOf('::1'), '0:0:0:0')
  assert.equal(networkOf('203.0.113.1'), '203.0.113.1')
})
