/** One earlier message of a conversation. */
export type PastMessage = { role: 'userMessage' | 'apiMessage'; content: string }

/** The stored conversations of flows. */
export type ChatHistory = {
  /** The newest `last` messages of a session (all if absent), oldest first. */
  messages(flowId: string, sessionId: string, last?: number): Promise<PastMessage[]>
}

/** A memory node of a flow. */
export type MemoryPart = {
  /** The `memoryType` of the answer: "Buffer Memory". */
  readonly label: string
  /** A session set in the node. */
  readonly sessionId?: string
  /** The number of the newest messages that the model gets; all if absent. */
  readonly last?: number
}
