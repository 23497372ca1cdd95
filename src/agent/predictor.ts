import { sourceOf } from '../documents/citation.ts'
import type { Fence } from '../contract/fence.ts'
import { isAgentFlow, readGraph } from '../flow/graph.ts'
import { chatStreams } from '../flow/plan-prediction.ts'
import { SluiceError } from '../kit/errors.ts'
import { fencedServices } from '../stores/fenced-services.ts'
import { prepareAgentFlow } from './agentflow/prepare.ts'
import type { Predictor, Emit, PreparedRun } from './prediction.ts'
import { prepareChat } from './chat-flow.ts'
import { runSpan, emitSpans } from './run-spans.ts'
import type { AgentDependencies, AgentRuntime } from './runtime.ts'
import type { AgentEvent } from '../contract/agent.ts'
import { withNotedSecrets } from './noted-secrets.ts'
import { maskedError } from '../kit/masked-error.ts'
import { createSecretMask, type SecretMask } from '../kit/secret-mask.ts'

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
    async retrieve(named, query, narrowing, signal) {
      const part = named.open ? await named.open() : named
      return runSpan({ kind: 'search', name: part.store.namespace, query }, signal, async (note) => {
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
      })
    },
  },
})

/** In characters. A shorter secret of letters only, such as `ollama`, is not masked: many answers contain the word. */
const SHORTEST_WORD = 8

/**
 * Prepares a run in whose output all secrets are masked: events, answer, tool outputs, errors. Secrets are the values
 * of the credentials that the run reads, and the headers and keys that its calls send.
 */
async function prepareMaskedRun(
  runtime: AgentRuntime,
  prepare: (runtime: AgentRuntime) => Promise<PreparedRun>,
): Promise<PreparedRun> {
  const mask = createSecretMask({ shortestWord: SHORTEST_WORD })
  try {
    const prepared = await prepare({ ...runtime, nodeServices: withNotedSecrets(runtime.nodeServices, mask) })
    return { ...prepared, run: (emit, signal) => run(prepared, mask, emit, signal) }
  } catch (error) {
    throw maskedError(error, mask)
  }
}

async function run(prepared: PreparedRun, mask: SecretMask, emit: Emit, signal: AbortSignal) {
  const pieces = { token: mask.stream(), thinking: mask.stream() }
  const flush = async () => {
    for (const event of ['thinking', 'token'] as const) {
      const data = pieces[event].end()
      if (data !== '') await emit({ event, data })
    }
  }
  try {
    const emitMasked: Emit = async (event) => {
      if (event.event === 'token' || event.event === 'thinking') {
        const data = pieces[event.event].push(event.data)
        // An event whose text is empty has other data, such as a duration.
        if (data !== '' || event.data === '') await emit({ ...event, data })
        return
      }
      if (isAfterText(event)) await flush()
      await emit(mask.json(event))
    }
    const outcome = await emitSpans(emitMasked, () => prepared.run(emitMasked, signal))
    await flush()
    return mask.json(outcome)
  } catch (error) {
    if (!signal.aborted) await flush()
    throw maskedError(error, mask)
  }
}

/** Whether no text follows this event. The text that the mask still holds back is emitted before it. */
const isAfterText = ({ event, data }: AgentEvent): boolean =>
  event === 'usageMetadata' || event === 'action' || (event === 'agentFlowEvent' && data !== 'INPROGRESS')
