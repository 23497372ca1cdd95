import type { Backend } from '../backend/backend.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { createPlatformMetrics } from '../observe/platform-metrics.ts'
import { readProcessFigures } from '../observe/process-figures.ts'
import { createReadiness } from '../observe/readiness.ts'
import { readServerFigures } from '../observe/server-figures.ts'
import { readSharedFigures } from '../observe/shared-figures.ts'
import type { Files } from './files.ts'

type FiguresOptions = {
  version: string
  home: string
  backend: Backend
  files: Files
  jobs: Jobs
  isDraining(): boolean
}

/** What `/readyz` checks, and the figures of `/metrics` that are read when they are asked for. */
export function openFigures(
  metrics: ReturnType<typeof createPlatformMetrics>,
  { version, home, backend, files, jobs, isDraining }: FiguresOptions,
) {
  const { shortage, connections, cluster } = backend
  const { memory, lag } = backend.stores
  readProcessFigures(metrics, { version, dataDirectory: home })
  readServerFigures(metrics, { jobs, shortage, memory, now: Date.now })
  const needed = [...backend.dependencies, ...files.dependencies, ...backend.stores.dependencies]
  const readiness = createReadiness(needed, { isStopping: isDraining })
  readSharedFigures(metrics, { readiness, jobs, connections, lag, cluster, now: Date.now })
  return readiness
}
