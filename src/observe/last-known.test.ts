import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastKnown } from './last-known.ts'

test('lastKnown() gives the last value with its time where a reading fails or does not come, and reads once at a time', async () => {
  let time = 1000
  let reads = 0
  let read = async () => 7
  const known = lastKnown(
    () => {
      reads++
      return read()
    },
    { waitMs: 1, now: () => time },
  )
  read = () => Promise.reject(new Error('away'))
  assert.equal(await known(), undefined)
  read = async () => 7
  assert.deepEqual(await known(), { value: 7, readAt: 1000 })
  time = 5000
  read = () => Promise.reject(new Error('away'))
  assert.deepEqual(await known(), { value: 7, readAt: 1000 })
  const silent = Promise.withResolvers<number>()
  read = () => silent.promise
  const before = reads
  // Its own timer does not keep the process.
  const process = setInterval(() => {}, 1000)
  assert.deepEqual(await Promise.all([known(), known()]), Array(2).fill({ value: 7, readAt: 1000 }))
  clearInterval(process)
  assert.equal(reads, before + 1)
  silent.resolve(8)
  await silent.promise
  assert.deepEqual(await known(), { value: 8, readAt: 5000 })
})
