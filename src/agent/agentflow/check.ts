import type { FlowContext } from '../../contract/card.ts'
import type { StepPart } from '../../contract/step.ts'
import { buildStep } from '../../flow/build-step.ts'
import { chosenNodesIn } from '../../flow/chosen-nodes.ts'
import type { FlowGraph, FlowNode } from '../../flow/graph.ts'
import { findNamedNode, reachableFrom, withChildNodes } from '../../flow/step-route.ts'
import { breather } from '../../kit/breather.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { AgentRuntime } from '../runtime.ts'
import { storeOfFlow } from './knowledge.ts'

export type StartStep = Extract<StepPart, { type: 'start' }>

/**
 * Builds every node that a run can reach, so that a mistake is found before the run starts.
 *
 * @returns the Start node
 * @throws SluiceError `flow_cannot_answer`, `flow_invalid`, `node_unknown`, `input_invalid`
 */
export async function checkAgentFlow(
  graph: FlowGraph,
  runtime: AgentRuntime,
  flow: Pick<FlowContext, 'flowId' | 'typedAddresses'>,
): Promise<{ node: FlowNode; step: StartStep }> {
  const nodes = [...graph.nodes.values()]
  const start = nodes.find(({ name }) => name === 'startAgentflow')
  if (!start) throw new SluiceError('flow_cannot_answer', { reason: 'it has no Start node' })
  let first: StartStep | undefined
  const breathe = breather()
  for (const id of withChildNodes(graph, reachableFrom(graph, start.id))) {
    await breathe()
    const node = graph.nodes.get(id)!
    const { step, parts } = buildStep(runtime, flow, node, () => undefined)
    for (const [kind, chosen] of chosenNodesIn(step)) parts.check(kind, chosen)
    for (const flow of flowsWithStores(step)) await storeOfFlow(flow, runtime)
    if (step.type === 'loop') findNamedNode(graph, step.to)
    if (step.type === 'start') first = step
  }
  return { node: start, step: first! }
}

/** The ids of the flows whose stores a step searches. */
function flowsWithStores(step: StepPart): string[] {
  if (step.type === 'retriever') return step.flows
  if (step.type !== 'model') return []
  return step.knowledge.flatMap(({ from }) => ('flow' in from ? [from.flow] : []))
}
