import type { JsonObject } from '../kit/json.ts'

/** How a run of an agent flow ended: `STOPPED` waits for a person, `TERMINATED` was aborted. */
export const EXECUTION_STATES = ['FINISHED', 'STOPPED', 'ERROR', 'TERMINATED'] as const
export type ExecutionState = (typeof EXECUTION_STATES)[number]

/** A run of a flow that waits for a person: all that is needed to go on with it, as JSON. */
export type PausedRun = {
  id: string
  flowId: string
  sessionId: string
  /** The node that waits; what `humanInput.startNodeId` names. */
  nodeId: string
  createdAt: number
  /** What the engine was about to do; nobody else reads it. */
  state: JsonObject
}

/** Where runs wait. A session of a flow has one at the most: a newer one takes the place of an older. */
export type PausedRunStore = {
  save(run: PausedRun): Promise<void>
  /** Looks at the run that waits in a session, and leaves it there. */
  find(flowId: string, sessionId: string): Promise<PausedRun | undefined>
  /** Takes a run away; false where somebody else has taken it: what was approved happens once. */
  take(id: string): Promise<boolean>
}
