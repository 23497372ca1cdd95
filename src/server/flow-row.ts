import type { FlowRow } from '../db/flows.ts'
import type { FlowSource } from '../flow/plan.ts'

/** What planning needs of a stored flow. */
export function flowSource(flow: FlowRow): FlowSource {
  return { id: flow.id, flowData: flow.flowData, apiConfig: flow.config.apiConfig }
}
