import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createClients, plainAddress } from './client.ts'

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage

test('createClients() makes requests that an unlisted proxy forwards not local, and ignores its header', () => {
  const clients = createClients('127.0.0.1', [])
  assert.deepEqual(clients.of(request('127.0.0.1')), { address: '127.0.0.1', local: true })
  const forwarded = ['for', 'host', 'proto', 'port', 'server', 'ssl', 'prefix'].map(
    (word) => `x-forwarded-${word}`,
  )
  for (const name of [...forwarded, 'forwarded', 'via', 'x-real-ip'])
    assert.deepEqual(
      clients.of(request('127.0.0.1', { [name]: '::1' })),
      { address: '127.0.0.1', local: false },
      name,
    )
})

test('createClients() makes no client local on a server that other machines reach', () => {
  assert.equal(createClients('0.0.0.0', []).of(request('127.0.0.1')).local, false)
})

test('createClients() takes the last address that is not a listed proxy', () => {
  const clients = createClients('127.0.0.1', ['127.0.0.1', '10.0.0.0/8'])
  for (const [header, address, local] of [
    ['203.0.113.9', '203.0.113.9', false],
    ['127.0.0.1, 203.0.113.9', '203.0.113.9', false],
    ['203.0.113.9, 10.1.1.1', '203.0.113.9', false],
    ['203.0.113.9:5000', '203.0.113.9', false],
    ['[2001:db8::1]:5000', '2001:db8::1', false],
    ['::1', '::1', true],
    ['unknown', 'unknown', false],
  ] as const)
    assert.deepEqual(
      clients.of(request('127.0.0.1', { 'x-forwarded-for': header })),
      { address, local },
      header,
    )
  assert.deepEqual(clients.of(request('127.0.0.1')), { address: '127.0.0.1', local: false })
})

test('plainAddress() removes brackets, ports, zones and the IPv6 form of IPv4', () => {
  for (const [text, address] of [
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['[::1]:80', '::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['10.0.0.1:80', '10.0.0.1'],
    ['2001:db8::1', '2001:db8::1'],
  ] as const)
    assert.equal(plainAddress(text), address)
})
