import type { FlowSource } from '../flow/apply-request.ts'
import type { Warning } from '../flow/overrides.ts'
import { buildAnswerer, planPrediction } from '../flow/plan-prediction.ts'
import { flowScope, variableValues } from '../flow/scope.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import { runAnswerer } from './answer.ts'
import { findPausedRun, refuseInNestedFlow, takePausedRun } from './approval.ts'
import { readUserInput, requireQuestion } from './user-input.ts'
import { flowInfo } from './flow-info.ts'
import type { AnswerContext } from './answer-context.ts'
import { type AgentRuntime, conversationHistory } from './runtime.ts'
import type { LoopState } from './loop.ts'
import type { PredictionRequest, PreparedRun } from './prediction.ts'

/** Makes a chat flow ready: its last node and all that hangs on it, with texts filled in for this one answer. */
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
  const past = remembers()
    ? await conversationHistory(runtime, flow.id, sessionId, request, memory?.last)
    : [...request.history]
  const facts = flowInfo(flow, request, sessionId)
  const scope = flowScope({
    question: input.question,
    form: {},
    fileText: input.fileText,
    past,
    now: runtime.now(),
    variables,
    flow: facts,
  })
  const part = buildAnswerer(plan, catalog, scope)
  return {
    streams: plan.streams,
    sessionId,
    ...(memory ? { memoryType: memory.label } : {}),
    warnings: [...plan.warnings, ...unseen()],
    async run(emit, signal) {
      const resumed = paused && { human, loop: await takePausedRun<LoopState>(runtime.pausedRuns, paused) }
      const given: AnswerContext = {
        input,
        past,
        scope,
        callContext: { flow: { ...facts, input: input.question }, variables },
        node: root,
        ...(resumed ? { resumed } : {}),
        savePausedRun,
        retrieve: (store, query, until) => nodeServices.retrieve(store, query, {}, until),
      }
      const outcome = await runAnswerer(part, given, emit, signal)
      return memory ? { ...outcome, memoryType: memory.label } : outcome
    },
  }

  /** A chain over documents remembers the conversation even where no memory is drawn. */
  function remembers(): boolean {
    return memory !== undefined || Object.hasOwn(catalog.get(root.name)!.anchors, 'vectorStoreRetriever')
  }

  async function savePausedRun(loop: LoopState): Promise<void> {
    refuseInNestedFlow(request.callingFlows)
    const run = { id: randomId(), flowId: flow.id, sessionId, nodeId: root.id }
    const state = loop as unknown as JsonObject
    await runtime.pausedRuns.save({ ...run, createdAt: runtime.now().getTime(), state })
  }

  function unseen(): Warning[] {
    if (input.images.length === 0 || part.model.images) return []
    return [{ key: 'uploads', reason: 'the model of this flow is not set up to take pictures' }]
  }
}
