import type { PendingAction } from '../server/chat.ts'

/** A tool call that waits for a person, with the request that it would send. */
export type WaitingCall = {
  tool: string
  toolInput: object
  request?: { method: string; address: string; headers: Record<string, string>; body: string }
}

/** The calls of a decision; none where the flow asks a person by itself. */
export function waitingCalls({ data }: PendingAction): WaitingCall[] {
  const { input } = data
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return []
  return Array.isArray(input.toolCalls) ? (input.toolCalls as unknown as WaitingCall[]) : []
}
