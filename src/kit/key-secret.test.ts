import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretHash, newApiKey } from './key-secret.ts'

test('newApiKey() makes a key of 256 random bits with the prefix that tells it from other secrets', () => {
  const keys = Array.from({ length: 100 }, () => newApiKey().apiKey)
  assert.equal(new Set(keys).size, 100)
  for (const key of keys) assert.match(key, /^sl_[\w-]{43}$/)
})

test('newApiKey() gives the hash that secretHash() finds the key by, and nothing of the key in it', () => {
  const { apiKey, hash } = newApiKey()
  assert.deepEqual(secretHash(apiKey), hash)
  assert.equal(hash.length, 32)
  assert.notDeepEqual(secretHash(`${apiKey}x`), hash)
})
