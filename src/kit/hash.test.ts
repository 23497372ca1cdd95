import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint, randomId, randomToken, sha256, sha256Stream, uuidOf } from './hash.ts'

/** FIPS 180-4, the example of one block. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

test('sha256() and sha256Stream() give the digest of the standard, however the bytes arrive', async () => {
  assert.equal(sha256('abc'), ABC)
  assert.equal(sha256(new Uint8Array([97, 98, 99])), ABC)
  async function* pieces() {
    yield new Uint8Array([97])
    yield new Uint8Array([98, 99])
  }
  assert.equal(await sha256Stream(pieces()), ABC)
})

test('fingerprint() is the beginning of the digest in base64url', () => {
  assert.equal(fingerprint('abc'), Buffer.from(ABC, 'hex').toString('base64url').slice(0, 22))
})

test('uuidOf() gives a text one UUID of version 8, always the same', () => {
  const id = uuidOf('abc')
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(uuidOf('abc'), id)
  assert.notEqual(uuidOf('abd'), id)
})

test('randomId() and randomToken() never repeat themselves', () => {
  assert.equal(new Set(Array.from({ length: 100 }, randomId)).size, 100)
  assert.equal(new Set(Array.from({ length: 100 }, () => randomToken())).size, 100)
  assert.equal(Buffer.from(randomToken(16), 'base64url').length, 16)
})
