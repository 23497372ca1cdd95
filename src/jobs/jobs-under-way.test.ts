import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate, gated, jobDesk, many } from '../../test/support/job-desk.ts'
import { jobsUnderWay } from './jobs-under-way.ts'

test('jobsUnderWay() has a job that begins between its two questions, each job once, and none that has ended', async (t) => {
  const desk = jobDesk(t)
  const door = gate()
  const { jobs, submit } = await desk.open({ embedder: gated(door) })
  const first = await submit({ 'a.txt': many(2) })
  await door.arrived
  const second = await submit({ 'b.txt': many(2) })
  const idsOf = async (asked: Parameters<typeof jobsUnderWay>[0]) =>
    (await jobsUnderWay(asked, { limit: 10 })).map(({ id }) => id)
  assert.deepEqual(await idsOf(jobs), [first, second])

  let questions = 0
  /** The second job has begun, and ended, when the second question is answered. */
  const moving: Parameters<typeof jobsUnderWay>[0] = {
    async list(page) {
      const answer = await jobs.list(page)
      if (questions++ > 0) return answer
      door.let()
      await jobs.result(first)
      await jobs.result(second)
      return answer
    },
  }
  assert.deepEqual(await idsOf(moving), [second])
  assert.deepEqual(await idsOf(jobs), [])
})
