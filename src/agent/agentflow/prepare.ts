import { applyRequest, type FlowSource } from '../../flow/apply-request.ts'
import { readGraph } from '../../flow/graph.ts'
import { variableValues } from '../../flow/scope.ts'
import { findPaused, takePaused } from '../approval.ts'
import { readAsked, requireQuestion } from '../asked.ts'
import { flowFacts } from '../flow-facts.ts'
import { type AgentHouse, recall } from '../house.ts'
import type { Ask, PreparedRun } from '../predict.ts'
import { checkAgentFlow } from './check.ts'
import { type AgentFlow, type Kept, runAgentFlow } from './engine.ts'
import { runState } from './run-state.ts'

/** Makes an agent flow ready: from its beginning, or from where a run of the session waits for a decision. */
export async function prepareAgentFlow(house: AgentHouse, flow: FlowSource, ask: Ask): Promise<PreparedRun> {
  const drawn = readGraph(flow.flowData)
  const { nodes, variables, warnings } = applyRequest(house, flow, drawn, [...drawn.nodes.values()], {
    overrides: ask.overrides,
    variables: await variableValues(house.variables, house.environment),
  })
  const graph = { ...drawn, nodes }
  const start = await checkAgentFlow(graph, house, flow.id)
  const sessionId = ask.sessionId ?? ask.chatId
  const agentFlow: AgentFlow = {
    house,
    flow,
    graph,
    variables,
    facts: flowFacts(flow, ask, sessionId),
    sessionId,
    asking: ask.within ?? [],
  }
  const shared = { streams: true, sessionId, warnings }

  if (ask.humanInput) {
    const human = ask.humanInput
    const paused = await findPaused(house.executions, flow.id, sessionId, human, nodes)
    return {
      ...shared,
      async run(emit, signal) {
        const { run, loop } = await takePaused<Kept>(house.executions, paused)
        return runAgentFlow(agentFlow, run, { human, ...(loop ? { loop } : {}) }, emit, signal)
      },
    }
  }

  const { step, node } = start
  const asked = readAsked(step.form ? { ...ask, question: formText(ask) } : ask)
  requireQuestion(asked)
  const past = step.ephemeral ? [...ask.history] : await recall(house, flow.id, sessionId, ask)
  const begun = runState(asked, ask.form ?? {}, past, node.id)
  return { ...shared, run: (emit, signal) => runAgentFlow(agentFlow, begun, undefined, emit, signal) }
}

/** A form as models read it, a line a field; who sends a question to a form asks just that. */
const formText = ({ form = {}, question = '' }: Ask): string =>
  Object.entries(form)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n') || question
