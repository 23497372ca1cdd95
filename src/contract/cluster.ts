import type { Alone } from './alone.ts'
import type { Doorbell } from './doorbell.ts'
import type { JobQueue } from './job-queue.ts'
import type { Leases } from './leases.ts'

/** This process among those that share a database. */
export type Cluster = {
  leases: Leases
  queue: JobQueue
  doorbell: Doorbell
  alone: Alone
  figures(): ClusterFigures
}

/** What this process has, and has done, among those that share a database. */
export type ClusterFigures = {
  /** Leases of namespaces that it has, and those that it asks for at this moment. */
  leases: { held: number; asked: number }
  /** Leases of processes that were gone, which it has freed since its start. */
  takeovers: number
}
