import type { FlowSource } from '../flow/apply-request.ts'
import type { PredictionRequest } from './prediction.ts'

export type FlowInfo = ReturnType<typeof flowInfo>

/** `$flow` as Flowise fills it. */
export function flowInfo(flow: FlowSource, { chatId, messageId }: PredictionRequest, sessionId: string) {
  return {
    chatflowid: flow.id,
    chatflowId: flow.id,
    chatId,
    sessionId,
    ...(messageId === undefined ? {} : { apiMessageId: messageId }),
  }
}
