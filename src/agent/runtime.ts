import type { NodeServices } from '../contract/card.ts'
import type { ChatHistory } from '../contract/chat-history.ts'
import type { FlowStateStore } from '../contract/flow-state-store.ts'
import type { PausedRunStore } from '../contract/paused-run-store.ts'
import type { Variables } from '../contract/variable.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import type { Catalog } from '../flow/catalog.ts'
import type { Predictor } from './prediction.ts'

/** What `createPredictor` needs from the rest of the server. */
export type AgentDependencies = {
  catalog: Catalog
  nodeServices: NodeServices
  history: ChatHistory
  pausedRuns: PausedRunStore
  flowStates: FlowStateStore
  variables: Variables
  /** The value of a runtime variable. */
  environment(name: string): string | undefined
  findFlow(id: string): Promise<FlowSource | undefined>
  now(): Date
}

/** The dependencies, and a way to call another flow from within a flow. */
export type AgentRuntime = AgentDependencies & Pick<Predictor, 'prepare'>
