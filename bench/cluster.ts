import { setTimeout as pause } from 'node:timers/promises'
import { watchJobs } from '../test/support/chaos/chaos.ts'
import { type Cluster, startCluster } from '../test/support/chaos/cluster.ts'
import { inflict, type Takeover } from '../test/support/chaos/faults.ts'
import { makeFlows, submitAll } from '../test/support/chaos/load.ts'
import { randomBelow } from '../test/support/random.ts'
import { bossTakeovers } from './support/boss-takeovers.ts'
import { printTable, quantile } from './support/table.ts'

const MEMBERS = [1, 2, 3]
const JOBS = 200
const FLOWS = 30
const KILLS = Number(process.env.BENCH_KILLS ?? 12)
/** Of workers of pg-boss, all at the same time. */
const BOSS_KILLS = 3
/** How long an answer of the embedding provider takes, in milliseconds: as one in another house. */
const PROVIDER_MS = 100

/**
 * Jobs a second of one, two and three servers over one PostgreSQL, all on this machine, with one embedding provider; and how long after a
 * kill another server goes on with the job, of `BENCH_KILLS` kills, 12 unless given, beside pg-boss. Each job loads two small files from a bucket.
 */
export async function run(): Promise<void> {
  const table: (string | number)[][] = [
    ['servers', 'jobs', 'seconds', 'jobs/s', `jobs/s, provider ${PROVIDER_MS} ms`],
  ]
  for (const members of MEMBERS) {
    const quick = await measure(members, 0)
    const slow = await measure(members, PROVIDER_MS)
    table.push([String(members), JOBS, quick, JOBS / quick, JOBS / slow])
  }
  printTable(table)
  const kills = await takeovers()
  const steps: [string, (takeover: Takeover) => number][] = [
    ['PostgreSQL notices the closed connection', ({ noticed }) => noticed],
    ['another server removes the killed one', ({ noticed, removed }) => removed - noticed],
    ['it begins the job', ({ removed, begun }) => begun - removed],
    ['from the kill until then', ({ begun }) => begun],
  ]
  console.log(`\n${kills.length} kills, each after the claim of a job, in ms`)
  const slowest = kills.toSorted((a, b) => b.begun - a.begun)[0]!
  printTable([
    ['step', 'p50', 'longest', 'in the slowest takeover'],
    ...steps.map(([name, ms]) => {
      const all = kills.map(ms)
      return [name, Math.round(quantile(all, 0.5)), Math.round(Math.max(...all)), Math.round(ms(slowest))]
    }),
  ])
  const boss = (await bossTakeovers(BOSS_KILLS)).map(Math.round)
  console.log(`\npg-boss, its shortest heartbeat, ${BOSS_KILLS} kills: ${boss.join(', ')} ms`)
}

/** How many seconds the jobs take. */
async function measure(members: number, providerMs: number): Promise<number> {
  return onCluster(members, async (cluster, load) => {
    cluster.provider.answerMs = providerMs
    // Every server has done each step once.
    await load(FLOWS)
    const began = performance.now()
    await load(JOBS)
    return (performance.now() - began) / 1000
  })
}

/** One job at a time, and servers that have nothing else to do. */
async function takeovers(): Promise<Takeover[]> {
  return onCluster(3, async (cluster, load) => {
    await load(FLOWS)
    const kills: Takeover[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const over = new AbortController()
      // The job may go to another server: then the next one is tried.
      const killed = inflict({ kind: 'kill', at: 'claimed' }, cluster.members[kill % 3]!, {
        cluster,
        signal: over.signal,
        noteTakeover: (takeover) => void kills.push(takeover),
      })
      while (cluster.members[kill % 3]!.state === 'up') await load(1)
      await (await killed)()
    }
    return kills
  })
}

async function onCluster<T>(
  members: number,
  work: (cluster: Cluster, load: (jobs: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const cluster = await startCluster({ members })
  const { progress, end } = watchJobs(cluster)
  const flows = await makeFlows(cluster, FLOWS)
  const random = randomBelow(1)
  let total = 0
  let version = 1
  /** Submits so many jobs and waits for their ends. */
  async function load(jobs: number): Promise<void> {
    total += jobs
    const submitted = await submitAll({
      cluster,
      flows,
      jobs,
      from: version,
      mostOpen: 100,
      progress,
      random,
    })
    version = Math.max(...submitted.map((one) => one.version)) + 1
    while (progress.ended < total) await pause(10)
  }
  try {
    return await work(cluster, load)
  } finally {
    end()
    await cluster.close()
  }
}
