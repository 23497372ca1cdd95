import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { createKeyedQueue, type KeyLease, type KeyedWorkOptions, type KeyedQueue } from './keyed-queue.ts'

/** Work that ends when the test ends it, and the names of the work that has begun. */
function works(queue: KeyedQueue) {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const given = new Map<string, KeyLease>()
  const run = (name: string, key: string, options?: KeyedWorkOptions) =>
    queue.run(
      key,
      async (lease) => {
        begun.push(name)
        given.set(name, lease)
        const end = Promise.withResolvers<void>()
        ends.set(name, end)
        await end.promise
        return name
      },
      options,
    )
  return {
    begun,
    run,
    job: (name: string, key: string, signal?: AbortSignal) => run(name, key, { slot: true, signal }),
    leaseOf: (name: string) => given.get(name)!,
    async end(...names: string[]) {
      for (const name of names) {
        ends.get(name)!.resolve()
        await setImmediate()
      }
    },
  }
}

test('run() runs work of one key in sequence, in the order of arrival', async () => {
  const { begun, run, end } = works(createKeyedQueue())
  const all = ['a', 'b', 'c'].map((name) => run(name, 'key'))
  await setImmediate()
  assert.deepEqual(begun, ['a'])
  await end('a')
  assert.deepEqual(begun, ['a', 'b'])
  await end('b', 'c')
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c'])
})

test('run() does not wait for work of another key', async () => {
  const { begun, run, end } = works(createKeyedQueue())
  const all = [run('a', 'one'), run('b', 'two')]
  await setImmediate()
  assert.deepEqual(begun, ['a', 'b'])
  await end('a', 'b')
  await Promise.all(all)
})

test('run() passes the lease on when the work fails, and rejects with the failure', async () => {
  const queue = createKeyedQueue()
  const failed = queue.run('key', () => Promise.reject(new Error('no')))
  const next = queue.run('key', async () => 'yes')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'yes')
})

test('run() stops waiting when its signal aborts, and the work never begins', async () => {
  const { begun, run, end } = works(createKeyedQueue())
  const first = run('a', 'key')
  const controller = new AbortController()
  const waiting = run('b', 'key', { signal: controller.signal })
  const last = run('c', 'key')
  controller.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
  await setImmediate()
  assert.deepEqual(begun, ['a'])
  await end('a', 'c')
  await Promise.all([first, last])
  assert.deepEqual(begun, ['a', 'c'])
})

test('run() does not queue at all when its signal has aborted before', async () => {
  const queue = createKeyedQueue()
  await assert.rejects(
    queue.run('key', async () => {}, { signal: AbortSignal.abort(new Error('enough')) }),
    /enough/,
  )
  assert.equal(queue.keys, 0)
  await queue.idle()
})

test('run() leaves the signal to the work once it has begun', async () => {
  const { run, end } = works(createKeyedQueue())
  const controller = new AbortController()
  const first = run('a', 'key', { signal: controller.signal })
  await setImmediate()
  controller.abort(new Error('enough'))
  await end('a')
  assert.equal(await first, 'a')
})

test('run() keeps no key and no listener after the work', async () => {
  const queue = createKeyedQueue()
  const { run, end } = works(queue)
  const { signal } = new AbortController()
  const first = run('a', 'key')
  const second = run('b', 'key', { signal })
  assert.equal(queue.keys, 1)
  assert.equal(getEventListeners(signal, 'abort').length, 1)
  await setImmediate()
  await end('a')
  assert.equal(queue.keys, 1)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  await end('b')
  await Promise.all([first, second])
  assert.equal(queue.keys, 0)
})

test('keepUntil() keeps the lease after the work has answered, whether its promise resolves or rejects', async () => {
  const { begun, run, leaseOf, end } = works(createKeyedQueue())
  const first = run('a', 'key')
  const second = run('b', 'key')
  await setImmediate()
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  leaseOf('a').keepUntil(one.promise)
  leaseOf('a').keepUntil(two.promise)
  await end('a')
  assert.equal(await first, 'a')
  one.resolve()
  await setImmediate()
  assert.deepEqual(begun, ['a'])
  two.reject(new Error('the sweep failed'))
  await setImmediate()
  assert.deepEqual(begun, ['a', 'b'])
  await end('b')
  await second
})

test('run() gives the lease with its key', async () => {
  const { run, leaseOf, end } = works(createKeyedQueue())
  const first = run('a', 'key')
  await setImmediate()
  assert.equal(leaseOf('a').key, 'key')
  await end('a')
  await first
})

test('createKeyedQueue() runs no more work with a slot than there are slots, in the order of arrival', async () => {
  const { begun, job, end } = works(createKeyedQueue(2))
  const all = ['a', 'b', 'c', 'd'].map((name) => job(name, name))
  await setImmediate()
  assert.deepEqual(begun, ['a', 'b'])
  await end('b')
  assert.deepEqual(begun, ['a', 'b', 'c'])
  await end('a', 'c', 'd')
  await Promise.all(all)
})

test('createKeyedQueue() gives no slot to work whose key has one already: work of other keys passes it', async () => {
  const { begun, job, end } = works(createKeyedQueue(2))
  const all = [job('a1', 'a'), job('a2', 'a'), job('b1', 'b')]
  await setImmediate()
  assert.deepEqual(begun, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(begun, ['a1', 'b1', 'a2'])
  await end('b1', 'a2')
  await Promise.all(all)
})

test('run() without a slot needs none, and passes all queued work with a slot but the first', async () => {
  const { begun, run, job, leaseOf, end } = works(createKeyedQueue(1))
  const all = [job('job 1', 'key'), job('job 2', 'key'), job('job 3', 'key'), run('removal 1', 'key')]
  await setImmediate()
  const sweep = Promise.withResolvers<void>()
  leaseOf('job 1').keepUntil(sweep.promise)
  await end('job 1')
  // The slot is free, so that job 2 has joined the queue of the key.
  all.push(run('removal 2', 'key'), run('elsewhere', 'other key'))
  await setImmediate()
  assert.deepEqual(begun, ['job 1', 'elsewhere'])
  sweep.resolve()
  await setImmediate()
  await end('removal 1', 'job 2', 'removal 2', 'job 3', 'elsewhere')
  assert.deepEqual(begun, ['job 1', 'elsewhere', 'removal 1', 'job 2', 'removal 2', 'job 3'])
  await Promise.all(all)
})

test('run() does not begin work whose signal aborts in the same step in which its lease comes', async () => {
  const queue = createKeyedQueue()
  const { begun, run, end } = works(queue)
  const controller = new AbortController()
  const first = run('a', 'key', { signal: controller.signal })
  const second = run('b', 'key')
  controller.abort(new Error('enough'))
  await assert.rejects(first, /enough/)
  await setImmediate()
  assert.deepEqual(begun, ['b'])
  await end('b')
  await second
})

test('run() frees the slot of work that gives up before its lease, and no other', async () => {
  const { begun, run, job, end } = works(createKeyedQueue(1))
  const removal = run('removal', 'a')
  const controller = new AbortController()
  const hasSlot = job('first', 'a', controller.signal)
  const withoutSlot = job('second', 'b', controller.signal)
  const last = job('third', 'c')
  await setImmediate()
  assert.deepEqual(begun, ['removal'])
  controller.abort(new Error('enough'))
  await Promise.all([assert.rejects(hasSlot, /enough/), assert.rejects(withoutSlot, /enough/)])
  await setImmediate()
  assert.deepEqual(begun, ['removal', 'third'])
  const fourth = job('fourth', 'd')
  await setImmediate()
  assert.deepEqual(begun, ['removal', 'third'])
  await end('third', 'fourth', 'removal')
  await Promise.all([removal, last, fourth])
})

test('run() without a slot frees none, whether it ends or gives up', async () => {
  const { begun, run, job, end } = works(createKeyedQueue(1))
  const controller = new AbortController()
  const removal = run('removal', 'a')
  const withSlot = job('first', 'a')
  const givesUp = run('second removal', 'a', { signal: controller.signal })
  const withoutSlot = job('second', 'b')
  await setImmediate()
  controller.abort(new Error('enough'))
  await assert.rejects(givesUp, /enough/)
  await end('removal')
  assert.deepEqual(begun, ['removal', 'first'])
  await end('first', 'second')
  await Promise.all([removal, withSlot, withoutSlot])
})

test('idle() resolves after work has given up waiting', async () => {
  const queue = createKeyedQueue()
  const { run, end } = works(queue)
  const first = run('a', 'key')
  const controller = new AbortController()
  const second = run('b', 'key', { signal: controller.signal })
  controller.abort(new Error('enough'))
  await assert.rejects(second, /enough/)
  await setImmediate()
  await end('a')
  await first
  await queue.idle()
})

test('run() that gives up while it waits for a slot frees none', async () => {
  const { begun, job, end } = works(createKeyedQueue(1))
  const first = job('first', 'a')
  const controller = new AbortController()
  const second = job('second', 'a', controller.signal)
  const third = job('third', 'b')
  await setImmediate()
  controller.abort(new Error('enough'))
  await assert.rejects(second, /enough/)
  await setImmediate()
  assert.deepEqual(begun, ['first'])
  await end('first', 'third')
  await Promise.all([first, third])
})

test('idle() resolves when no work runs or waits, and what kept a lease has ended', async () => {
  const queue = createKeyedQueue(1)
  const { run, job, leaseOf, end } = works(queue)
  let idle = false
  const all = [run('a', 'key'), job('b', 'key')]
  void queue.idle().then(() => (idle = true))
  await setImmediate()
  const sweep = Promise.withResolvers<void>()
  await end('a')
  assert.equal(idle, false)
  leaseOf('b').keepUntil(sweep.promise)
  await end('b')
  assert.equal(idle, false)
  sweep.resolve()
  await setImmediate()
  assert.equal(idle, true)
  await Promise.all(all)
  await queue.idle()
})
