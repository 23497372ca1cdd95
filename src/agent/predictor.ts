import { isAgentFlow, readGraph } from '../flow/graph.ts'
import { chatStreams } from '../flow/plan-prediction.ts'
import { SluiceError } from '../kit/errors.ts'
import { prepareAgentFlow } from './agentflow/prepare.ts'
import { prepareMaskedRun } from './masked-run.ts'
import type { Predictor } from './prediction.ts'
import { prepareChat } from './prepare-chat.ts'
import type { AgentDependencies, AgentRuntime } from './runtime.ts'

/** Creates the predictor of the server: it prepares chat flows and agent flows, and masks their secrets. */
export function createPredictor(dependencies: AgentDependencies): Predictor {
  const runtime: AgentRuntime = {
    ...dependencies,
    async prepare(flow, request) {
      const prepare = isAgentFlow(readGraph(flow.flowData)) ? prepareAgentFlow : prepareChat
      const conversationRuntime = withConversationFiles(runtime, request.chatId)
      return prepareMaskedRun(conversationRuntime, (maskedRuntime) => prepare(maskedRuntime, flow, request))
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

/** A runtime in which searches also find the files of one conversation. */
const withConversationFiles = (runtime: AgentRuntime, chatId: string): AgentRuntime => ({
  ...runtime,
  nodeServices: {
    ...runtime.nodeServices,
    retrieve: (part, query, narrowing, signal) =>
      runtime.nodeServices.retrieve(part, query, { ...narrowing, chatId }, signal),
  },
})
