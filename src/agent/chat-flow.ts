import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart, NodeServices } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Tool, ToolCallContext } from '../contract/tool.ts'
import type { FlowSource, Warning } from '../flow/apply-request.ts'
import type { FlowNode } from '../flow/graph.ts'
import { buildAnswerer, buildValue, planPrediction } from '../flow/plan-prediction.ts'
import { valueNodes } from '../flow/value-nodes.ts'
import { expand, flowScope, historyText, type VariableScope, variableValues } from '../flow/variables.ts'
import { SluiceError } from '../kit/errors.ts'
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
import { createValueRun, type ValueRun } from './value-run.ts'

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
  // Those of the request, and those that take no part.
  const allNodes = new Map([...plan.graph.nodes, ...plan.nodes])
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
  const parts = plan.ends.map((end) => buildAnswerer(plan, catalog, scope, end))
  for (const { id } of valueNodes(plan.graph, catalog)) if (plan.nodes.has(id)) buildValue(plan, id)
  return {
    streams: plan.streams,
    sessionId,
    answerer: { nodeId: root.id, nodeLabel: root.label },
    ...(memory ? { memoryType: memory.label } : {}),
    warnings: [...plan.warnings, ...unusedPictures()],
    async run(emit, signal) {
      const resumed = paused && { human, loop: await takePausedRun<LoopState>(runtime.pausedRuns, paused) }
      const callContext: ToolCallContext = {
        flow: { ...info, input: input.question },
        variables,
        answerWith: (chain, question, chainSignal) =>
          answerOfChain(chain as AnswererPart, question, chainSignal),
      }
      const context: AnswerContext = {
        ...{ input, past, scope, callContext, savePausedRun },
        node: root,
        ...(resumed ? { resumed } : {}),
        retrieve: nodeServices.retrieve,
      }
      const values = createValueRun({
        ...{ graph: { ...plan.graph, nodes: allNodes }, catalog, scope, callContext, signal },
        egress: nodeServices.egress,
        partOf: (id) => buildValue(plan, id),
        answerOf: async (id, inner) => {
          const chain = buildAnswerer(plan, catalog, inner, plan.nodes.get(id)!)
          const { text, json } = await runAnswerer(
            chain,
            quiet({ ...context, scope: inner }),
            () => {},
            signal,
          )
          return json ?? text
        },
      })
      const { part, node, filled } = await chosenAnswerer(values)
      const answered = { ...context, scope: filled, node, values }
      const outcome = await runAnswerer(part, answered, emit, signal).catch((error: unknown) => {
        throw withNodeId(error, node.id)
      })
      return memory ? { ...outcome, memoryType: memory.label } : outcome
    },
  }

  /** The node that answers: of several the one whose branches are taken, built with the values that its texts name. */
  async function chosenAnswerer(values: ValueRun) {
    if (valueNodes(plan.graph, catalog).every(({ id }) => !plan.nodes.has(id)))
      return { part: parts[0]!, node: root, filled: scope }
    for (const node of plan.ends) {
      if (!(await values.isTaken(node.id))) continue
      const filled = await values.scopeFor(node.id)
      return { part: buildAnswerer(plan, catalog, filled, node), node, filled }
    }
    const reason = 'no node answers behind the branch that was taken'
    throw new SluiceError('flow_cannot_answer', { reason })
  }

  /** The answer of a chain that a tool asks. It knows nothing of the conversation, and nothing of it goes to the client. */
  async function answerOfChain(chain: AnswererPart, question: string, signal: AbortSignal) {
    const context: AnswerContext = {
      input: { text: question, images: [], question },
      past: [],
      scope: flowScope({
        ...{ question, form: {}, fileText: '', past: [], now: runtime.now(), variables, flow: info },
      }),
      callContext: { flow: { ...info, input: question }, variables },
      node: root,
      savePausedRun,
      retrieve: nodeServices.retrieve,
    }
    const { text, json, sourceDocuments = [] } = await runAnswerer(chain, quiet(context), () => {}, signal)
    return { output: json === undefined ? text : JSON.stringify(json), documents: sourceDocuments }
  }

  /** For a node within an answer, which cannot wait for a person. */
  function quiet(context: AnswerContext): AnswerContext {
    const { resumed: _, ...rest } = context
    return {
      ...rest,
      async savePausedRun() {
        const reason = 'a chain within it would have to wait for a person'
        throw new SluiceError('flow_cannot_answer', { reason })
      },
    }
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
    if (input.images.length === 0 || parts.some((one) => 'model' in one && one.model.images)) return []
    return [{ key: 'uploads', reason: 'the model of this flow is not set up to take pictures' }]
  }
}

/** The context in which the answering node of a chat flow answers one request. */
type AnswerContext = {
  input: UserInput & { question: string }
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
  /** The values that nodes make for this answer; absent for a chain within it. */
  values?: ValueRun
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
    case 'code':
      return answerByCode(context, emit)
  }
}

/** A function that answers by itself. */
async function answerByCode({ values, node }: AnswerContext, emit: Emit): Promise<AgentOutcome> {
  const made = await values?.value(node.id)
  const text = typeof made === 'string' ? made : made == null ? '' : JSON.stringify(made)
  if (text !== '') await emit({ event: 'token', data: text })
  return { text, usage: { inputTokens: 0, outputTokens: 0 } }
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
