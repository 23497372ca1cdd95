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

/** How long a running execution is stored before it is stored again, in milliseconds. */
const SAVE_EVERY_MS = 1000

/** Records the run of an agent flow from its events: while it runs, and when it ends. */
export type ExecutionLog = {
  note(event: AgentEvent): void
  /** Stores a run that has ended or waits for a person. Returns its id; undefined if nothing was stored. */
  ended(outcome: AgentOutcome): Promise<string | undefined>
  /** Stores a run that failed or was aborted, like `ended`. Never throws: the client must get the failure of the run. */
  failed(error: unknown, isAborted: boolean): Promise<string | undefined>
}

type Facts = Pick<FlowExecution, 'flowId' | 'questionId' | 'chatId' | 'sessionId'>

/** @param isResumed whether the run resumes after a decision of a person: then it is the same execution */
export function executionLog(store: FlowExecutionStore, facts: Facts, isResumed: boolean): ExecutionLog {
  const startedAt = Date.now()
  let isAgentFlow = false
  let identity: ReturnType<typeof identify> | undefined
  let saving: Promise<unknown> | undefined
  let savedAt = Number.NEGATIVE_INFINITY
  let nodes: ExecutedNode[] = []
  let current: { nodeId: string; nodeLabel: string } | undefined

  /** The execution that this run continues, or a new one. */
  async function identify() {
    const before = isResumed ? await store.waiting(facts.flowId, facts.sessionId) : undefined
    const { id = randomId(), questionId = facts.questionId, createdAt = startedAt } = before ?? {}
    return { ...facts, id, questionId, createdAt }
  }

  async function save(state: ExecutionState, shown: ExecutedNode[]): Promise<string> {
    identity ??= identify()
    const execution = await identity
    await store.save({ ...execution, state, nodes: withinLength(shown), updatedAt: Date.now() })
    return execution.id
  }

  /** Stores the run as it is, unless that was done a moment ago. The run does not wait for it. */
  function saveProgress(): void {
    const now = performance.now()
    if (saving || now - savedAt < SAVE_EVERY_MS) return
    savedAt = now
    saving = save('INPROGRESS', withCurrent('INPROGRESS'))
      .catch(() => undefined)
      .finally(() => {
        saving = undefined
      })
  }

  async function saveEnd(state: ExecutionState, shown: ExecutedNode[]): Promise<string | undefined> {
    await saving
    // A failure to store the record must not lose the answer.
    return save(state, shown).catch(() => undefined)
  }

  /** The executed nodes and the current one. */
  function withCurrent(status: ExecutedNode['status'], more: JsonObject = {}): ExecutedNode[] {
    if (!current) return nodes
    const { nodeId, nodeLabel } = current
    const last = nodes.at(-1)
    const before = last?.status === 'STOPPED' && last.nodeId === nodeId ? nodes.slice(0, -1) : nodes
    const previousNodeIds = before.slice(-1).map((node) => node.nodeId)
    return [...before, { nodeId, nodeLabel, data: { id: nodeId, ...more }, previousNodeIds, status }]
  }

  return {
    note(event) {
      if (event.event === 'agentFlowEvent') isAgentFlow = true
      else if (event.event === 'agentFlowExecutedData') {
        nodes = event.data
        current = undefined
      } else if (event.event === 'nextAgentFlow') {
        const { nodeId, nodeLabel, status } = event.data
        current = { nodeId, nodeLabel }
        if (status === 'INPROGRESS') saveProgress()
      }
    },
    async ended({ action }) {
      return isAgentFlow ? saveEnd(action ? 'STOPPED' : 'FINISHED', nodes) : undefined
    },
    async failed(error, isAborted) {
      if (!isAgentFlow) return undefined
      const state = isAborted ? 'TERMINATED' : 'ERROR'
      const message = error instanceof SluiceError ? error.message : 'internal error'
      return saveEnd(state, withCurrent(state, isAborted ? {} : { error: message }))
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
