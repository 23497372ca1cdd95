import type { EngineMemory } from '../contract/vector-engine.ts'
import type { Clock } from '../kit/clock.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** Adds the state of the server: its jobs, and whether it accepts writes. It is read at each scrape. */
export function readServerFigures(
  { read }: Pick<Metrics, 'read'>,
  {
    jobs,
    shortage,
    memory,
    now,
  }: {
    jobs: Pick<Jobs, 'load'>
    shortage: () => unknown
    memory: () => EngineMemory
    now: Clock
  },
): void {
  read({ name: 'sluice_jobs', help: 'Jobs that wait or run', type: 'gauge' }, () => {
    const { queued, running } = jobs.load()
    return [
      { labels: { state: 'queued' }, value: queued },
      { labels: { state: 'running' }, value: running },
    ]
  })
  read(
    {
      name: 'sluice_oldest_queued_job_seconds',
      help: 'Age of the oldest queued job; 0 without one',
      type: 'gauge',
    },
    () => {
      const { oldestQueuedAt } = jobs.load()
      return [{ value: oldestQueuedAt === undefined ? 0 : Math.max(0, now() - oldestQueuedAt) / 1000 }]
    },
  )
  read(
    {
      name: 'sluice_read_only',
      help: '1 while the server accepts no writes for want of disk room',
      type: 'gauge',
    },
    () => [{ value: shortage() === undefined ? 0 : 1 }],
  )
  read({ name: 'sluice_vector_images', help: 'Indexes whose vectors are in memory', type: 'gauge' }, () => [
    { value: memory().images },
  ])
  read(
    { name: 'sluice_vector_image_bytes', help: 'Memory of the vectors of searches', type: 'gauge' },
    () => [{ value: memory().bytes }],
  )
  read(
    {
      name: 'sluice_vector_image_evictions_total',
      help: 'Indexes whose vectors left the memory because of IMAGE_MEMORY',
      type: 'counter',
    },
    () => [{ value: memory().evictions }],
  )
}
