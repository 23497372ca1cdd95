import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress, placeOf } from './place.ts'

for (const [place, addresses] of Object.entries({
  public: ['8.8.8.8', '93.184.215.14', '100.63.255.255', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    'fd12::1',
    '::ffff:10.0.0.1',
  ],
  forbidden: [
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'fd00:ec2::254',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '4000::1',
  ],
}))
  for (const text of addresses)
    test(`placeOf() calls ${text} ${place}`, () => {
      assert.equal(placeOf(parseAddress(text)!), place)
    })

test('parseAddress() reads no names', () => {
  assert.equal(parseAddress('localhost'), undefined)
})
