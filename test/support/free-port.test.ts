import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from './free-port.ts'

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range'
const [FROM = 0] = existsSync(RANGE) ? readFileSync(RANGE, 'utf8').trim().split(/\s+/).map(Number) : []

test('freePort() gives other ports each time, none of which the system gives to whoever asks for any', {
  skip: FROM >= 32_000 ? false : 'the system gives ports of all numbers',
}, async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort))
  assert.equal(new Set(ports).size, 100)
  assert.deepEqual(
    ports.filter((port) => port >= FROM),
    [],
  )
})
