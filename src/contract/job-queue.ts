import type { JobRecord } from './job.ts'
import type { NodeTurn } from './turns.ts'

/** A job that began on this node, and the turn of its namespace. `job.turn` tells this run of it from any later one. */
export type ClaimedJob = { job: JobRecord; turn: NodeTurn }

/** The queued jobs of all nodes. The jobs of a node that is gone are queued again. */
export type JobQueue = {
  /**
   * Begins the next job: of the flow whose jobs have waited longest since one of them began, the oldest in its namespace, where
   * no node has the turn of that. Undefined where there is none.
   *
   * @param now in ms since 1970
   */
  claim(now: number): Promise<ClaimedJob | undefined>
}
