import type { FlowRow } from '../contract/flow-store.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import { isObject } from '../kit/json.ts'

/** What planning needs of a stored flow. */
export function flowSource(flow: FlowRow): FlowSource {
  return { id: flow.id, flowData: flow.flowData, apiConfig: flow.config.apiConfig }
}

/** How the chat window of a flow looks, and from where and with what it may be asked. */
export const chatbotConfigOf = ({ config }: FlowRow): Record<string, unknown> =>
  isObject(config.chatbotConfig) ? config.chatbotConfig : {}
