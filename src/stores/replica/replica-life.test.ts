import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newReplica, type Origin } from '../../../test/support/replica-origin.ts'
import { replicaNamespaces } from '../../db/sqlite/replica-reads.ts'

/** Reads wait from the `nth` one of a name on, until the gate is open. */
function gateAt(origin: Origin, name: string, nth = 1) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let left = nth
  origin.before = async (read) => {
    if (read !== name || --left > 0) return
    reached.resolve()
    await gate.promise
  }
  return { reached: reached.promise, open: () => gate.resolve() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('searches at the same time share one copy', async (t) => {
  const { replica, origin, copied } = newReplica(t)
  origin.publish(7, { texts: ['one'] })
  const collections = await Promise.all([replica.collection(7), replica.collection(7)])
  assert.equal(collections[0], collections[1])
  assert.equal(copied.length, 1)
})

test('a copy that fails leaves no run open, and the next search copies again', async (t) => {
  const { replica, local, origin, seen } = newReplica(t)
  origin.publish(7, { texts: ['one'] })
  origin.before = (read) => {
    if (read === 'chunks') throw new Error('the database is away')
  }
  await assert.rejects(replica.collection(7), { message: 'the database is away' })
  assert.deepEqual(
    local.reader.all<{ state: string }>('SELECT state FROM runs').filter(({ state }) => state === 'open'),
    [],
  )
  origin.before = () => {}
  assert.equal((await seen(7)).length, 1)
})

test('a replica that is closed ends a copy that is under way, waits for its end, and closes its engine', async (t) => {
  const { replica, origin } = newReplica(t)
  origin.publish(7, { texts: Array.from({ length: 1001 }, (_, at) => `text ${at}`) })
  const close = t.mock.method(replica.engine, 'close')
  const gate = gateAt(origin, 'chunks', 2)
  const order: string[] = []
  const search = assert.rejects(replica.collection(7), { message: 'the replica is closed' })
  const searched = search.then(() => order.push('searched'))
  await gate.reached
  const closed = replica.close().then(() => order.push('closed'))
  gate.open()
  await Promise.all([searched, closed])
  assert.deepEqual(order, ['searched', 'closed'])
  assert.equal(close.mock.callCount(), 1)
})

test('drop() waits for a copy that is under way and deletes the index here, in the engine too', async (t) => {
  const { replica, local, origin, count } = newReplica(t)
  origin.publish(7, { texts: ['one'] })
  const drop = t.mock.method(replica.engine, 'drop')
  const gate = gateAt(origin, 'chunks')
  const searched = replica.collection(7)
  await gate.reached
  const dropped = replica.drop(7)
  await turn()
  origin.live.delete(7)
  gate.open()
  assert.equal(await searched, undefined)
  await dropped
  assert.deepEqual(replicaNamespaces(local.reader), [])
  assert.deepEqual([count('indexes'), count('chunks')], [0, 0])
  assert.equal(drop.mock.callCount(), 1)
})

test('sweep() deletes the indexes that no reader sees any more, and memory that is not used', async (t) => {
  const { replica, local, origin } = newReplica(t)
  const sweep = t.mock.method(replica.engine, 'sweep')
  for (const index of [7, 8]) {
    origin.publish(index, { texts: ['one'] })
    await replica.collection(index)
  }
  origin.live.delete(7)
  await replica.sweep()
  assert.deepEqual(replicaNamespaces(local.reader), ['8'])
  assert.equal(sweep.mock.callCount(), 1)
})

test('sweep() runs one call after the other, also after one that failed', async (t) => {
  const { replica, origin } = newReplica(t)
  const gate = gateAt(origin, 'live')
  const both = [replica.sweep(), replica.sweep()]
  await gate.reached
  await turn()
  assert.deepEqual(origin.reads, ['live'])
  gate.open()
  await Promise.all(both)
  assert.deepEqual(origin.reads, ['live', 'live'])
  origin.before = () => {
    throw new Error('the database is away')
  }
  await assert.rejects(replica.sweep(), { message: 'the database is away' })
  origin.before = () => {}
  await replica.sweep()
})

test('close() waits for a sweep, which deletes nothing any more', async (t) => {
  const { replica, local, origin } = newReplica(t)
  origin.publish(7, { texts: ['one'] })
  await replica.collection(7)
  origin.live.delete(7)
  const gate = gateAt(origin, 'live')
  const swept = replica.sweep()
  await gate.reached
  const closed = replica.close()
  gate.open()
  await Promise.all([swept, closed])
  assert.deepEqual(replicaNamespaces(local.reader), ['7'])
})

test('a replica sweeps every ten minutes until it is closed', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { replica, origin } = newReplica(t)
  const gate = gateAt(origin, 'live')
  gate.open()
  t.mock.timers.tick(599_999)
  await turn()
  assert.deepEqual(origin.reads, [])
  t.mock.timers.tick(1)
  await gate.reached
  await replica.close()
  t.mock.timers.tick(600_000)
  await turn()
  assert.deepEqual(origin.reads, ['live'])
})

test('lag() counts the publications of all copied indexes that are not taken over', async (t) => {
  const { replica, origin } = newReplica(t)
  for (const index of [7, 8]) {
    origin.publish(index, { texts: ['one'] })
    origin.publish(index, { texts: ['two'] })
    await replica.collection(index)
  }
  origin.publish(9, { texts: ['not copied'] })
  assert.equal(await replica.lag(), 0)
  origin.publish(7, { texts: ['three'] })
  origin.publish(7, { texts: ['four'] })
  assert.equal(await replica.lag(), 2)
  await replica.collection(7)
  assert.equal(await replica.lag(), 0)
})
