import type { HumanInput } from '../../agent/prediction.ts'
import type { AgentEvent, AgentOutcome, ExecutedNode } from '../../contract/agent.ts'
import type {
  ExecutionFailure,
  ExecutionState,
  FlowExecution,
  FlowExecutionStore,
} from '../../contract/flow-execution-store.ts'
import { randomId } from '../../kit/hash.ts'
import type { JsonObject } from '../../kit/json.ts'
import { recordedSpans, type RunUntilDecision } from './recorded-spans.ts'
import { cutText, withinLength } from './shorten-json.ts'

/** The maximum length of the nodes of an execution, in characters of JSON. In longer ones texts are cut. */
const MAX_LENGTH = 1_000_000
/** The most characters of an answer that are kept beside the message that has it whole. */
const MAX_ANSWER = 4000

/** How long a running execution is stored before it is stored again, in milliseconds. */
const SAVE_EVERY_MS = 1000

/** The id of an execution, and its last write, which resolves also where nothing could be stored. */
export type EndedExecution = { executionId: string | undefined; stored: Promise<unknown> }

/** Records the run of a flow from its events: while it runs, and when it ends. No failure of the record fails the run. */
export type ExecutionLog = {
  note(event: AgentEvent): void
  /** Stores a run that has ended or waits for a person. */
  ended(outcome: AgentOutcome): Promise<EndedExecution>
  /** Stores a run that failed or was aborted. */
  failed(failure: ExecutionFailure, isAborted: boolean): Promise<EndedExecution>
}

type Facts = Pick<FlowExecution, 'flowId' | 'questionId' | 'chatId' | 'sessionId'>

type LogOptions = {
  facts: Facts
  question: string
  /** The node that answers; absent for an agent flow, whose nodes come as events. */
  answerer: { nodeId: string; nodeLabel: string } | undefined
  /** A person's decision, with which a waiting run goes on: then it is the same execution. */
  decision: HumanInput | undefined
}

type Opened = {
  identity: Pick<FlowExecution, 'id' | 'questionId' | 'createdAt'>
  before?: RunUntilDecision
  /** How long it worked before it waited, in milliseconds. */
  workedBefore: number
}

export function executionLog(
  store: FlowExecutionStore,
  { facts, question, answerer, decision }: LogOptions,
): ExecutionLog {
  const startedAt = Date.now()
  const clock = performance.now()
  const recorded = recordedSpans()
  let opening: Promise<Opened | undefined> | undefined
  let wasStored = false
  let saving: Promise<unknown> | undefined
  let savedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let nodes: ExecutedNode[] = []
  let current: { nodeId: string; nodeLabel: string } | undefined

  /** The execution that this run continues, or a new one. Undefined where that cannot be read. */
  const open = () => (opening ??= identify().catch(() => undefined))

  async function identify(): Promise<Opened> {
    const made = { id: randomId(), questionId: facts.questionId, createdAt: startedAt }
    const found = decision && (await store.waiting(facts.flowId, facts.sessionId))
    if (!found) return { identity: made, workedBefore: 0 }
    const { id, questionId, createdAt, nodes: earlier } = found
    return {
      identity: { id, questionId, createdAt },
      before: { ...found, decision: decision.type, decidedAt: startedAt },
      workedBefore: earlier[0]?.timeMetadata?.delta ?? 0,
    }
  }

  async function save(
    state: ExecutionState,
    more: { failure?: ExecutionFailure; text?: string } = {},
  ): Promise<string | undefined> {
    const opened = await open()
    if (!opened) return undefined
    const { identity, before } = opened
    const { failure } = more
    const shown = answerer ? [answeringNode(state, opened, more)] : agentNodes(state, failure)
    await store.save({
      ...facts,
      ...identity,
      kind: answerer ? 'CHATFLOW' : 'AGENTFLOW',
      state,
      ...(failure ? { failure } : {}),
      nodes: withinLength(shown, MAX_LENGTH, (node) => ({ ...node, data: {} })),
      ...recorded.stored(before, state === 'INPROGRESS' ? undefined : state),
      updatedAt: Date.now(),
    })
    wasStored = true
    return identity.id
  }

  /** Stores the run as it is: now, or when it was last stored long enough ago. The run does not wait for it. */
  function saveProgress(): void {
    if (isOver || timer) return
    const wait = saving ? SAVE_EVERY_MS : savedAt + SAVE_EVERY_MS - performance.now()
    if (wait > 0) {
      timer = setTimeout(() => {
        timer = undefined
        saveProgress()
      }, wait).unref()
      return
    }
    savedAt = performance.now()
    saving = save('INPROGRESS')
      .catch(() => undefined)
      .finally(() => {
        saving = undefined
      })
  }

  async function saveEnd(...last: Parameters<typeof save>): Promise<EndedExecution> {
    isOver = true
    clearTimeout(timer)
    await saving
    // A failure to store the record must not lose the answer.
    const stored = save(...last).catch(() => undefined)
    const executionId = wasStored ? (await open())?.identity.id : await stored
    return { executionId, stored }
  }

  /** The executed nodes of an agent flow, and the current one. */
  function agentNodes(state: ExecutionState, failure: ExecutionFailure | undefined): ExecutedNode[] {
    if (!current || state === 'FINISHED' || state === 'STOPPED') return nodes
    const { nodeId, nodeLabel } = current
    const last = nodes.at(-1)
    const before = last?.status === 'STOPPED' && last.nodeId === nodeId ? nodes.slice(0, -1) : nodes
    const previousNodeIds = before.slice(-1).map((node) => node.nodeId)
    const error: JsonObject = state === 'ERROR' && failure ? { error: failure.message } : {}
    return [...before, { nodeId, nodeLabel, data: { id: nodeId, ...error }, previousNodeIds, status: state }]
  }

  /** The answering node of a chat flow, in the form of a node of an agent flow. */
  function answeringNode(
    status: ExecutionState,
    { identity: { createdAt }, workedBefore }: Opened,
    { failure, text }: { failure?: ExecutionFailure; text?: string },
  ): ExecutedNode {
    const delta = workedBefore + Math.round(performance.now() - clock)
    const { nodeId, nodeLabel } = answerer!
    return {
      ...{ nodeId, nodeLabel, previousNodeIds: [], status },
      data: {
        ...{ id: nodeId, input: { question: cutText(question, MAX_ANSWER) } },
        ...(text === undefined ? {} : { output: { content: cutText(text, MAX_ANSWER) } }),
        ...(failure && status === 'ERROR' ? { error: failure.message } : {}),
      },
      ...(status === 'INPROGRESS' ? {} : { timeMetadata: { start: createdAt, end: Date.now(), delta } }),
    }
  }

  // A run that goes on begins with its first event: there is none where another request was faster with the decision.
  if (answerer && !decision) saveProgress()

  return {
    note(event) {
      if (event.event === 'span') {
        void open()
        recorded.note(event.data)
        if (answerer) saveProgress()
      } else if (event.event === 'agentFlowEvent') void open()
      else if (event.event === 'agentFlowExecutedData') {
        nodes = event.data
        current = undefined
      } else if (event.event === 'nextAgentFlow') {
        const { nodeId, nodeLabel, status } = event.data
        current = { nodeId, nodeLabel }
        if (status === 'INPROGRESS') saveProgress()
      }
    },
    ended: ({ action, text }) => saveEnd(action ? 'STOPPED' : 'FINISHED', { text }),
    async failed(failure, isAborted) {
      const isOfAnother = decision !== undefined && opening === undefined
      if (isOfAnother) return { executionId: undefined, stored: Promise.resolve() }
      return saveEnd(isAborted ? 'TERMINATED' : 'ERROR', { failure })
    },
  }
}
