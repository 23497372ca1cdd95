import type { Alone } from './alone.ts'
import type { Doorbell } from './doorbell.ts'
import type { JobQueue } from './job-queue.ts'
import type { NodeTurns } from './leases.ts'

/** This process among those that share a database. */
export type Nodes = {
  turns: NodeTurns
  queue: JobQueue
  doorbell: Doorbell
  alone: Alone
  figures(): SharedFigures
}

/** What this process has, and has done, among those that share a database. */
export type SharedFigures = {
  /** Turns of namespaces that it has, and those that it asks for at this moment. */
  turns: { held: number; asked: number }
  /** Turns of processes that were gone, which it has freed since its start. */
  takeovers: number
}
