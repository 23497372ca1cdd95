import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate, gated, jobDesk, many } from '../../test/support/job-desk.ts'
import { settledBefore } from './settled-before.ts'

const HOUR = 3_600_000

test('settledBefore() is an hour ago, or ten minutes before the oldest upsert that runs', async (t) => {
  const desk = jobDesk(t)
  let now = 1_000 * HOUR
  const door = gate()
  const { jobs, store, submit } = await desk.open({ embedder: gated(door), clock: () => now })
  assert.equal(await settledBefore(store, now), now - HOUR)
  const id = await submit({ 'a.txt': many(2) })
  await door.arrived
  const startedAt = now
  now += 30 * 60_000
  assert.equal(await settledBefore(store, now), now - HOUR)
  now += 5 * HOUR
  assert.equal(await settledBefore(store, now), startedAt - 600_000)
  door.let()
  await jobs.result(id)
  assert.equal(await settledBefore(store, now), now - HOUR)
})
