import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from './free-port.ts'

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range'

test('freePort() gives other ports each time, none of which the system gives to whoever asks for any', {
  skip: existsSync(RANGE) ? false : 'it needs /proc of Linux',
}, async () => {
  const [from, to] = readFileSync(RANGE, 'utf8').trim().split(/\s+/).map(Number)
  const ports = await Promise.all(Array.from({ length: 100 }, freePort))
  assert.equal(new Set(ports).size, 100)
  assert.deepEqual(
    ports.filter((port) => port >= from! && port <= to!),
    [],
  )
})
