import type { AgentOutcome, ExecutedNode } from '../../contract/agent.ts'
import type { FlowSource } from '../../flow/apply-request.ts'
import { buildStep } from '../../flow/build-step.ts'
import type { FlowGraph, FlowNode } from '../../flow/graph.ts'
import { firstOf, flowScope } from '../../flow/scope.ts'
import { expandWithin, type Scope } from '../../flow/variables.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { refuseInNestedFlow } from '../approval.ts'
import type { FlowInfo } from '../flow-info.ts'
import type { AgentRuntime } from '../runtime.ts'
import type { LoopState } from '../loop.ts'
import type { Emit, HumanInput } from '../prediction.ts'
import { addUsage, throwIfCancelled } from '../model-turn.ts'
import { enqueueNode, firstChildNodes, findNamedNode, nextNodes, takeNextNode } from './route.ts'
import { outputScope, type QueuedNode, type RunState, runScope } from './run-state.ts'
import { runStep } from './run-step.ts'
import { truncateTexts } from './truncate-texts.ts'
import type { StepResult } from './step-context.ts'

/** How many nodes one run may go through. */
const MOST_NODES = 1000

/** An agent flow made ready for one run. */
export type AgentFlowRun = {
  runtime: AgentRuntime
  flow: FlowSource
  graph: FlowGraph
  /** The values of variables, those of the request among them. */
  variables: Readonly<Record<string, string>>
  /** `$flow` without its state. */
  flowInfo: FlowInfo
  /** The flows that wait for this one's answer. */
  callingFlows: readonly string[]
  sessionId: string
}

/** A person's decision, and how far the node that waited for it had come. */
export type ResumeDecision = { human: HumanInput; loop?: LoopState }

/** What is kept of a run that waits. */
export type SavedRun = { run: RunState; loop?: LoopState }

/** Runs an agent flow, node after node, until nothing is left to do or a person is needed. */
export async function runAgentFlow(
  agentFlow: AgentFlowRun,
  start: RunState,
  resumption: ResumeDecision | undefined,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  await emit({ event: 'agentFlowEvent', data: 'INPROGRESS' })
  try {
    const { run, stop } = await walk(agentFlow, start, resumption, emit, signal)
    if (stop) return await pause(agentFlow, run, stop, emit)
    await tellWork(run, emit)
    await emit({ event: 'agentFlowEvent', data: 'FINISHED' })
    return { text: answerIn(run), ...outcomeOf(run) }
  } catch (error) {
    await emit({ event: 'agentFlowEvent', data: brokenOff(signal) })
    throw error
  }
}

/** A node that nothing goes on behind, for a person has to decide. */
type Stop = { node: FlowNode; waiting: NonNullable<StepResult['waiting']> }

async function walk(
  agentFlow: AgentFlowRun,
  start: RunState,
  resumption: ResumeDecision | undefined,
  emit: Emit,
  signal: AbortSignal,
): Promise<{ run: RunState; stop?: Stop }> {
  const { graph } = agentFlow
  let run = start
  let resumed = resumption
  while (run.queue.length > 0) {
    throwIfCancelled(signal)
    if (run.executed.length >= MOST_NODES) throw refusal(`it went through more than ${MOST_NODES} nodes`)
    const [next, rest] = takeNextNode(graph, run.queue)
    const node = graph.nodes.get(next.id)
    // The drawing may have changed while a person was asked.
    if (!node) throw refusal(`the node ${next.id}, whose turn it is, is not there any more`)
    const tell = (status: ExecutedNode['status']) =>
      emit({ event: 'nextAgentFlow', data: { nodeId: node.id, nodeLabel: node.label, status } })
    await tell('INPROGRESS')
    let done: Done
    try {
      done = await runNode(agentFlow, run, node, resumed, emit, signal)
    } catch (error) {
      await tell(brokenOff(signal))
      throw error
    }
    const { result } = done
    resumed = undefined
    run = note(done.run, node, next, result)
    await tell(result.waiting ? 'STOPPED' : 'FINISHED')
    await emit({ event: 'agentFlowExecutedData', data: run.executed })
    if (result.waiting) return { run, stop: { node, waiting: result.waiting } }
    run = goOn(graph, { ...run, queue: rest }, node, result)
  }
  return { run }
}

/** What came of a node, and of those that ran inside of it. */
type Done = { run: RunState; result: StepResult }

/** Fills in a node's texts as they are to be read now, and does its work. */
async function runNode(
  agentFlow: AgentFlowRun,
  run: RunState,
  node: FlowNode,
  resumed: ResumeDecision | undefined,
  emit: Emit,
  signal: AbortSignal,
): Promise<Done> {
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
  const { step, parts } = buildStep(runtime, flow.id, node, scope)
  let after = run
  const result = await runStep(step, {
    runtime,
    node,
    run,
    parts,
    callContext: { flow: { ...flowInfo, input: run.asked.question, state: run.state }, variables },
    callingFlows: [...callingFlows, flow.id],
    hasBranch: (way) => nextNodes(graph, node.id, way).length > 0,
    last: node.parent === undefined && nextNodes(graph, node.id).length === 0,
    ...(resumed ? { resumed } : {}),
    runInside,
    emit,
    signal,
  })
  const updateState = result.updateState && updated(result, scope)
  return { run: after, result: updateState ? { ...result, updateState } : result }

  async function runInside(item: Json): Promise<string> {
    const queue = firstChildNodes(graph, node.id).map((id) => ({ id, after: [node.id] }))
    const inside = await walk(agentFlow, { ...after, iteration: item, queue }, undefined, emit, signal)
    if (inside.stop) throw refusal('a person cannot be asked within an iteration')
    const text = answerIn(inside.run, after.executed.length)
    const { iteration: _, ...done } = inside.run
    // Frames may stand in frames.
    const outer = run.iteration === undefined ? {} : { iteration: run.iteration }
    after = { ...done, ...outer, queue: run.queue }
    return text
  }
}

const brokenOff = (signal: AbortSignal) => (signal.aborted ? 'TERMINATED' : 'ERROR')

const refusal = (reason: string) => new SluiceError('flow_cannot_answer', { reason })

/** What goes into the state may speak of what the node has just given. */
const updated = ({ output, updateState = [] }: StepResult, scope: Scope) =>
  updateState.map(({ key, value }) => ({
    key,
    value: expandWithin(value, firstOf(outputScope(output), scope)) as Json,
  }))

/** Writes down what a node did. */
function note(run: RunState, node: FlowNode, { after }: QueuedNode, result: StepResult): RunState {
  const {
    input,
    output,
    updateState = [],
    said = [],
    usage,
    usedTools = [],
    documents = [],
    waiting,
  } = result
  const state = { ...run.state, ...Object.fromEntries(updateState.map(({ key, value }) => [key, value])) }
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
  }
  // A node that waited is one node, however often it was asked about.
  const before = run.executed.at(-1)?.status === 'STOPPED' ? run.executed.slice(0, -1) : run.executed
  return {
    ...run,
    state,
    said: [...run.said, ...said],
    outputs: { ...run.outputs, [node.id]: output },
    executed: [...before, executed],
    usage: usage ? addUsage(run.usage, usage) : run.usage,
    usedTools: [...run.usedTools, ...usedTools],
    documents: [...run.documents, ...documents],
  }
}

/** Queues what comes after a node. */
function goOn(graph: FlowGraph, run: RunState, node: FlowNode, { way, goTo }: StepResult): RunState {
  const next = goTo === undefined ? nextNodes(graph, node.id, way) : [findNamedNode(graph, goTo)]
  return {
    ...run,
    queue: next.reduce((queue, id) => enqueueNode(queue, id, node.id), run.queue),
    ...(goTo === undefined ? {} : { loops: { ...run.loops, [node.id]: (run.loops[node.id] ?? 0) + 1 } }),
  }
}

/** Keeps the run until somebody decides. */
async function pause(
  { runtime, flow, sessionId, callingFlows }: AgentFlowRun,
  run: RunState,
  { node, waiting: { text, action, loop } }: Stop,
  emit: Emit,
): Promise<AgentOutcome> {
  refuseInNestedFlow(callingFlows)
  const state: SavedRun = { run, ...(loop ? { loop } : {}) }
  const kept = { flowId: flow.id, sessionId, nodeId: node.id, createdAt: runtime.now().getTime() }
  await runtime.pausedRuns.save({ id: randomId(), ...kept, state: state as unknown as JsonObject })
  await emit({ event: 'token', data: text })
  await tellWork(run, emit)
  await emit({ event: 'action', data: action })
  await emit({ event: 'agentFlowEvent', data: 'STOPPED' })
  return { text, action, ...outcomeOf(run) }
}

async function tellWork({ usedTools, documents, usage }: RunState, emit: Emit): Promise<void> {
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
 * The answer is the content of the last node that has one; that of the Start node is the question, and no answer.
 *
 * @param from how many of the executed nodes to pass over
 */
function answerIn({ executed, outputs }: RunState, from = 0): string {
  const said = executed
    .slice(from)
    .filter(({ data }) => data.name !== 'startAgentflow')
    .map(({ nodeId }) => outputs[nodeId]?.content)
  const last = said.findLast((content) => typeof content === 'string' && content !== '')
  return typeof last === 'string' ? last : ''
}
