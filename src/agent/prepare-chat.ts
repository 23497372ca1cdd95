import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import type { Warning } from '../flow/overrides.ts'
import { buildAnswerer, planPrediction } from '../flow/plan-prediction.ts'
import { flowScope, variableValues } from '../flow/variables.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import type { AnswerContext } from './answer-context.ts'
import { findPausedRun, refuseInNestedFlow, takePausedRun } from './approval.ts'
import { conversationHistory, flowInfo, readUserInput, requireQuestion } from './conversation.ts'
import { answerInConversation } from './conversation-chain.ts'
import type { LoopState } from './loop.ts'
import { withNodeId } from './node-of-failure.ts'
import type { Emit, PredictionRequest, PreparedRun } from './prediction.ts'
import { answerFromDocuments } from './retrieval-chain.ts'
import type { AgentRuntime } from './runtime.ts'
import { answerWithTools } from './tool-agent.ts'

/**
 * Prepares a chat flow to answer one request: builds its last node and all nodes that plug into it, with variables
 * replaced by their values.
 */
export async function prepareChat(
  runtime: AgentRuntime,
  flow: FlowSource,
  request: PredictionRequest,
): Promise<PreparedRun> {
  const { catalog, nodeServices } = runtime
  const plan = planPrediction(runtime, flow, {
    overrides: request.overrides,
    variables: await variableValues(runtime.variables, runtime.environment),
  })
  const { memory, root, variables } = plan
  const input = readUserInput(request)
  const sessionId = request.sessionId ?? memory?.sessionId ?? request.chatId
  const human = request.humanInput
  const paused = human && (await findPausedRun(runtime.pausedRuns, flow.id, sessionId, human, plan.nodes))
  if (!paused) requireQuestion(input)
  const past = hasMemory()
    ? await conversationHistory(runtime, flow.id, sessionId, request, memory?.last)
    : [...request.history]
  const info = flowInfo(flow, request, sessionId)
  const scope = flowScope({
    question: input.question,
    form: {},
    fileText: input.fileText,
    past,
    now: runtime.now(),
    variables,
    flow: info,
  })
  const part = buildAnswerer(plan, catalog, scope)
  return {
    streams: plan.streams,
    sessionId,
    answerer: { nodeId: root.id, nodeLabel: root.label },
    ...(memory ? { memoryType: memory.label } : {}),
    warnings: [...plan.warnings, ...unusedPictures()],
    async run(emit, signal) {
      const resumed = paused && { human, loop: await takePausedRun<LoopState>(runtime.pausedRuns, paused) }
      const context: AnswerContext = {
        input,
        past,
        scope,
        callContext: { flow: { ...info, input: input.question }, variables },
        node: root,
        ...(resumed ? { resumed } : {}),
        savePausedRun,
        retrieve: (store, query, searchSignal, narrowing = {}) =>
          nodeServices.retrieve(store, query, narrowing, searchSignal),
      }
      const outcome = await runAnswerer(part, context, emit, signal).catch((error: unknown) => {
        throw withNodeId(error, root.id)
      })
      return memory ? { ...outcome, memoryType: memory.label } : outcome
    },
  }

  /** A retrieval chain uses the stored conversation even without a memory node. */
  function hasMemory(): boolean {
    return memory !== undefined || Object.hasOwn(catalog.get(root.name)!.anchors, 'vectorStoreRetriever')
  }

  async function savePausedRun(loop: LoopState): Promise<void> {
    refuseInNestedFlow(request.callingFlows)
    const run = { id: randomId(), flowId: flow.id, sessionId, nodeId: root.id }
    const state = loop as unknown as JsonObject
    await runtime.pausedRuns.save({ ...run, createdAt: runtime.now().getTime(), state })
  }

  function unusedPictures(): Warning[] {
    if (input.images.length === 0 || part.model.images) return []
    return [{ key: 'uploads', reason: 'the model of this flow is not set up to take pictures' }]
  }
}

function runAnswerer(
  part: AnswererPart,
  context: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  switch (part.type) {
    case 'toolAgent':
      return answerWithTools(part, context, emit, signal)
    case 'retrievalChain':
      return answerFromDocuments(part, context, emit, signal)
    case 'conversationChain':
      return answerInConversation(part, context, emit, signal)
  }
}
