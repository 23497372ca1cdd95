import type { JsonObject } from '../kit/json.ts'

/** A run of a flow that waits for a person, with everything needed to resume it. */
export type PausedRun = {
  id: string
  flowId: string
  sessionId: string
  /** The id of the waiting node; `humanInput.startNodeId` in requests. */
  nodeId: string
  /** In ms since 1970. */
  createdAt: number
  /** The state of the agent engine; only the engine reads it. */
  state: JsonObject
}

/** Stores paused runs, at most one for each session of a flow. */
export type PausedRunStore = {
  /** Stores a run. It replaces the paused run of the session. */
  save(run: PausedRun): Promise<void>
  /** Finds the paused run of a session. The run stays in the store. */
  find(flowId: string, sessionId: string): Promise<PausedRun | undefined>
  /** Removes a run. False if it was removed before: an approved action must run once. */
  take(id: string): Promise<boolean>
}
