import type { Alone } from './alone.ts'
import type { Doorbell } from './doorbell.ts'
import type { JobQueue } from './job-queue.ts'
import type { NodeTurns } from './turns.ts'

/** This process among those that share a database. */
export type Nodes = {
  turns: NodeTurns
  queue: JobQueue
  doorbell: Doorbell
  alone: Alone
}
