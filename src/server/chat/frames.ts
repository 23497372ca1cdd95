import type { AgentEvent } from '../../contract/agent.ts'
import type { Json } from '../../kit/json.ts'

/** A server-sent event for clients of Flowise: the name of the event is a field of its data. */
export const frame = (event: string, data: unknown, more: Record<string, Json> = {}): string =>
  `message:\ndata:${JSON.stringify({ event, data, ...more })}\n\n`

/** A comment that keeps a silent connection open. */
export const HEARTBEAT = ':heartbeat\n\n'

/** Events that are sent after the text of the answer. */
const AFTER_TEXT: ReadonlySet<AgentEvent['event']> = new Set([
  'sourceDocuments',
  'usedTools',
  'artifacts',
  'fileAnnotations',
])

export type Frames = {
  /** The text to send for an event, possibly none yet. */
  of(event: AgentEvent): string
  /** The text to send after a run that ended with this answer, before the metadata. */
  rest(text: string): string
}

/**
 * Puts the events of a run into the order that clients rely on: `start` with the first token, then tokens, then sources
 * and tool calls. Events of an agent flow keep their order and have no `start`.
 */
export function createFrames(): Frames {
  const heldBack: AgentEvent[] = []
  let started = false
  let agentFlow = false

  function token(text: string): string {
    const start = started || agentFlow ? '' : frame('start', text)
    started = true
    return start + frame('token', text)
  }

  return {
    of(event) {
      if (event.event === 'token') return token(event.data)
      agentFlow ||= event.event === 'agentFlowEvent'
      if (!agentFlow && AFTER_TEXT.has(event.event)) {
        heldBack.push(event)
        return ''
      }
      return plain(event)
    },
    rest(text) {
      // The answer of a tool that returns directly was not sent as tokens.
      const unsent = started || text === '' ? '' : token(text)
      return unsent + heldBack.map(plain).join('')
    },
  }
}

function plain({ event, data, ...more }: AgentEvent): string {
  return frame(event, data, more as Record<string, Json>)
}
