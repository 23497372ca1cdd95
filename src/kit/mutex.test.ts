import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { createKeyedMutex } from './mutex.ts'

/** Work that ends when it is told to, and a list of what has begun. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const work = (name: string) => async () => {
    begun.push(name)
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    await end.promise
    return name
  }
  return { begun, work, end: (name: string) => ends.get(name)!.resolve() }
}

test('run() lets one at a time through per key, in the order in which they came', async () => {
  const mutex = createKeyedMutex()
  const { begun, work, end } = works()
  const all = ['a', 'b', 'c'].map((name) => mutex.run('key', work(name)))
  await turn()
  assert.deepEqual(begun, ['a'])
  end('a')
  await turn()
  assert.deepEqual(begun, ['a', 'b'])
  end('b')
  await turn()
  end('c')
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c'])
})

test('run() makes nobody wait for another key', async () => {
  const mutex = createKeyedMutex()
  const { begun, work, end } = works()
  const all = [mutex.run('one', work('a')), mutex.run('two', work('b'))]
  await turn()
  assert.deepEqual(begun, ['a', 'b'])
  end('a')
  end('b')
  await Promise.all(all)
})

test('run() passes the turn on when the work fails, and hands the failure back', async () => {
  const mutex = createKeyedMutex()
  const failed = mutex.run('key', () => Promise.reject(new Error('no')))
  const next = mutex.run('key', async () => 'yes')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'yes')
})

test('run() gives up waiting at once when its signal says so, and the work never begins', async () => {
  const mutex = createKeyedMutex()
  const { begun, work, end } = works()
  const holder = mutex.run('key', work('a'))
  const controller = new AbortController()
  const waiter = mutex.run('key', work('b'), controller.signal)
  controller.abort(new Error('enough'))
  await assert.rejects(waiter, /enough/)
  end('a')
  await holder
  await turn()
  assert.deepEqual(begun, ['a'])
})

test('run() still holds the turn for the first when one that waited has given up', async () => {
  const mutex = createKeyedMutex()
  const { begun, work, end } = works()
  const holder = mutex.run('key', work('a'))
  await assert.rejects(mutex.run('key', work('b'), AbortSignal.abort(new Error('enough'))), /enough/)
  const next = mutex.run('key', work('c'))
  await turn()
  assert.deepEqual(begun, ['a'])
  end('a')
  await turn()
  end('c')
  await Promise.all([holder, next])
  assert.deepEqual(begun, ['a', 'c'])
})

test('run() has a key for as long as work holds or awaits its turn, and no longer', async () => {
  const mutex = createKeyedMutex()
  const { begun, work, end } = works()
  const first = mutex.run('key', work('a'))
  const second = mutex.run('key', work('b'))
  assert.equal(mutex.keys, 1)
  await turn()
  end('a')
  await first
  await turn()
  assert.equal(mutex.keys, 1)
  // The key of the first has not taken that of the second along: the third still waits.
  const third = mutex.run('key', work('c'))
  await turn()
  assert.deepEqual(begun, ['a', 'b'])
  end('b')
  await second
  await turn()
  end('c')
  await third
  await turn()
  assert.equal(mutex.keys, 0)
})

test('run() leaves no listener at a signal, whether the turn came or was given up', async () => {
  const mutex = createKeyedMutex()
  const { work, end } = works()
  const holder = mutex.run('key', work('a'))
  const { signal } = new AbortController()
  const waiter = mutex.run('key', async () => {}, signal)
  assert.equal(getEventListeners(signal, 'abort').length, 1)
  await turn()
  end('a')
  await Promise.all([holder, waiter])
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})
