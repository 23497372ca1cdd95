import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { afterConnections } from './after-connections.ts'

/** Calls a function after connections that come one in each turn of the event loop; gives how many had come when it was called. */
async function calledAfter(connections: number): Promise<number> {
  const server = new EventEmitter()
  const later = afterConnections(server as never)
  const called = Promise.withResolvers<number>()
  let accepted = 0
  later(() => called.resolve(accepted))
  for (let n = 0; n < connections; n++) {
    accepted++
    server.emit('connection')
    await setImmediate()
  }
  return called.promise
}

test('afterConnections() waits for the connections that come one in each turn of the event loop [limits:requests:turns]', async () => {
  assert.equal(await calledAfter(0), 0)
  assert.equal(await calledAfter(20), 20)
})

test('afterConnections() does not wait for ever where connections do not cease', async () => {
  const after = await calledAfter(500)
  assert.ok(after > 20 && after < 100, String(after))
})
