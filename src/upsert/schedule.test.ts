import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachInParallel } from './schedule.ts'

async function* upTo(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n++) yield n
}

test('eachInParallel() works on so many items at the same time, each with its place', async () => {
  let running = 0
  let most = 0
  const places: number[] = []
  await eachInParallel(upTo(10), 3, async (item, place) => {
    most = Math.max(most, ++running)
    assert.equal(item, place)
    await new Promise(setImmediate)
    places.push(place)
    running--
  })
  assert.equal(most, 3)
  assert.deepEqual(
    places.toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
})

test('eachInParallel() throws the first failure, after the items under way, and begins no more', async () => {
  const begun: number[] = []
  const slow = Promise.withResolvers<void>()
  const all = eachInParallel(upTo(10), 2, async (item) => {
    begun.push(item)
    if (item === 0) await slow.promise
    else throw new Error('no')
  })
  let ended = false
  const rejected = assert.rejects(all, /no/).then(() => (ended = true))
  await new Promise(setImmediate)
  assert.deepEqual([begun, ended], [[0, 1], false])
  slow.resolve()
  await rejected
  assert.deepEqual(begun, [0, 1])
})

test('eachInParallel() throws what the sequence of items throws', async () => {
  async function* broken(): AsyncGenerator<number> {
    yield 1
    throw new Error('the folder is gone')
  }
  await assert.rejects(
    eachInParallel(broken(), 4, async () => {}),
    /the folder is gone/,
  )
})

test('eachInParallel() lets other work of the event loop run between many small items', async () => {
  let turns = 0
  const count = () => {
    turns++
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  await eachInParallel(upTo(640), 1, async () => {})
  clearImmediate(immediate)
  assert.ok(turns >= 9, String(turns))
})
