import type { AgentEvent, AgentOutcome, ExecutedNode } from '../../contract/agent.ts'
import type {
  ExecutionState,
  FlowExecution,
  FlowExecutionStore,
} from '../../contract/flow-execution-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'

/** The most that is kept of one execution, in characters of JSON; beyond it long texts are shortened. */
const KEPT_LENGTH = 1_000_000
const SHORTER = [4000, 400, 40]

/** Follows the events of a run, and keeps what an agent flow did. */
export type ExecutionLog = {
  note(event: AgentEvent): void
  /** Keeps a run that has come to its end, or waits for a person. Answers its id; undefined where nothing was kept. */
  ended(outcome: AgentOutcome): Promise<string | undefined>
  /** Keeps a run that failed or was aborted; never throws, as the failure is what the client has to read. */
  failed(error: unknown, isAborted: boolean): Promise<void>
}

type Facts = Pick<FlowExecution, 'flowId' | 'questionId' | 'chatId' | 'sessionId'>

/** @param isResumed whether the run goes on after a person has decided: then it is the same execution */
export function executionLog(store: FlowExecutionStore, facts: Facts, isResumed: boolean): ExecutionLog {
  const begunAt = Date.now()
  let isAgentFlow = false
  let nodes: ExecutedNode[] = []
  let current: { nodeId: string; nodeLabel: string } | undefined

  async function keep(state: ExecutionState): Promise<string> {
    const before = isResumed ? await store.waiting(facts.flowId, facts.sessionId) : undefined
    const id = before?.id ?? randomId()
    const kept = { ...facts, ...(before ? { questionId: before.questionId } : {}) }
    const createdAt = before?.createdAt ?? begunAt
    await store.save({ ...kept, id, state, nodes: withinLength(nodes), createdAt, updatedAt: Date.now() })
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
      // An answer is worth more than the record of how it came about.
      return keep(action ? 'STOPPED' : 'FINISHED').catch(() => undefined)
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
      await keep(state).catch(() => {})
    },
  }
}

function withinLength(nodes: ExecutedNode[]): ExecutedNode[] {
  let kept = nodes
  for (const most of SHORTER) {
    if (JSON.stringify(kept).length <= KEPT_LENGTH) return kept
    kept = nodes.map((node) => ({ ...node, data: shortened(node.data, most) as JsonObject }))
  }
  return JSON.stringify(kept).length <= KEPT_LENGTH ? kept : kept.map((node) => ({ ...node, data: {} }))
}

function shortened(value: Json, most: number): Json {
  if (typeof value === 'string') return value.length > most ? `${value.slice(0, most)}…` : value
  if (Array.isArray(value)) return value.map((item) => shortened(item, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, most)]))
}
