import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Credential } from '../../server/credentials.ts'
import { addressesOf } from './credential-addresses.ts'

test('addressesOf() has the addresses that flows call before the one of the provider, each once', () => {
  const use = (...addresses: (string | null)[]) =>
    [{ nodes: addresses.map((address) => ({ address })) }] as unknown as Credential['usedBy']
  assert.deepEqual(addressesOf(use('http://a', null, 'http://a'), 'http://p'), ['http://a', 'http://p'])
  assert.deepEqual(addressesOf(use(null), 'http://p'), ['http://p'])
  assert.deepEqual(addressesOf(undefined, null), [])
})
