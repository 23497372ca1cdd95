import type { FlowSource } from '../flow/apply-request.ts'
import type { Ask } from './predict.ts'

export type FlowFacts = ReturnType<typeof flowFacts>

/** `$flow` as Flowise fills it. */
export function flowFacts(flow: FlowSource, { chatId, messageId }: Ask, sessionId: string) {
  return {
    chatflowid: flow.id,
    chatflowId: flow.id,
    chatId,
    sessionId,
    ...(messageId === undefined ? {} : { apiMessageId: messageId }),
  }
}
