import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { createLanes, type Lanes } from './lanes.ts'

/** Work that tells when it begins and ends when it is told to. */
function works(lanes: Lanes) {
  const begun: string[] = []
  const end: Record<string, () => void> = {}
  const enter = (name: string, lane: string) =>
    lanes.enter(lane, () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      begun.push(name)
      end[name] = resolve
      return promise
    })
  return {
    begun,
    enter,
    async end(name: string) {
      end[name]!()
      await turn()
    },
  }
}

test('createLanes() lets work of one lane go one after another, and other lanes pass it', async () => {
  const { begun, enter, end } = works(createLanes(3))
  enter('a1', 'a')
  enter('a2', 'a')
  enter('b1', 'b')
  assert.deepEqual(begun, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(begun, ['a1', 'b1', 'a2'])
})

test('createLanes() begins no more at once than it may, in the order of coming', async () => {
  const { begun, enter, end } = works(createLanes(2))
  for (const name of ['a', 'b', 'c', 'd']) enter(name, name)
  assert.deepEqual(begun, ['a', 'b'])
  await end('b')
  assert.deepEqual(begun, ['a', 'b', 'c'])
})

test('createLanes() lets who has not begun step out, and tells who has', async () => {
  const { begun, enter, end } = works(createLanes(1))
  const first = enter('first', 'a')
  const second = enter('second', 'a')
  assert.deepEqual([first(), second(), second()], [false, true, false])
  await end('first')
  assert.deepEqual(begun, ['first'])
})

test('createLanes() begins nothing once it is closed, and waits for what is under way', async () => {
  const lanes = createLanes(1)
  const { begun, enter, end } = works(lanes)
  enter('first', 'a')
  enter('second', 'a')
  let closed = false
  const closing = lanes.close().then(() => (closed = true))
  await turn()
  assert.equal(closed, false)
  await end('first')
  await closing
  enter('third', 'b')
  assert.deepEqual(begun, ['first'])
})
