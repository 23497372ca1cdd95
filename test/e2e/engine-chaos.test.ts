import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineFaultPlan, type EngineVerdict, surviveFault } from '../support/engines/chaos/engine-chaos.ts'
import { INDEXING_MEMORY } from '../support/engines/chaos/engine-faults.ts'
import { engineHouse } from '../support/engines/chaos/engine-house.ts'
import { engineLoad } from '../support/engines/chaos/engine-load.ts'
import { openSearchPrograms } from '../support/engines/real/programs.ts'
import { threeNodes } from '../support/engines/real/three-nodes.ts'
import { randomBelow } from '../support/random.ts'

/** Gives the same faults in the same order again. A fixed one: other seeds are for runs by hand, which may last longer. */
const SEED = Number(process.env.ENGINE_CHAOS_SEED ?? 14)

/** How often each fault happens. */
const ROUNDS = Number(process.env.ENGINE_CHAOS_ROUNDS ?? 1)

/** Only these faults, with commas between them. */
const ONLY = process.env.ENGINE_CHAOS_FAULTS?.split(',')

const programs = openSearchPrograms()
if (programs === undefined && process.env.CI === 'true')
  throw new Error('opensearch is not there (tools/provide-opensearch.sh): with CI=true it has to be')

test('Three nodes of OpenSearch that are killed, frozen, cut off and refuse writes lose nothing, double nothing and answer nothing wrong [engines:chaos]', {
  skip: programs === undefined && 'opensearch is not there (tools/provide-opensearch.sh)',
}, async (t) => {
  t.diagnostic(`ENGINE_CHAOS_SEED=${SEED}`)
  const began = performance.now()
  const note = (text: string) => {
    const line = `${((performance.now() - began) / 1000).toFixed(1)} s: ${text}`
    t.diagnostic(line)
    // The reporter tells diagnostics at the end.
    if (process.env.ENGINE_CHAOS_ROUNDS !== undefined) process.stderr.write(`${line}\n`)
  }
  const cluster = await threeNodes(programs!, { 'indexing_pressure.memory.limit': INDEXING_MEMORY })
  t.after(() => cluster.close())
  const house = await engineHouse(t, cluster.addresses)
  const [flow, bulkFlow] = ['chaos', 'large']
  for (const name of [flow, bulkFlow]) await house.flow(name)
  const random = randomBelow(SEED)
  const load = engineLoad(house, flow, SEED + 1)
  const verdict: EngineVerdict = { lost: 0, doubled: 0, problems: [] }
  try {
    await load.next('question', ({ status }) => status === 200)
    for (const name of engineFaultPlan(random, { rounds: ROUNDS, only: ONLY })) {
      note(`${load.counts.changes} changes, ${load.counts.answers} answers: ${name}`)
      await surviveFault(name, { cluster, house, load, flow, bulkFlow, random }, verdict)
    }
  } finally {
    await load.end()
  }
  const { lost, doubled, problems } = verdict
  const { changes, answers, failures } = load.counts
  note(
    `${changes} changes, ${answers} answers; ${lost} lost, ${doubled} doubled, ${load.problems.length} wrong answers`,
  )
  for (const [failure, count] of failures) t.diagnostic(`${count} times ${failure}`)
  assert.deepEqual([...problems, ...load.problems], [], `ENGINE_CHAOS_SEED=${SEED}`)
})
