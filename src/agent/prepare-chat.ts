import { readOverrideGate } from '../flow/api-config.ts'
import type { FlowGraph } from '../flow/graph.ts'
import { overrideVariables } from '../flow/override-variables.ts'
import type { Warning } from '../flow/overrides.ts'
import type { FlowSource } from '../flow/plan.ts'
import { buildAnswerer, drawPrediction } from '../flow/plan-prediction.ts'
import { flowScope, variableValues } from '../flow/scope.ts'
import { answer } from './answer.ts'
import { readAsked, requireQuestion } from './asked.ts'
import type { Ask, PreparedRun } from './predict.ts'
import { type AgentHouse, recall } from './predictor.ts'

/** Makes a chat flow ready: its last node and all that hangs on it, with texts filled in for this one answer. */
export async function prepareChat(
  house: AgentHouse,
  flow: FlowSource,
  graph: FlowGraph,
  ask: Ask,
): Promise<PreparedRun> {
  const { catalog, lent } = house
  const gate = readOverrideGate(flow.apiConfig)
  const given = overrideVariables(ask.overrides, gate)
  const drawn = drawPrediction(flow, graph, catalog, lent, given.rest)
  const asked = readAsked(ask)
  requireQuestion(asked)
  const { memory } = drawn
  const sessionId = ask.sessionId ?? memory?.sessionId ?? ask.chatId
  const past = remembers()
    ? await recall(house, flow.id, sessionId, ask.history, memory?.last)
    : [...ask.history]
  const variables = { ...variableValues(await house.variables.list(), house.environment), ...given.values }
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
  const part = buildAnswerer(drawn, catalog, lent, scope)
  return {
    streams: drawn.streams,
    sessionId,
    ...(memory ? { memoryType: memory.label } : {}),
    warnings: [...given.warnings, ...drawn.warnings, ...unseen()],
    async run(emit, signal) {
      const place = { flow: { ...facts, input: asked.question }, variables }
      const retrieve = (store: Parameters<typeof lent.retrieve>[0], query: string, until: AbortSignal) =>
        lent.retrieve(store, query, {}, until)
      const outcome = await answer(part, { asked, past, scope, place, retrieve }, emit, signal)
      return memory ? { ...outcome, memoryType: memory.label } : outcome
    },
  }

  /** A chain over documents remembers the conversation even where no memory is drawn. */
  function remembers(): boolean {
    return (
      memory !== undefined || Object.hasOwn(catalog.get(drawn.root.name)!.anchors, 'vectorStoreRetriever')
    )
  }

  function unseen(): Warning[] {
    if (asked.images.length === 0 || part.model.images) return []
    return [{ key: 'uploads', reason: 'the model of this flow is not set up to take pictures' }]
  }
}

export type FlowFacts = ReturnType<typeof flowFacts>

/** `$flow` as Flowise fills it. */
export function flowFacts(flow: FlowSource, { chatId, messageId }: Ask, sessionId: string) {
  return {
    chatflowid: flow.id,
    chatflowId: flow.id,
    chatId,
    sessionId,
    ...(messageId === undefined ? {} : { apiMessageId: messageId }),
  }
}
