import type { ExecutedNode, UsedTool } from '../../contract/agent.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import type { TokenUsage } from '../../contract/chat-model.ts'
import type { Document } from '../../contract/document.ts'
import { headOf, type VariableScope, valueAtPath } from '../../flow/variables.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { UserInput } from '../conversation.ts'

/** A node to run, and the ids of the nodes that led to it. */
export type QueuedNode = { id: string; after: string[] }

/**
 * The progress of an agent flow run. It is stored as JSON while the run waits for a person: a renamed field would break
 * the runs that wait.
 */
export type RunState = {
  /** The input of the user. */
  asked: UserInput & { question: string; fileText: string }
  form: JsonObject
  /** The messages of the session before this run. */
  past: PastMessage[]
  /** The messages of this run: the question and the answers of nodes. */
  said: PastMessage[]
  /** `$flow.state`. */
  state: JsonObject
  /** The latest output of each node, by node id. */
  outputs: Record<string, JsonObject>
  executed: ExecutedNode[]
  /** The number of jumps back of each loop node, by node id. */
  loops: Record<string, number>
  queue: QueuedNode[]
  /** Inside an iteration: the current item, `$iteration`. */
  iteration?: Json
  usage: TokenUsage
  usedTools: UsedTool[]
  documents: Document[]
}

export const initialRunState = (
  input: RunState['asked'],
  form: JsonObject,
  past: PastMessage[],
  startNodeId: string,
): RunState => ({
  asked: input,
  form,
  past,
  said: [{ role: 'userMessage', content: input.text }],
  state: {},
  outputs: {},
  executed: [],
  loops: {},
  queue: [{ id: startNodeId, after: [] }],
  usage: { inputTokens: 0, outputTokens: 0 },
  usedTools: [],
  documents: [],
})

/**
 * The variables of a running agent flow: `loop_count`, `runtime_messages` (the question and the answers of nodes),
 * `runtime_messages_length`, `$iteration`, and outputs of nodes, such as `llmAgentflow_0` and `llmAgentflow_0.output.subject`.
 */
export function runScope({ outputs, loops, said, iteration }: RunState): VariableScope {
  return (name) => {
    if (name === 'loop_count') return Math.max(0, ...Object.values(loops))
    if (name === 'runtime_messages_length') return said.length
    const [head, rest] = headOf(name)
    if (head === 'runtime_messages') return rest === undefined ? said : valueAtPath(said, rest)
    if (head === '$iteration') return rest === undefined ? iteration : valueAtPath(iteration, rest)
    if (!Object.hasOwn(outputs, head)) return undefined
    return outputAt(outputs[head]!, rest)
  }
}

/** The variables that only the state updates of a node have: `output`, `output.subject`. */
export function outputScope(output: JsonObject): VariableScope {
  return (name) => (headOf(name)[0] === 'output' ? outputAt(output, name) : undefined)
}

function outputAt(output: JsonObject, path: string | undefined) {
  if (path === undefined || path === 'output') return output.content ?? output
  return valueAtPath(output, path.replace(/^output(\.|(?=\[))/, ''))
}
