import { applyRequest, type FlowSource } from '../../flow/apply-request.ts'
import { readGraph } from '../../flow/graph.ts'
import { typedAddresses } from '../../flow/typed-addresses.ts'
import { variableValues } from '../../flow/variables.ts'
import { findPausedRun, takePausedRun } from '../approval.ts'
import { conversationHistory, flowInfo, readUserInput, requireQuestion } from '../conversation.ts'
import type { PredictionRequest, PreparedRun } from '../prediction.ts'
import type { AgentRuntime } from '../runtime.ts'
import { checkAgentFlow } from './check.ts'
import { type AgentFlowRun, runAgentFlow, type SavedRun } from './engine.ts'
import { initialRunState } from './run-state.ts'

/** Prepares an agent flow to run from its Start node, or from the node where a run of the session waits for a person. */
export async function prepareAgentFlow(
  runtime: AgentRuntime,
  flow: FlowSource,
  request: PredictionRequest,
): Promise<PreparedRun> {
  const storedGraph = readGraph(flow.flowData)
  const allNodes = [...storedGraph.nodes.values()]
  const { nodes, variables, warnings } = applyRequest(runtime, flow, storedGraph, allNodes, {
    overrides: request.overrides,
    variables: await variableValues(runtime.variables, runtime.environment),
  })
  const graph = { ...storedGraph, nodes }
  const typed = typedAddresses(storedGraph, runtime.catalog)
  const start = await checkAgentFlow(graph, runtime, { flowId: flow.id, typedAddresses: typed })
  const { step, node } = start
  const sessionId = request.sessionId ?? request.chatId
  const agentFlow: AgentFlowRun = {
    runtime,
    flow,
    graph,
    typedAddresses: typed,
    variables,
    flowInfo: flowInfo(flow, request, sessionId),
    sessionId,
    persistsState: step.persistsState,
    callingFlows: request.callingFlows ?? [],
  }
  const shared = { streams: true, sessionId, warnings }

  if (request.humanInput) {
    const human = request.humanInput
    const paused = await findPausedRun(runtime.pausedRuns, flow.id, sessionId, human, nodes)
    return {
      ...shared,
      async run(emit, signal) {
        const { run, loop } = await takePausedRun<SavedRun>(runtime.pausedRuns, paused)
        return runAgentFlow(agentFlow, run, { human, ...(loop ? { loop } : {}) }, emit, signal)
      },
    }
  }

  const input = readUserInput(step.form ? { ...request, question: formText(request) } : request)
  requireQuestion(input)
  const past = step.ephemeral
    ? [...request.history]
    : await conversationHistory(runtime, flow.id, sessionId, request)
  const initial = initialRunState(input, request.form ?? {}, past, node.id)
  return {
    ...shared,
    async run(emit, signal) {
      const kept = step.persistsState ? await runtime.flowStates.find(flow.id, sessionId) : undefined
      return runAgentFlow(agentFlow, { ...initial, state: kept ?? {} }, undefined, emit, signal)
    },
  }
}

/** The values of a form as the question, one line for each field. Without values: the question of the request. */
const formText = ({ form = {}, question = '' }: PredictionRequest): string =>
  Object.entries(form)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n') || question
