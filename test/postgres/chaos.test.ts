import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { runChaos } from '../support/chaos/chaos.ts'
import { type Fault, planOf } from '../support/chaos/faults.ts'
import { randomBelow } from '../support/random.ts'
import { s3Server } from '../support/s3-server.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL', 'the S3 server of the tests')

// Here, not in the first test: the server of the buckets would end with that.
await s3Server()

/** Gives the same faults in the same order again, at about the same jobs. */
const SEED = Number(process.env.CHAOS_SEED ?? 1 + Math.floor(Math.random() * 1_000_000))

/** How often each fault happens. */
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 1)

/** So many jobs for each fault: they go on while it is mended. */
const JOBS_A_FAULT = 9

const figuresOf = (values: readonly number[]): string => {
  const sorted = values.toSorted((a, b) => a - b)
  return `${Math.round(sorted[sorted.length >> 1] ?? 0)} ms in the middle, ${Math.round(sorted.at(-1) ?? 0)} ms at most`
}

async function chaos(t: TestContext, options: Omit<Parameters<typeof runChaos>[0], 'seed'>) {
  t.diagnostic(`CHAOS_SEED=${SEED}`)
  const report = await runChaos({ ...options, seed: SEED, note: (line) => t.diagnostic(line) })
  const { seconds, takeovers, failed, repeated, texts, embedded } = report
  t.diagnostic(
    `${options.jobs} jobs in ${seconds.toFixed(1)} s, ${failed} failed, ${repeated} began again; ${texts} texts, ${embedded - texts} embedded again`,
  )
  if (takeovers.length > 0)
    t.diagnostic(
      `${takeovers.length} jobs went on after a kill of their node: ${figuresOf(takeovers.map(({ begun }) => begun))}`,
    )
  return report
}

test('Servers over one database end each job once, and have the last version of each flow, whatever fails', async (t) => {
  const plan = planOf(randomBelow(SEED), ROUNDS)
  const jobs = plan.length * JOBS_A_FAULT
  const { problems, happened, takeovers } = await chaos(t, { jobs, flows: 15, plan })
  assert.deepEqual(problems, [], `CHAOS_SEED=${SEED}`)
  assert.equal(happened.length, plan.length)
  assert.ok(takeovers.length > 0)
})

test('Without the fence, servers that are frozen before a publication publish it all the same: the test above can fail', async (t) => {
  const plan = Array<Fault>(4).fill({ kind: 'freeze', at: 'publishing', until: 'begun' })
  const { problems } = await chaos(t, { jobs: 40, flows: 12, plan, hasFence: false, longestMs: 60_000 })
  assert.ok(
    problems.some((problem) => /^(publications|chunks|hits|counts) of|^only/.test(problem)),
    problems.join('\n'),
  )
})
