import type { AgentOutcome, ExecutedNode } from '../../contract/agent.ts'
import type { FlowSource } from '../../flow/apply-request.ts'
import { buildStep } from '../../flow/build-step.ts'
import type { FlowGraph, FlowNode } from '../../flow/graph.ts'
import { firstOf, flowScope, expandWithin, type VariableScope } from '../../flow/variables.ts'
import { breather } from '../../kit/breather.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { refuseInNestedFlow } from '../approval.ts'
import type { FlowInfo } from '../conversation.ts'
import type { LoopState } from '../loop.ts'
import { addUsage, throwIfCancelled } from '../model-turn.ts'
import { withNodeId } from '../node-of-failure.ts'
import type { Emit, HumanInput } from '../prediction.ts'
import { runSpan } from '../run-spans.ts'
import type { AgentRuntime } from '../runtime.ts'
import type { TypedAddresses } from '../../flow/typed-addresses.ts'
import { findNamedNode, nextNodes } from '../../flow/step-route.ts'
import { enqueueNode, firstChildNodes, takeNextNode } from './route.ts'
import { outputScope, type QueuedNode, runScope, type RunState } from './run-state.ts'
import { reachesOthers, runStep } from './run-step.ts'
import type { StepResult } from './step-context.ts'
import { truncateTexts } from './truncate-texts.ts'

/** The number of nodes that one run may execute. */
const MAX_NODES = 1000

/** An agent flow, prepared for one run. */
export type AgentFlowRun = {
  runtime: AgentRuntime
  flow: FlowSource
  graph: FlowGraph
  typedAddresses: TypedAddresses
  /** The values of variables, including those of the request. */
  variables: Readonly<Record<string, string>>
  /** `$flow` without its state. */
  flowInfo: FlowInfo
  /** The ids of the flows that wait for the answer of this one. */
  callingFlows: readonly string[]
  sessionId: string
  /** Whether the next run of the session begins with the state that this one ends with. */
  persistsState: boolean
}

/** A person's decision, and the state of the waiting node's tool loop if it had one. */
export type ResumeDecision = { human: HumanInput; loop?: LoopState }

/** The stored state of a run that waits for a person. */
export type SavedRun = { run: RunState; loop?: LoopState }

/**
 * Runs an agent flow, node after node, until the queue is empty or a person has to decide.
 *
 * @throws SluiceError `flow_cannot_answer`, `cancelled`, and the errors of the nodes
 */
export async function runAgentFlow(
  agentFlow: AgentFlowRun,
  start: RunState,
  decision: ResumeDecision | undefined,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  await emit({ event: 'agentFlowEvent', data: 'INPROGRESS' })
  try {
    const { run, waitingNode } = await runQueue(agentFlow, start, decision, emit, signal)
    if (waitingNode) return await pause(agentFlow, run, waitingNode, emit)
    if (agentFlow.persistsState) await keepState(agentFlow, run)
    await emitTotals(run, emit)
    await emit({ event: 'agentFlowEvent', data: 'FINISHED' })
    return { text: answerText(run), ...outcomeOf(run) }
  } catch (error) {
    await emit({ event: 'agentFlowEvent', data: failureStatus(signal) })
    throw error
  }
}

/** A node that waits for a person's decision. */
type WaitingNode = { node: FlowNode; waiting: NonNullable<StepResult['waiting']> }

async function runQueue(
  agentFlow: AgentFlowRun,
  start: RunState,
  decision: ResumeDecision | undefined,
  emit: Emit,
  signal: AbortSignal,
): Promise<{ run: RunState; waitingNode?: WaitingNode }> {
  const { graph } = agentFlow
  let run = start
  let resumed = decision
  const breathe = breather()
  while (run.queue.length > 0) {
    await breathe()
    throwIfCancelled(signal)
    if (run.executed.length >= MAX_NODES) throw refusal(`it ran more than ${MAX_NODES} nodes`)
    const [next, rest] = takeNextNode(graph, run.queue)
    const node = graph.nodes.get(next.id)
    // The flow may have been edited while the run waited for a person.
    if (!node) throw refusal(`the next node of the waiting run, ${next.id}, was deleted`)
    const emitStatus = (status: ExecutedNode['status']) =>
      emit({ event: 'nextAgentFlow', data: { nodeId: node.id, nodeLabel: node.label, status } })
    await emitStatus('INPROGRESS')
    const timer = startTimer()
    let done: NodeRun
    try {
      done = await runSpan({ kind: 'node', name: node.label, nodeId: node.id }, signal, async (note) => {
        const ran = await runNode(agentFlow, run, node, resumed, emit, signal)
        if (ran.result.waiting) note({ status: 'STOPPED' })
        if (ran.reachesOthers) note({ output: JSON.stringify(ran.result.output) })
        return ran
      })
    } catch (error) {
      await emitStatus(failureStatus(signal))
      throw withNodeId(error, node.id)
    }
    const { result } = done
    resumed = undefined
    run = recordResult(done.run, node, next, result, timer())
    await emitStatus(result.waiting ? 'STOPPED' : 'FINISHED')
    await emit({ event: 'agentFlowExecutedData', data: run.executed })
    if (result.waiting) return { run, waitingNode: { node, waiting: result.waiting } }
    run = enqueueNext(graph, { ...run, queue: rest }, node, result)
  }
  return { run }
}

/** The result of a node, and the state of the run after its child nodes. `reachesOthers`: as {@link reachesOthers} says. */
type NodeRun = { run: RunState; result: StepResult; reachesOthers: boolean }

/** Replaces the variables in a node's texts and runs the node. */
async function runNode(
  agentFlow: AgentFlowRun,
  run: RunState,
  node: FlowNode,
  resumed: ResumeDecision | undefined,
  emit: Emit,
  signal: AbortSignal,
): Promise<NodeRun> {
  const { runtime, flow, graph, variables, flowInfo, callingFlows } = agentFlow
  const scope = firstOf(
    runScope(run),
    flowScope({
      ...run.asked,
      form: run.form,
      past: run.past,
      now: runtime.now(),
      variables,
      flow: { ...flowInfo, state: run.state, runtimeChatHistoryLength: run.said.length },
    }),
  )
  const { typedAddresses } = agentFlow
  const { step, parts } = buildStep(runtime, { flowId: flow.id, typedAddresses }, node, scope)
  let after = run
  const result = await runStep(step, {
    runtime,
    node,
    run,
    parts,
    callContext: { flow: { ...flowInfo, input: run.asked.question, state: run.state }, variables },
    callingFlows: [...callingFlows, flow.id],
    hasBranch: (branch) => nextNodes(graph, node.id, branch).length > 0,
    last: node.parent === undefined && nextNodes(graph, node.id).length === 0,
    ...(resumed ? { resumed } : {}),
    runChildren,
    emit,
    signal,
  })
  const updateState = result.updateState && expandUpdates(result, scope)
  return {
    run: after,
    result: updateState ? { ...result, updateState } : result,
    reachesOthers: reachesOthers(step),
  }

  async function runChildren(item: Json): Promise<string> {
    const queue = firstChildNodes(graph, node.id).map((id) => ({ id, after: [node.id] }))
    const start = { ...after, iteration: item, queue }
    const children = await runQueue(agentFlow, start, undefined, emit, signal)
    if (children.waitingNode) throw refusal('a node inside an iteration cannot wait for a person')
    const text = answerText(children.run, after.executed.length)
    const { iteration: _, ...done } = children.run
    // An iteration may be inside another one.
    const outer = run.iteration === undefined ? {} : { iteration: run.iteration }
    after = { ...done, ...outer, queue: run.queue }
    return text
  }
}

type NodeTime = NonNullable<ExecutedNode['timeMetadata']>

/** Starts to measure a node; the result gives the time until now. */
function startTimer(): () => NodeTime {
  const start = Date.now()
  const clock = performance.now()
  return () => {
    const delta = Math.round(performance.now() - clock)
    return { start, end: start + delta, delta }
  }
}

/** The time of a node that has waited for a person: from its first start, without the waiting. */
const wholeTime = (before: NodeTime | undefined, time: NodeTime): NodeTime =>
  before ? { start: before.start, end: time.end, delta: before.delta + time.delta } : time

const failureStatus = (signal: AbortSignal) => (signal.aborted ? 'TERMINATED' : 'ERROR')

const refusal = (reason: string) => new SluiceError('flow_cannot_answer', { reason })

/** State updates may use the output of the node itself. */
const expandUpdates = ({ output, updateState = [] }: StepResult, scope: VariableScope) =>
  updateState.map(({ key, value }) => ({
    key,
    value: expandWithin(value, firstOf(outputScope(output), scope)) as Json,
  }))

/** Adds the result of a node to the state of the run. */
function recordResult(
  run: RunState,
  node: FlowNode,
  { after }: QueuedNode,
  result: StepResult,
  time: NodeTime,
): RunState {
  const {
    input,
    output,
    updateState = [],
    messages = [],
    usage,
    usedTools = [],
    documents = [],
    waiting,
  } = result
  const state = { ...run.state, ...Object.fromEntries(updateState.map(({ key, value }) => [key, value])) }
  // A node that has waited is one entry, however many decisions it needed.
  const last = run.executed.at(-1)
  const waited = last?.status === 'STOPPED' ? last : undefined
  const executed: ExecutedNode = {
    nodeId: node.id,
    nodeLabel: node.label,
    data: truncateTexts({
      id: node.id,
      name: node.name,
      ...(input === undefined ? {} : { input }),
      output,
      state,
    }),
    previousNodeIds: after,
    status: waiting ? 'STOPPED' : 'FINISHED',
    timeMetadata: wholeTime(waited?.timeMetadata, time),
  }
  const before = waited ? run.executed.slice(0, -1) : run.executed
  return {
    ...run,
    state,
    said: [...run.said, ...messages],
    outputs: { ...run.outputs, [node.id]: output },
    executed: [...before, executed],
    usage: usage ? addUsage(run.usage, usage) : run.usage,
    usedTools: [...run.usedTools, ...usedTools],
    documents: [...run.documents, ...documents],
  }
}

function enqueueNext(
  graph: FlowGraph,
  run: RunState,
  node: FlowNode,
  { branch, goTo }: StepResult,
): RunState {
  const next = goTo === undefined ? nextNodes(graph, node.id, branch) : [findNamedNode(graph, goTo)]
  return {
    ...run,
    queue: next.reduce((queue, id) => enqueueNode(queue, id, node.id), run.queue),
    ...(goTo === undefined ? {} : { loops: { ...run.loops, [node.id]: (run.loops[node.id] ?? 0) + 1 } }),
  }
}

const keepState = (
  { runtime, flow, sessionId, callingFlows }: AgentFlowRun,
  { state }: RunState,
): Promise<void> =>
  runtime.flowStates.save({
    flowId: flow.id,
    sessionId,
    rootFlowId: callingFlows[0] ?? flow.id,
    updatedAt: runtime.now().getTime(),
    state,
  })

/** Stores the run until a person has decided. */
async function pause(
  { runtime, flow, sessionId, callingFlows }: AgentFlowRun,
  run: RunState,
  { node, waiting: { text, action, loop } }: WaitingNode,
  emit: Emit,
): Promise<AgentOutcome> {
  refuseInNestedFlow(callingFlows)
  const state: SavedRun = { run, ...(loop ? { loop } : {}) }
  await runtime.pausedRuns.save({
    id: randomId(),
    flowId: flow.id,
    sessionId,
    nodeId: node.id,
    createdAt: runtime.now().getTime(),
    state: state as unknown as JsonObject,
  })
  await emit({ event: 'token', data: text })
  await emitTotals(run, emit)
  await emit({ event: 'action', data: action })
  await emit({ event: 'agentFlowEvent', data: 'STOPPED' })
  return { text, action, ...outcomeOf(run) }
}

async function emitTotals({ usedTools, documents, usage }: RunState, emit: Emit): Promise<void> {
  if (usedTools.length > 0) await emit({ event: 'usedTools', data: usedTools })
  if (documents.length > 0) await emit({ event: 'sourceDocuments', data: documents })
  const { inputTokens, outputTokens } = usage
  const total = inputTokens + outputTokens
  if (total > 0)
    await emit({
      event: 'usageMetadata',
      data: { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: total },
    })
}

const outcomeOf = ({ executed, usage, usedTools, documents }: RunState) => ({
  agentFlowExecutedData: executed,
  ...(usedTools.length > 0 ? { usedTools } : {}),
  ...(documents.length > 0 ? { sourceDocuments: documents } : {}),
  usage,
})

/**
 * The content of the last node that has one. The content of the Start node is the question and does not count.
 *
 * @param from the index of the first executed node to look at
 */
function answerText({ executed, outputs }: RunState, from = 0): string {
  const contents = executed
    .slice(from)
    .filter(({ data }) => data.name !== 'startAgentflow')
    .map(({ nodeId }) => outputs[nodeId]?.content)
  const last = contents.findLast((content) => typeof content === 'string' && content !== '')
  return typeof last === 'string' ? last : ''
}
