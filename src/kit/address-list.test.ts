import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressList } from './address-list.ts'

test('addressList() holds addresses and ranges, of both families', () => {
  const list = addressList('TRUST_PROXY', ['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::1'])
  for (const address of ['10.1.2.3', '192.0.2.7', 'fd12::9', '::1', '::ffff:10.1.2.3'])
    assert.equal(list.has(address), true, address)
  for (const address of ['11.0.0.1', '192.0.2.8', 'fe80::1', '', 'proxy', '167772161'])
    assert.equal(list.has(address), false, address)
})

test('addressList() refuses an entry that is neither, by name', () => {
  for (const entry of ['proxy.example', '10.0.0.0/40', '10.1', '2130706433'])
    assert.throws(() => addressList('TRUST_PROXY', [entry]), {
      code: 'config_invalid',
      message: /TRUST_PROXY/,
    })
})
