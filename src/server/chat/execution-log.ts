import type { AgentEvent, AgentOutcome, ExecutedNode } from '../../contract/agent.ts'
import type {
  ExecutionState,
  FlowExecution,
  FlowExecutionStore,
} from '../../contract/flow-execution-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'

/** The maximum length of a stored execution, in characters of JSON. In a longer one texts are shortened. */
const MAX_LENGTH = 1_000_000
/** The maximum lengths of a text to try, one after another, in characters. */
const TEXT_LENGTHS = [4000, 400, 40]

/** Records the run of an agent flow from its events. */
export type ExecutionLog = {
  note(event: AgentEvent): void
  /** Stores a run that has ended or waits for a person. Returns its id; undefined if nothing was stored. */
  ended(outcome: AgentOutcome): Promise<string | undefined>
  /** Stores a run that failed or was aborted. Never throws: the client must get the failure of the run. */
  failed(error: unknown, isAborted: boolean): Promise<void>
}

type Facts = Pick<FlowExecution, 'flowId' | 'questionId' | 'chatId' | 'sessionId'>

/** @param isResumed whether the run resumes after a decision of a person: then it is the same execution */
export function executionLog(store: FlowExecutionStore, facts: Facts, isResumed: boolean): ExecutionLog {
  const startedAt = Date.now()
  let isAgentFlow = false
  let nodes: ExecutedNode[] = []
  let current: { nodeId: string; nodeLabel: string } | undefined

  async function save(state: ExecutionState): Promise<string> {
    const before = isResumed ? await store.waiting(facts.flowId, facts.sessionId) : undefined
    const id = before?.id ?? randomId()
    const ids = { ...facts, ...(before ? { questionId: before.questionId } : {}) }
    const createdAt = before?.createdAt ?? startedAt
    await store.save({ ...ids, id, state, nodes: withinLength(nodes), createdAt, updatedAt: Date.now() })
    return id
  }

  return {
    note(event) {
      if (event.event === 'agentFlowEvent') isAgentFlow = true
      else if (event.event === 'agentFlowExecutedData') {
        nodes = event.data
        current = undefined
      } else if (event.event === 'nextAgentFlow') current = event.data
    },
    async ended({ action }) {
      if (!isAgentFlow) return undefined
      // A failure to store the record must not lose the answer.
      return save(action ? 'STOPPED' : 'FINISHED').catch(() => undefined)
    },
    async failed(error, isAborted) {
      if (!isAgentFlow) return
      const state = isAborted ? 'TERMINATED' : 'ERROR'
      const message = error instanceof SluiceError ? error.message : 'internal error'
      const previousNodeIds = nodes.slice(-1).map(({ nodeId }) => nodeId)
      if (current) {
        const { nodeId, nodeLabel } = current
        const data = { id: nodeId, ...(isAborted ? {} : { error: message }) }
        nodes = [...nodes, { nodeId, nodeLabel, data, previousNodeIds, status: state }]
      }
      await save(state).catch(() => {})
    },
  }
}

function withinLength(nodes: ExecutedNode[]): ExecutedNode[] {
  let kept = nodes
  for (const maxLength of TEXT_LENGTHS) {
    if (JSON.stringify(kept).length <= MAX_LENGTH) return kept
    kept = nodes.map((node) => ({ ...node, data: shortened(node.data, maxLength) as JsonObject }))
  }
  return JSON.stringify(kept).length <= MAX_LENGTH ? kept : kept.map((node) => ({ ...node, data: {} }))
}

function shortened(value: Json, maxLength: number): Json {
  if (typeof value === 'string') return value.length > maxLength ? `${value.slice(0, maxLength)}…` : value
  if (Array.isArray(value)) return value.map((item) => shortened(item, maxLength))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, maxLength)]))
}
