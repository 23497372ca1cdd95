import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pairedWrites } from './paired-writes.ts'

/** Batches of two items of 10 bytes. */
const SIZE = { bytes: 20, answered() {} }
const bytesOf = () => 10

/** A server whose answers come when the test says so. */
function heldServer() {
  const calls: { batch: readonly number[]; answer: PromiseWithResolvers<void> }[] = []
  let packed = 0
  return {
    calls,
    packed: () => packed,
    pack(batch: readonly number[]) {
      packed++
      return {
        bytes: batch.length * 10,
        send() {
          const answer = Promise.withResolvers<void>()
          calls.push({ batch, answer })
          return answer.promise
        },
      }
    },
  }
}

const settled = async () => {
  for (let n = 0; n < 5; n++) await turn()
}

test('two batches are on their way, the next is packed meanwhile, and all are sent in order', async () => {
  const { calls, packed, pack } = heldServer()
  const written = pairedWrites(SIZE)([1, 2, 3, 4, 5, 6, 7, 8], bytesOf, pack)
  await settled()
  assert.deepEqual([calls.length, packed()], [2, 3])
  for (let at = 0; at < calls.length; at++) {
    calls[at]!.answer.resolve()
    await settled()
  }
  await written
  assert.deepEqual(
    calls.flatMap(({ batch }) => batch),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

test('a failure of one of two on their way is thrown when the other has ended, and no more are sent', async () => {
  const { calls, pack } = heldServer()
  const outcome: string[] = []
  const written = pairedWrites(SIZE)([1, 2, 3, 4, 5, 6, 7, 8], bytesOf, pack).catch((error: Error) =>
    outcome.push(error.message),
  )
  await settled()
  calls[0]!.answer.reject(new Error('refused'))
  await settled()
  assert.deepEqual(outcome, [])
  calls[1]!.answer.resolve()
  await written
  assert.deepEqual(outcome, ['refused'])
  assert.equal(calls.length, 2)
})

test('a failure frees its place for other writes, of which two are on their way again', async () => {
  const { calls, pack } = heldServer()
  const write = pairedWrites(SIZE)
  const first = assert.rejects(write([1, 2], bytesOf, pack), /refused/)
  const second = assert.rejects(write([3, 4], bytesOf, pack), /refused/)
  const third = write([5, 6, 7, 8], bytesOf, pack)
  await settled()
  assert.equal(calls.length, 2)
  for (const { answer } of calls.slice(0, 2)) answer.reject(new Error('refused'))
  await Promise.all([first, second])
  await settled()
  assert.equal(calls.length, 4)
  for (const { answer } of calls.slice(2)) answer.resolve()
  await third
})

test('batches are of nearly one size', async () => {
  const { calls, pack } = heldServer()
  const many = Array.from({ length: 11 }, (_, at) => at)
  const written = pairedWrites({ bytes: 100, answered() {} })(many, bytesOf, pack)
  await settled()
  for (const { answer } of calls) answer.resolve()
  await written
  assert.deepEqual(
    calls.map(({ batch }) => batch.length),
    [6, 5],
  )
})
