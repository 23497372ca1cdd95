import { setTimeout as pause } from 'node:timers/promises'
import { MEMBER_LOCK } from '../../../src/db/postgres/leases.ts'
import type { Cluster, ServerOfCluster, RunningJob } from './cluster.ts'
import { BOUNDARIES, type Boundary } from './statements.ts'

/** What happens to a cluster: to one of its members, to the connections of one, or to PostgreSQL. */
export type Fault =
  | { kind: 'kill'; at?: Boundary }
  /** Longer than a member may be silent: until other members have begun the jobs of the frozen one again (the one at the boundary, where that is known), or have ended all. */
  | { kind: 'freeze'; at: Boundary; until: 'begun' | 'ended' }
  | { kind: 'cut' | 'silence' | 'crash'; at?: never }

export const nameOf = (fault: Fault): string => Object.values(fault).join(' ')

/** The shortest that a member stays frozen where no job of it is seen to begin again, in milliseconds: longer than a member may be silent. */
const SHORTEST_MS = 3200

/** The longest that a member stays frozen, and that a takeover is watched, in milliseconds. */
const LONGEST_MS = 20_000

const FAULTS: readonly Fault[] = [
  { kind: 'kill' },
  ...BOUNDARIES.flatMap((at): Fault[] => [
    { kind: 'kill', at },
    { kind: 'freeze', at, until: 'begun' },
    { kind: 'freeze', at, until: 'ended' },
  ]),
  { kind: 'cut' },
  { kind: 'silence' },
  { kind: 'crash' },
]

/** Each fault as often as asked, in an order that the seed gives. */
export function planOf(random: (bound: number) => number, rounds: number): Fault[] {
  const plan = Array<readonly Fault[]>(rounds).fill(FAULTS).flat()
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
  /** Notes how another member went on with a job of a killed one. */
  noteTakeover(takeover: Takeover): void
}

/** When the steps of a takeover were over, in milliseconds after the kill. */
export type Takeover = {
  /** PostgreSQL has released the lock of the killed node: it has noticed that the connection is closed. */
  noticed: number
  /** Another member has removed the killed one. */
  removed: number
  /** Another member has begun the job. */
  begun: number
}

/** Makes a fault happen. Resolves when it has happened, with what mends it. */
export async function inflict(
  fault: Fault,
  member: ServerOfCluster,
  { cluster, signal, noteTakeover }: FaultOptions,
): Promise<() => Promise<void>> {
  const nothing = async () => {}
  if (fault.kind === 'crash') {
    await cluster.crashPostgres()
    return nothing
  }
  if (fault.kind === 'cut' || fault.kind === 'silence') {
    member.proxy[fault.kind]()
    return nothing
  }
  const killed = fault.kind === 'kill'
  const isLong = fault.kind === 'freeze' && fault.until === 'ended'
  const boundary = fault.at
  let jobs: RunningJob[]
  let reached = ''
  if (boundary === undefined) {
    jobs = await cluster.jobsOf(member)
    member.process.kill('SIGKILL')
  } else {
    const order = { boundary, signal: killed ? 'SIGKILL' : 'SIGSTOP' } as const
    const job = await cluster.atBoundary(member, order, signal)
    if (job === undefined) return nothing
    reached = job
    jobs = await cluster.jobsOf(member)
  }
  const began = performance.now()
  member.state = killed ? 'down' : 'frozen'
  // The job at the boundary, if it is known: a frozen member goes on as soon as another has begun that.
  const watched =
    !killed && jobs.some(({ id }) => id === reached) ? jobs.filter(({ id }) => id === reached) : jobs
  const begunAgain = watchTakeover(cluster, watched, began)
  if (killed)
    return async () => {
      await cluster.restart(member)
      for (const takeover of await begunAgain) noteTakeover(takeover)
    }
  return async () => {
    await Promise.all([begunAgain, isLong || watched.length === 0 ? pause(SHORTEST_MS) : undefined])
    while (isLong && performance.now() - began < LONGEST_MS && (await areOpen(cluster, jobs))) await pause(50)
    member.process.kill('SIGCONT')
    member.state = 'up'
  }
}

const areOpen = async ({ database }: Cluster, jobs: readonly RunningJob[]): Promise<boolean> =>
  (await database.reader.get(
    `SELECT 1 FROM jobs WHERE id = ANY($1) AND state IN ('queued', 'running')`,
    jobs.map(({ id }) => id),
  )) !== undefined

/**
 * Waits until other members have begun jobs again. A job that was taken over was queued and has begun again: two changes.
 */
async function watchTakeover(
  { database }: Cluster,
  jobs: readonly RunningJob[],
  began: number,
): Promise<Takeover[]> {
  const takeovers: Takeover[] = []
  const waiting = new Map(jobs.map((job) => [job.id, { job, noticed: NaN, removed: NaN }]))
  while (waiting.size > 0 && performance.now() - began < LONGEST_MS) {
    const rows = await database.reader.all<{ id: string; changes: number; locked: boolean; known: boolean }>(
      `SELECT jobs.id, jobs.turn AS changes,
         EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = $3::bigint::oid AND objid = node::bigint::oid)
           AS locked,
         EXISTS (SELECT 1 FROM nodes WHERE nodes.id = node) AS known
       FROM unnest($1::text[], $2::integer[]) AS asked (id, node) JOIN jobs ON jobs.id = asked.id`,
      [...waiting.keys()],
      [...waiting.values()].map(({ job }) => job.member),
      MEMBER_LOCK,
    )
    const now = performance.now() - began
    for (const { id, changes, locked, known } of rows) {
      const step = waiting.get(id)!
      if (!locked && Number.isNaN(step.noticed)) step.noticed = now
      if (!known && Number.isNaN(step.removed)) step.removed = now
      if (changes < step.job.changes + 2) continue
      waiting.delete(id)
      takeovers.push({ noticed: step.noticed, removed: step.removed, begun: now })
    }
    await pause(5)
  }
  return takeovers
}
