import { sourceOf } from '../documents/citation.ts'
import type { Fence } from '../contract/fence.ts'
import { isAgentFlow, readGraph } from '../flow/graph.ts'
import { chatStreams } from '../flow/plan-prediction.ts'
import { SluiceError } from '../kit/errors.ts'
import { fencedServices } from '../stores/fenced-services.ts'
import { prepareAgentFlow } from './agentflow/prepare.ts'
import type { Emit, PredictionRequest, Predictor, PreparedRun } from './prediction.ts'
import { prepareChat } from './chat-flow.ts'
import { RecordedRun } from './again/recorded-run.ts'
import { nodeOfPart } from './part-nodes.ts'
import { type BegunSpan, emitSpans, recordedStep, runSpan } from './run-spans.ts'
import type { AgentDependencies, AgentRuntime } from './runtime.ts'
import type { AgentEvent } from '../contract/agent.ts'
import { withNotedSecrets } from './noted-secrets.ts'
import type { SidesOfHit } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { RunAgain } from '../contract/run-again.ts'
import { maskedError } from '../kit/masked-error.ts'
import { createSecretMask, type SecretMask } from '../kit/secret-mask.ts'

/** Creates the predictor of the server: it prepares chat flows and agent flows, and masks their secrets. */
export function createPredictor(dependencies: AgentDependencies): Predictor {
  const runtime: AgentRuntime = {
    ...dependencies,
    async prepare(flow, request) {
      const prepare = isAgentFlow(readGraph(flow.flowData)) ? prepareAgentFlow : prepareChat
      const conversationRuntime = withSearches(withFence(runtime, request.fence), request)
      const { again, past } = request
      const before = past ? { ...conversationRuntime, history: pastOf(past) } : conversationRuntime
      return prepareMaskedRun(before, (maskedRuntime) => prepare(maskedRuntime, flow, request), again)
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

/** A conversation whose earlier messages are known. */
const pastOf = (past: readonly PastMessage[]): AgentRuntime['history'] => ({
  messages: async (_flow, _session, last) => past.slice(last ? -last : 0),
})

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
/** How many characters of a found text are recorded. */
const RECORDED_TEXT = 160

/** A runtime in which searches also find the files of one conversation, and are part of the record of the run. */
const withSearches = (
  runtime: AgentRuntime,
  { chatId, fence }: Pick<PredictionRequest, 'chatId' | 'fence'>,
): AgentRuntime => ({
  ...runtime,
  nodeServices: {
    ...runtime.nodeServices,
    async retrieve(named, query, narrowing, signal) {
      const part = named.open ? await named.open() : named
      const nodeId = nodeOfPart(named) ?? nodeOfPart(named.store)
      const begun: BegunSpan = {
        ...{ kind: 'search', name: part.store.namespace, query },
        ...(nodeId === undefined ? {} : { nodeId }),
        ...(fence ? { pinned: true } : {}),
      }
      return runSpan(begun, signal, async (note) => {
        const { input } = recordedStep()
        let scores: readonly number[] = []
        let sides: readonly SidesOfHit[] = []
        const documents = await runtime.nodeServices.retrieve(
          part,
          input === undefined ? query : String(input),
          { ...narrowing, chatId },
          signal,
          (found, ofSides = []) => {
            scores = found
            sides = ofSides
          },
        )
        const sources = documents.slice(0, RECORDED_SOURCES).map(({ metadata, pageContent }, at) => {
          const score = scores[at]
          return {
            source: sourceOf(metadata),
            ...(score === undefined ? {} : { score }),
            ...sides[at],
            text: pageContent.slice(0, RECORDED_TEXT),
          }
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
 *
 * @param again the recorded run that it repeats
 */
async function prepareMaskedRun(
  runtime: AgentRuntime,
  prepare: (runtime: AgentRuntime) => Promise<PreparedRun>,
  again: RunAgain | undefined,
): Promise<PreparedRun> {
  const mask = createSecretMask({ shortestWord: SHORTEST_WORD })
  try {
    const prepared = await prepare({ ...runtime, nodeServices: withNotedSecrets(runtime.nodeServices, mask) })
    return { ...prepared, run: (emit, signal) => run(prepared, { mask, again }, emit, signal) }
  } catch (error) {
    throw maskedError(error, mask)
  }
}

async function run(
  prepared: PreparedRun,
  { mask, again }: { mask: SecretMask; again: RunAgain | undefined },
  emit: Emit,
  signal: AbortSignal,
) {
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
    const recorded = again && new RecordedRun(again)
    const outcome = await emitSpans(emitMasked, () => prepared.run(emitMasked, signal), recorded)
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
