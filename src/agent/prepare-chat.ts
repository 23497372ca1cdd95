import type { FlowSource } from '../flow/apply-request.ts'
import type { Warning } from '../flow/overrides.ts'
import { buildAnswerer, planPrediction } from '../flow/plan-prediction.ts'
import { flowScope, variableValues } from '../flow/scope.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import { answer } from './answer.ts'
import { findPaused, refuseWithin, takePaused } from './approval.ts'
import { readAsked, requireQuestion } from './asked.ts'
import { flowFacts } from './flow-facts.ts'
import type { Given } from './given.ts'
import { type AgentHouse, recall } from './house.ts'
import type { LoopState } from './loop.ts'
import type { Ask, PreparedRun } from './predict.ts'

/** Makes a chat flow ready: its last node and all that hangs on it, with texts filled in for this one answer. */
export async function prepareChat(house: AgentHouse, flow: FlowSource, ask: Ask): Promise<PreparedRun> {
  const { catalog, nodeServices } = house
  const plan = planPrediction(house, flow, {
    overrides: ask.overrides,
    variables: await variableValues(house.variables, house.environment),
  })
  const { memory, root, variables } = plan
  const asked = readAsked(ask)
  const sessionId = ask.sessionId ?? memory?.sessionId ?? ask.chatId
  const human = ask.humanInput
  const paused = human && (await findPaused(house.executions, flow.id, sessionId, human, plan.nodes))
  if (!paused) requireQuestion(asked)
  const past = remembers() ? await recall(house, flow.id, sessionId, ask, memory?.last) : [...ask.history]
  const facts = flowFacts(flow, ask, sessionId)
  const scope = flowScope({
    question: asked.question,
    form: {},
    fileText: asked.fileText,
    past,
    now: house.now(),
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
      const resumed = paused && { human, loop: await takePaused<LoopState>(house.executions, paused) }
      const given: Given = {
        asked,
        past,
        scope,
        place: { flow: { ...facts, input: asked.question }, variables },
        node: root,
        ...(resumed ? { resumed } : {}),
        keep,
        retrieve: (store, query, until) => nodeServices.retrieve(store, query, {}, until),
      }
      const outcome = await answer(part, given, emit, signal)
      return memory ? { ...outcome, memoryType: memory.label } : outcome
    },
  }

  /** A chain over documents remembers the conversation even where no memory is drawn. */
  function remembers(): boolean {
    return memory !== undefined || Object.hasOwn(catalog.get(root.name)!.anchors, 'vectorStoreRetriever')
  }

  async function keep(loop: LoopState): Promise<void> {
    refuseWithin(ask.within)
    const run = { id: randomId(), flowId: flow.id, sessionId, nodeId: root.id }
    const state = loop as unknown as JsonObject
    await house.executions.keep({ ...run, createdAt: house.now().getTime(), state })
  }

  function unseen(): Warning[] {
    if (asked.images.length === 0 || part.model.images) return []
    return [{ key: 'uploads', reason: 'the model of this flow is not set up to take pictures' }]
  }
}
