import { sourceOf } from '../documents/citation.ts'
import type { Fence } from '../contract/fence.ts'
import { isAgentFlow, readGraph } from '../flow/graph.ts'
import { chatStreams } from '../flow/plan-prediction.ts'
import { SluiceError } from '../kit/errors.ts'
import { fencedServices } from '../stores/fenced-services.ts'
import { prepareAgentFlow } from './agentflow/prepare.ts'
import { prepareMaskedRun } from './masked-run.ts'
import type { Predictor } from './prediction.ts'
import { prepareChat } from './prepare-chat.ts'
import { runSpan } from './run-spans.ts'
import type { AgentDependencies, AgentRuntime } from './runtime.ts'

/** Creates the predictor of the server: it prepares chat flows and agent flows, and masks their secrets. */
export function createPredictor(dependencies: AgentDependencies): Predictor {
  const runtime: AgentRuntime = {
    ...dependencies,
    async prepare(flow, request) {
      const prepare = isAgentFlow(readGraph(flow.flowData)) ? prepareAgentFlow : prepareChat
      const conversationRuntime = withSearches(withFence(runtime, request.fence), request.chatId)
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

/** How many sources of a search are recorded. */
const RECORDED_SOURCES = 5

/** A runtime in which searches also find the files of one conversation, and are part of the record of the run. */
const withSearches = (runtime: AgentRuntime, chatId: string): AgentRuntime => ({
  ...runtime,
  nodeServices: {
    ...runtime.nodeServices,
    retrieve: (part, query, narrowing, signal) =>
      runSpan({ kind: 'search', name: part.store.namespace, query }, signal, async (note) => {
        let scores: readonly number[] = []
        const documents = await runtime.nodeServices.retrieve(
          part,
          query,
          { ...narrowing, chatId },
          signal,
          (found) => {
            scores = found
          },
        )
        const sources = documents.slice(0, RECORDED_SOURCES).map(({ metadata }, at) => {
          const score = scores[at]
          return { source: sourceOf(metadata), ...(score === undefined ? {} : { score }) }
        })
        note({ hits: documents.length, sources })
        return documents
      }),
  },
})
