/** One message of a conversation, as a model is reminded of it. */
export type PastMessage = { role: 'userMessage' | 'apiMessage'; content: string }

/** The conversations of flows: what was said in a session. */
export type ChatHistory = {
  /** The newest `last` messages of a session (all without it), oldest first. */
  messages(flowId: string, sessionId: string, last?: number): Promise<PastMessage[]>
}

/** Memory as a flow draws it: which session, and how far back. */
export type MemoryPart = {
  /** As the answer names it: "Buffer Memory". */
  readonly label: string
  /** The session that the node itself names. */
  readonly sessionId?: string
  /** How many of the newest messages are remembered; all without it. */
  readonly last?: number
}
