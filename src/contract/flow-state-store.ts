import type { JsonObject } from '../kit/json.ts'

/** What `$flow.state` of an agent flow was at the end of the last run of a session. */
export type FlowState = {
  flowId: string
  sessionId: string
  /** The flow whose conversation the session is: the flow itself, or the first of those that wait for it. */
  rootFlowId: string
  /** In ms since 1970. */
  updatedAt: number
  state: JsonObject
}

/** Stores the state of agent flows that persist it, one for each session of a flow. It is deleted with the messages of the session. */
export type FlowStateStore = {
  /** Stores a state in place of the one before. */
  save(state: FlowState): Promise<void>
  find(flowId: string, sessionId: string): Promise<JsonObject | undefined>
}
