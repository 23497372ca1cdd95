import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../kit/config.ts'
import { SluiceError } from '../kit/errors.ts'
import { quietLog } from '../kit/log.ts'
import { eventAddress, startEvents } from './main.ts'

const free = { host: '127.0.0.1', port: 0, log: quietLog }

test('eventAddress() is HOST and PORT, or port 5566 on this machine [events:port]', () => {
  const address = (environment: Record<string, string>) =>
    eventAddress(readConfig({ environment, directory: import.meta.dirname }))
  assert.deepEqual(address({}), { host: '127.0.0.1', port: 5566 })
  assert.deepEqual(address({ PORT: '0', HOST: '::1' }), { host: '::1', port: 0 })
})

test('startEvents() names a port that is in use', async () => {
  const first = await startEvents(free)
  const port = Number(new URL(first.url).port)
  try {
    await assert.rejects(
      startEvents({ ...free, port }),
      (error) =>
        error instanceof SluiceError &&
        error.code === 'port_taken' &&
        error.facts.port === port &&
        error.facts.host === '127.0.0.1',
    )
  } finally {
    await first.close()
  }
})

test('startEvents() names an address that this machine does not have, and an invalid one', async () => {
  for (const address of [
    { host: '192.0.2.1', port: 0 },
    { host: '127.0.0.1', port: 70_000 },
  ])
    await assert.rejects(
      startEvents({ ...free, ...address }),
      (error) => error instanceof SluiceError && error.code === 'address_unusable',
    )
})

test('close() waits for a running request, closes idle connections and frees the port', async () => {
  const { url, close } = await startEvents(free)
  const port = Number(new URL(url).port)
  const idle = connect(port, '127.0.0.1')
  const slow = connect(port, '127.0.0.1')
  await Promise.all([once(idle, 'connect'), once(slow, 'connect')])
  const body = '{"name":"Choir","date":"2025-01-01T10:00:00Z","location":"Bern","id":"late"}'
  slow.write(
    `POST /events HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`,
  )
  slow.write('expect: 100-continue\r\n\r\n')
  assert.match(String(await once(slow, 'data')), /^HTTP\/1\.1 100 /)

  const closed = close()
  const answer = once(slow, 'data')
  slow.write(body)
  assert.match(String(await answer), /^HTTP\/1\.1 201 [\s\S]*"id":"late"/)
  await closed
  await assert.rejects(fetch(url))
  await (await startEvents({ ...free, port })).close()
})
