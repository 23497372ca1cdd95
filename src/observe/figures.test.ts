import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../kit/metrics.ts'
import { readServerFigures } from './server-figures.ts'
import { readSharedFigures } from './shared-figures.ts'

const NOW = 1_000_000

/** The samples of metrics, without their types and helps. */
async function samples(add: (metrics: ReturnType<typeof createMetrics>) => void): Promise<string[]> {
  const metrics = createMetrics()
  add(metrics)
  return (await metrics.text())
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
}

const load = { queued: 3, running: 2, oldestQueuedAt: NOW - 1500, readAt: NOW - 250 }

const server = (jobs: Partial<typeof load> = {}, shortage?: object) =>
  samples((metrics) =>
    readServerFigures(metrics, {
      jobs: { load: () => ({ ...load, ...jobs }) },
      shortage: () => shortage,
      memory: () => ({ images: 4, bytes: 500, evictions: 6 }) as never,
      now: () => NOW,
    }),
  )

test('the figures of a server are its jobs, its room and its memory', async () => {
  assert.deepEqual(await server(), [
    'sluice_jobs{state="queued"} 3',
    'sluice_jobs{state="running"} 2',
    'sluice_oldest_queued_job_seconds 1.5',
    'sluice_read_only 0',
    'sluice_vector_images 4',
    'sluice_vector_image_bytes 500',
    'sluice_vector_image_evictions_total 6',
  ])
  assert.equal((await server({}, {}))[3], 'sluice_read_only 1')
})

test('the oldest queued job has no age where there is none, or where the clock of its maker is ahead', async () => {
  for (const oldestQueuedAt of [undefined, NOW + 5000] as number[])
    assert.equal((await server({ oldestQueuedAt }))[2], 'sluice_oldest_queued_job_seconds 0')
})

test('the figures of what servers share: dependencies, connections, turns, the replica, and how old they are', async () => {
  const dependencies = [
    { name: 'database', state: 'away' as const },
    { name: 'disk', state: 'ok' as const },
    { name: 'blob store', state: 'checking' as const },
  ]
  const readiness = async () => ({ dependencies, degraded: [], failure: undefined })
  const figures = { leases: { held: 2, asked: 1 }, takeovers: 7 }
  const all = await samples((metrics) =>
    readSharedFigures(metrics, {
      readiness,
      jobs: { load: () => load },
      connections: () => ({ used: 1, idle: 2, waiting: 3 }),
      lag: async () => 9,
      cluster: { figures: () => figures },
      now: () => NOW,
    }),
  )
  assert.deepEqual(all, [
    'sluice_dependency_up{name="database"} 0',
    'sluice_dependency_up{name="disk"} 1',
    'sluice_dependency_up{name="blob store"} 1',
    'sluice_database_connections{state="used"} 1',
    'sluice_database_connections{state="idle"} 2',
    'sluice_database_connections{state="waiting"} 3',
    'sluice_turns{state="held"} 2',
    'sluice_turns{state="asked"} 1',
    'sluice_takeovers_total 7',
    'sluice_replica_lag_publications 9',
    'sluice_last_known_seconds{of="jobs"} 0.25',
    'sluice_last_known_seconds{of="replica_lag"} 0',
  ])
  const alone = await samples((metrics) =>
    readSharedFigures(metrics, {
      readiness,
      jobs: { load: () => ({ ...load, readAt: undefined }) },
      now: () => NOW,
    }),
  )
  assert.deepEqual(alone, all.slice(0, 3))
})
