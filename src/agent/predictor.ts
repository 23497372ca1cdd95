import { isAgentFlow, readGraph } from '../flow/graph.ts'
import { chatStreams } from '../flow/plan-prediction.ts'
import { SluiceError } from '../kit/errors.ts'
import { prepareAgentFlow } from './agentflow/prepare.ts'
import type { AgentDependencies, AgentRuntime } from './runtime.ts'
import type { Predictor } from './prediction.ts'
import { prepareMaskedRun } from './masked-run.ts'
import { prepareChat } from './prepare-chat.ts'

export function createPredictor(ground: AgentDependencies): Predictor {
  const runtime: AgentRuntime = {
    ...ground,
    async prepare(flow, ask) {
      const prepare = isAgentFlow(readGraph(flow.flowData)) ? prepareAgentFlow : prepareChat
      const own = inConversation(runtime, ask.chatId)
      return prepareMaskedRun(own, (masked) => prepare(masked, flow, ask))
    },
  }
  return {
    prepare: runtime.prepare,
    streams(flow) {
      try {
        return isAgentFlow(readGraph(flow.flowData)) || chatStreams(flow, runtime.catalog)
      } catch (error) {
        if (error instanceof SluiceError) return false
        throw error
      }
    },
  }
}

/** The same runtime, whose searches also find the files of one conversation. */
const inConversation = (runtime: AgentRuntime, chatId: string): AgentRuntime => ({
  ...runtime,
  nodeServices: {
    ...runtime.nodeServices,
    retrieve: (part, query, narrowing, signal) =>
      runtime.nodeServices.retrieve(part, query, { ...narrowing, chatId }, signal),
  },
})
