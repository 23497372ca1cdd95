import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, ClusterNode, RunningJob } from './cluster.ts'
import { BOUNDARIES, type Boundary } from './statements.ts'

/** What happens to a cluster: to one of its nodes, to the connections of one, or to PostgreSQL. */
export type Fault =
  | { kind: 'kill'; at?: Boundary }
  /** Longer than the lease: until other nodes have begun the jobs of the frozen one again, or have ended them. */
  | { kind: 'freeze'; at: Boundary; until: 'begun' | 'ended' }
  | { kind: 'cut' | 'silence' | 'crash'; at?: never }

export const nameOf = (fault: Fault): string => Object.values(fault).join(' ')

/** The shortest that a node stays frozen, in milliseconds: longer than its lease. */
const SHORTEST_MS = 3200

/** The longest that a node stays frozen, and that a takeover is watched, in milliseconds. */
const LONGEST_MS = 20_000

/** The faults of a run in an order that the seed gives. */
export function planOf(random: (bound: number) => number): Fault[] {
  const plan: Fault[] = [
    ...Array<Fault>(4).fill({ kind: 'kill' }),
    ...BOUNDARIES.flatMap((at): Fault[] => [
      { kind: 'kill', at },
      { kind: 'freeze', at, until: 'begun' },
      { kind: 'freeze', at, until: 'ended' },
    ]),
    ...Array<Fault>(4).fill({ kind: 'cut' }),
    ...Array<Fault>(3).fill({ kind: 'silence' }),
    ...Array<Fault>(2).fill({ kind: 'crash' }),
  ]
  for (let last = plan.length - 1; last > 0; last--) {
    const other = random(last + 1)
    ;[plan[last], plan[other]] = [plan[other]!, plan[last]!]
  }
  return plan
}

export type FaultOptions = {
  cluster: Cluster
  /** Aborts when there are no more jobs. */
  signal: AbortSignal
  /** Notes how long a job of a killed node took until another node went on with it, in milliseconds. */
  noteTakeover(ms: number): void
}

/** Makes a fault happen. Resolves when it has happened, with what mends it. */
export async function inflict(
  fault: Fault,
  node: ClusterNode,
  { cluster, signal, noteTakeover }: FaultOptions,
): Promise<() => Promise<void>> {
  const nothing = async () => {}
  if (fault.kind === 'crash') {
    await cluster.crashPostgres()
    return nothing
  }
  if (fault.kind === 'cut' || fault.kind === 'silence') {
    node.proxy[fault.kind]()
    return nothing
  }
  const killed = fault.kind === 'kill'
  const isLong = fault.kind === 'freeze' && fault.until === 'ended'
  const boundary = fault.at
  let jobs: RunningJob[]
  if (boundary === undefined) {
    jobs = await cluster.jobsOf(node)
    node.process.kill('SIGKILL')
  } else {
    const order = { boundary, signal: killed ? 'SIGKILL' : 'SIGSTOP' } as const
    if (!(await cluster.atBoundary(node, order, signal))) return nothing
    jobs = await cluster.jobsOf(node)
  }
  const began = performance.now()
  node.state = killed ? 'down' : 'frozen'
  const begunAgain = watchTakeover(cluster, jobs, began)
  if (killed)
    return async () => {
      await cluster.restart(node)
      for (const ms of await begunAgain) noteTakeover(ms)
    }
  return async () => {
    await Promise.all([begunAgain, pause(SHORTEST_MS)])
    while (isLong && performance.now() - began < LONGEST_MS && (await areOpen(cluster, jobs))) await pause(50)
    node.process.kill('SIGCONT')
    node.state = 'up'
  }
}

const areOpen = async ({ database }: Cluster, jobs: readonly RunningJob[]): Promise<boolean> =>
  (await database.reader.get(
    `SELECT 1 FROM jobs WHERE id = ANY($1) AND state IN ('queued', 'running')`,
    jobs.map(({ id }) => id),
  )) !== undefined

/**
 * Waits until other nodes have begun jobs again. Resolves with how long each took, in milliseconds. A job that was taken over was
 * queued and has begun again: two changes.
 */
async function watchTakeover(
  { database }: Cluster,
  jobs: readonly RunningJob[],
  began: number,
): Promise<number[]> {
  const took: number[] = []
  const waiting = new Map(jobs.map(({ id, turn }) => [id, turn]))
  while (waiting.size > 0 && performance.now() - began < LONGEST_MS) {
    const rows = await database.reader.all<RunningJob>('SELECT id, turn FROM jobs WHERE id = ANY($1)', [
      ...waiting.keys(),
    ])
    for (const { id, turn } of rows) {
      if (turn < waiting.get(id)! + 2) continue
      waiting.delete(id)
      took.push(performance.now() - began)
    }
    await pause(5)
  }
  return took
}
