import type { Fence } from '../contract/fence.ts'
import { isAgentFlow, readGraph } from '../flow/graph.ts'
import { chatStreams } from '../flow/plan-prediction.ts'
import { SluiceError } from '../kit/errors.ts'
import { fencedServices } from '../stores/fenced-services.ts'
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
      const conversationRuntime = withConversationFiles(withFence(runtime, request.fence), request.chatId)
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

/** A runtime in which all stores are within a fence, also those of flows that the flow calls. */
function withFence(runtime: AgentRuntime, fence: Fence | undefined): AgentRuntime {
  if (!fence) return runtime
  return {
    ...runtime,
    nodeServices: fencedServices(runtime.nodeServices, fence),
    prepare: (flow, request) => runtime.prepare(flow, { ...request, fence }),
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
