import type { AgentEvent } from '../../contract/agent.ts'
import type { Json } from '../../kit/json.ts'

/** What the clients of Flowise read as server-sent events: the real name of an event stands inside of its data. */
export const frame = (event: string, data: unknown, more: Record<string, Json> = {}): string =>
  `message:\ndata:${JSON.stringify({ event, data, ...more })}\n\n`

/** A comment that shows that a silent stream is alive. */
export const HEARTBEAT = ':heartbeat\n\n'

/** These stand below the answer: they are held back until its text is complete. */
const AFTER_TEXT: ReadonlySet<AgentEvent['event']> = new Set([
  'sourceDocuments',
  'usedTools',
  'artifacts',
  'fileAnnotations',
])

export type Frames = {
  /** The text to send for an event, possibly none yet. */
  of(event: AgentEvent): string
  /** What is still to be sent once the run has ended with this text, before the metadata. */
  rest(text: string): string
}

/**
 * Puts the events of a run into the order that clients rely on: `start` once, with the first token; tokens; then what
 * the answer rests on. A flow of agents tells its own order, and has no `start`.
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
      // A tool may have answered in the place of the model: its text never came as tokens.
      const unsaid = started || text === '' ? '' : token(text)
      return unsaid + heldBack.map(plain).join('')
    },
  }
}

function plain({ event, data, ...more }: AgentEvent): string {
  return frame(event, data, more as Record<string, Json>)
}
