import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart, NodeServices } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Tool, ToolCallContext } from '../contract/tool.ts'
import type { FlowSource, Warning } from '../flow/apply-request.ts'
import type { FlowNode } from '../flow/graph.ts'
import { buildAnswerer, planPrediction } from '../flow/plan-prediction.ts'
import { expand, flowScope, historyText, type VariableScope, variableValues } from '../flow/variables.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import { passagesText } from '../tools/passages.ts'
import { approvalRequest, findPausedRun, refuseInNestedFlow, takePausedRun } from './approval.ts'
import {
  conversationHistory,
  flowInfo,
  pastMessages,
  questionsOf,
  readUserInput,
  requireQuestion,
  systemMessage,
  type UserInput,
  userMessage,
} from './conversation.ts'
import { applyDecision, DEFAULT_LOOP_LIMITS, initialLoopState, type LoopState, runLoop } from './loop.ts'
import { addUsage, type ModelTurn, runModelTurn, usageSince } from './model-turn.ts'
import { withNodeId } from './node-of-failure.ts'
import type { Emit, HumanInput, PredictionRequest, PreparedRun } from './prediction.ts'
import type { AgentRuntime } from './runtime.ts'
import { toolsByName } from './tool-calls.ts'

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
        retrieve: nodeServices.retrieve,
      }
      const outcome = await moderated(part, context, emit, signal).catch((error: unknown) => {
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

/** The context in which the answering node of a chat flow answers one request. */
type AnswerContext = {
  input: UserInput
  /** The messages before this question, oldest first. */
  past: readonly PastMessage[]
  /** The variables for the texts of the answering node. */
  scope: VariableScope
  callContext: ToolCallContext
  /** The answering node. */
  node: FlowNode
  /** Stores the run until a person has decided. */
  savePausedRun(loop: LoopState): Promise<void>
  /** Present when this request is a person's decision on a paused run. */
  resumed?: { human: HumanInput; loop: LoopState }
  /** Queries a store of the flow. */
  retrieve: NodeServices['retrieve']
}

/** Answers, unless a moderation of the node refuses the question: then its text is the answer, and no model of the node is asked. */
async function moderated(
  part: AnswererPart,
  context: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  // The question of a paused run was looked at before.
  for (const moderation of context.resumed ? [] : part.moderations) {
    const text = await moderation.refusal(context.input.text, signal)
    if (text === undefined) continue
    await emit({ event: 'token', data: text })
    return { text, usage: { inputTokens: 0, outputTokens: 0 } }
  }
  return runAnswerer(part, context, emit, signal)
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

type Part<Type extends AnswererPart['type']> = Extract<AnswererPart, { type: Type }>

/** Lets a model call tools until it can answer. The events about tools and documents come after the last token. */
async function answerWithTools(
  part: Part<'toolAgent'>,
  context: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, tools, maxIterations, asksBeforeChanges } = part
  const { callContext, node, savePausedRun, resumed } = context
  const toolsets = await Promise.all(tools.map((toolset) => toolset.tools(signal)))
  const agent = {
    model,
    tools: toolsByName(toolsets.flat()),
    callContext,
    limits: { ...DEFAULT_LOOP_LIMITS, steps: maxIterations },
    needsApproval: ({ unsafe }: Tool) => asksBeforeChanges && unsafe === true,
  }
  const { text, state, waiting } = await runLoop(agent, startState(part, context), emit, signal)
  const approval = waiting && approvalRequest(waiting, node, agent.tools)
  if (approval) {
    await savePausedRun(state)
    await emit({ event: 'token', data: approval.text })
  }
  const { documents, usedTools, usage } = state
  if (documents.length > 0) await emit({ event: 'sourceDocuments', data: documents })
  if (usedTools.length > 0) await emit({ event: 'usedTools', data: usedTools })
  if (approval) await emit({ event: 'action', data: approval.action })
  return {
    text,
    ...(documents.length > 0 ? { sourceDocuments: documents } : {}),
    ...(usedTools.length > 0 ? { usedTools } : {}),
    usage: resumed ? usageSince(resumed.loop.usage, usage) : usage,
    ...approval,
  }
}

/** A new conversation, or a paused one with the person's decision. */
function startState(
  { model, systemMessage: instructions }: Part<'toolAgent'>,
  { input, past, scope, resumed }: AnswerContext,
): LoopState {
  if (resumed) return applyDecision(resumed.loop, resumed.human.type === 'proceed', resumed.human.feedback)
  return initialLoopState([
    ...systemMessage(expand(instructions, scope)),
    ...pastMessages(past),
    userMessage(input, model),
  ])
}

/** Retrieves documents for the question and lets a model answer from them. */
async function answerFromDocuments(
  part: Part<'retrievalChain'>,
  { input, past, scope, retrieve }: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, retriever, returnSourceDocuments, responsePrompt, rewritesQuestion } = part
  // Without earlier messages the question needs no rephrasing.
  const rephrased = past.length > 0 && rewritesQuestion ? await rephrase(part, input.text) : undefined
  const query = rephrased?.text.trim() || input.text
  const narrowing = rephrased ? {} : { history: questionsOf(past) }
  const documents = await retrieve(retriever, query, narrowing, signal)
  const messages = [
    ...systemMessage(fillPrompt(responsePrompt, { context: passagesText(documents) })),
    ...pastMessages(past),
    userMessage(input, model),
  ]
  const { text, usage } = await runModelTurn(model, { messages }, emit, signal)
  if (returnSourceDocuments) await emit({ event: 'sourceDocuments', data: documents })
  return {
    text,
    ...(returnSourceDocuments ? { sourceDocuments: documents } : {}),
    usage: rephrased ? addUsage(rephrased.usage, usage) : usage,
  }

  /** Asks the model for a question that can be understood without the conversation. No event goes to the client. */
  function rephrase({ rephrasePrompt }: typeof part, question: string): Promise<ModelTurn> {
    const content = fillPrompt(rephrasePrompt, { chat_history: historyText(past), question })
    const messages = [{ role: 'user', content }] as const
    return runModelTurn(model, { messages }, () => {}, signal, 'rephrase the question')
  }

  /** @param placeholders values of names between single braces, such as `{context}` */
  function fillPrompt(prompt: string, placeholders: Record<string, string>): string {
    const both: VariableScope = (name) =>
      Object.hasOwn(placeholders, name) ? placeholders[name] : scope(name)
    return expand(prompt, both, new Set(Object.keys(placeholders)))
  }
}

/** Lets a model answer from the conversation. */
async function answerInConversation(
  { model, systemMessage: instructions }: Part<'conversationChain'>,
  { input, past, scope }: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const messages = [
    ...systemMessage(expand(instructions, scope)),
    ...pastMessages(past),
    userMessage(input, model),
  ]
  const { text, usage } = await runModelTurn(model, { messages }, emit, signal)
  return { text, usage }
}
