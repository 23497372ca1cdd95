import type { NodeServices } from '../contract/card.ts'
import type { ChatHistory, PastMessage } from '../contract/chat-history.ts'
import type { PausedRunStore } from '../contract/paused-run-store.ts'
import type { Variables } from '../contract/variable.ts'
import type { Catalog } from '../flow/catalog.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import type { PredictionRequest, Predictor } from './prediction.ts'

/** What the agents stand on. */
export type AgentDependencies = {
  catalog: Catalog
  nodeServices: NodeServices
  history: ChatHistory
  pausedRuns: PausedRunStore
  variables: Variables
  /** The values of runtime variables. */
  environment(name: string): string | undefined
  findFlow(id: string): Promise<FlowSource | undefined>
  now(): Date
}

/** The same, and a way to ask another flow from within one. */
export type AgentRuntime = AgentDependencies & Pick<Predictor, 'prepare'>

/**
 * What was said before: what the caller says comes in front of what is stored. A flow that another one asks stores
 * nothing under the session of that one: what lies there was said by somebody else.
 */
export async function conversationHistory(
  { history }: AgentRuntime,
  flowId: string,
  sessionId: string,
  { history: given, callingFlows }: PredictionRequest,
  last?: number,
): Promise<PastMessage[]> {
  return callingFlows ? [...given] : [...given, ...(await history.messages(flowId, sessionId, last))]
}
