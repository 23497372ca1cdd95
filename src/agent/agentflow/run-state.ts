import type { ExecutedNode, UsedTool } from '../../contract/agent.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import type { TokenUsage } from '../../contract/chat-model.ts'
import type { Document } from '../../contract/document.ts'
import { headOf } from '../../flow/scope.ts'
import { type Scope, valueAt } from '../../flow/variables.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { UserInput } from '../conversation.ts'

/** A node whose turn comes, and after which others. */
export type QueuedNode = { id: string; after: string[] }

/** How far a run of an agent flow has come: plain JSON, so that it can wait for a person as long as it takes. */
export type RunState = {
  asked: UserInput & { question: string; fileText: string }
  form: JsonObject
  /** What was said in the session before this run. */
  past: PastMessage[]
  /** What was said in this run: the question, and what nodes answered. */
  said: PastMessage[]
  /** `$flow.state`. */
  state: JsonObject
  /** What each node gave when it ran last. */
  outputs: Record<string, JsonObject>
  executed: ExecutedNode[]
  /** How often each loop has gone back. */
  loops: Record<string, number>
  queue: QueuedNode[]
  /** The item of a list that nodes are run for: `$iteration`. */
  iteration?: Json
  usage: TokenUsage
  usedTools: UsedTool[]
  documents: Document[]
}

export const initialRunState = (
  asked: RunState['asked'],
  form: JsonObject,
  past: PastMessage[],
  start: string,
): RunState => ({
  asked,
  form,
  past,
  said: [{ role: 'userMessage', content: asked.text }],
  state: {},
  outputs: {},
  executed: [],
  loops: {},
  queue: [{ id: start, after: [] }],
  usage: { inputTokens: 0, outputTokens: 0 },
  usedTools: [],
  documents: [],
})

/** What only agent flows know: `loop_count`, and what a node gave: `llmAgentflow_0`, `llmAgentflow_0.output.subject`. */
export function runScope({ outputs, loops, said, iteration }: RunState): Scope {
  return (name) => {
    if (name === 'loop_count') return Math.max(0, ...Object.values(loops))
    if (name === 'runtime_messages_length') return said.length
    const [head, rest] = headOf(name)
    if (head === '$iteration') return rest === undefined ? iteration : valueAt(iteration, rest)
    if (!Object.hasOwn(outputs, head)) return undefined
    return outputAt(outputs[head]!, rest)
  }
}

/** What a node gives to its own state updates: `output`, `output.subject`. */
export function outputScope(output: JsonObject): Scope {
  return (name) => (headOf(name)[0] === 'output' ? outputAt(output, name) : undefined)
}

function outputAt(output: JsonObject, path: string | undefined) {
  if (path === undefined || path === 'output') return output.content ?? output
  return valueAt(output, path.replace(/^output(\.|(?=\[))/, ''))
}
