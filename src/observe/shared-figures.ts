import type { Readiness } from '../contract/dependency.ts'
import type { ClusterFigures } from '../contract/cluster.ts'
import type { Clock } from '../kit/clock.ts'
import type { Metrics, Sample } from '../kit/metrics.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { lastKnown } from './last-known.ts'

type Shared = {
  readiness: () => Promise<Readiness>
  jobs: Pick<Jobs, 'load'>
  /** Absent where the database is a file. */
  connections?: (() => { used: number; idle: number; waiting: number }) | undefined
  lag?: (() => Promise<number>) | undefined
  cluster?: { figures(): ClusterFigures } | undefined
  now: Clock
}

/**
 * Adds what the server shares with others: its dependencies, its connections to PostgreSQL, its leases, its replica. Without PostgreSQL most
 * have no samples. A scrape waits for nothing that is away: it gets the last known values, and how old they are.
 */
export function readSharedFigures(
  { read }: Pick<Metrics, 'read'>,
  { readiness, jobs, connections, lag, cluster, now }: Shared,
): void {
  const gauge = (name: string, help: string, samples: () => readonly Sample[] | Promise<readonly Sample[]>) =>
    read({ name, help, type: 'gauge' }, samples)
  const byState = (values: Readonly<Record<string, number>> | undefined): readonly Sample[] =>
    Object.entries(values ?? {}).map(([state, value]) => ({ labels: { state }, value }))
  const lagNow = lag && lastKnown(lag, { now })
  const age = (of: string, readAt: number | undefined): readonly Sample[] =>
    readAt === undefined ? [] : [{ labels: { of }, value: Math.max(0, now() - readAt) / 1000 }]

  gauge('sluice_dependency_up', '1 while the server can use a dependency, 0 while that is away', async () => {
    const { dependencies } = await readiness()
    return dependencies.map(({ name, state }) => ({ labels: { name }, value: state === 'away' ? 0 : 1 }))
  })
  gauge('sluice_database_connections', 'Connections to PostgreSQL, and calls that wait for one', () =>
    byState(connections?.()),
  )
  gauge('sluice_turns', 'Turns of namespaces that this server has, and those that it asks for', () =>
    byState(cluster?.figures().leases),
  )
  read(
    {
      name: 'sluice_takeovers_total',
      help: 'Turns of servers that were gone, which this one has freed',
      type: 'counter',
    },
    () => (cluster ? [{ value: cluster.figures().takeovers }] : []),
  )
  gauge(
    'sluice_replica_lag_publications',
    'Publications that the replica of this server has not taken over: the next search of their namespace does',
    async () => {
      const known = await lagNow?.()
      return known ? [{ value: known.value }] : []
    },
  )
  gauge(
    'sluice_last_known_seconds',
    'Age of figures that come from the database: they are the last known ones while it is away',
    async () => [...age('jobs', jobs.load().readAt), ...age('replica_lag', (await lagNow?.())?.readAt)],
  )
}
