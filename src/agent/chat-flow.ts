import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import type { Tool } from '../contract/tool.ts'
import type { FlowSource, Warning } from '../flow/apply-request.ts'
import { unknownNode } from '../flow/check/instead.ts'
import { namesHistory } from '../flow/named-nodes.ts'
import { filledBuilder, planPrediction } from '../flow/plan-prediction.ts'
import { expand, flowScope, variableValues } from '../flow/variables.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import type { AnswerContext, AnswererOf } from './answer-context.ts'
import { approvalRequest, findPausedRun, refuseInNestedFlow, takePausedRun } from './approval.ts'
import { answerInConversation } from './chains/conversation-chain.ts'
import { withOutputs } from './chains/filled-prompt.ts'
import { foundText } from './chains/found-text.ts'
import { loadedText } from './chains/loaded-text.ts'
import { answerWithChosenPrompt } from './chains/multi-prompt-chain.ts'
import { buildNamedParts, namedOutputs, type NamedPart, type NamedOutput } from './chains/named-outputs.ts'
import { answerPrompt } from './chains/prompt-chain.ts'
import { answerFromDocuments } from './chains/retrieval-chain.ts'
import {
  conversationHistory,
  flowInfo,
  pastMessages,
  readUserInput,
  requireQuestion,
  systemMessage,
  userMessage,
} from './conversation.ts'
import { applyDecision, DEFAULT_LOOP_LIMITS, initialLoopState, type LoopState, runLoop } from './loop.ts'
import { addUsage, usageSince } from './model-turn.ts'
import { withNodeId } from './node-of-failure.ts'
import type { Emit, PredictionRequest, PreparedRun } from './prediction.ts'
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
  const build = filledBuilder(plan, catalog, scope)
  const part = build('answerer', root.id)
  const named = buildNamedParts(part, buildNamed)
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
      const outcome = await moderated(part, context, emit, signal, async () => {
        const { outputs, usage } = await namedOutputs(named, (id, one, inner) =>
          outputOf(one, { ...context, node: plan.nodes.get(id)!, scope: withOutputs(scope, inner) }, signal),
        )
        const whole = { ...context, scope: withOutputs(scope, outputs) }
        const answered = await runAnswerer(part, whole, emit, signal)
        return { ...answered, usage: addUsage(usage, answered.usage) }
      }).catch((error: unknown) => {
        throw withNodeId(error, root.id)
      })
      return memory ? { ...outcome, memoryType: memory.label } : outcome
    },
  }

  /** A retrieval chain that can have a memory uses the stored conversation even without one, and so does a prompt that names it. */
  function hasMemory(): boolean {
    const { anchors } = catalog.get(root.name)!
    return (
      memory !== undefined ||
      (Object.hasOwn(anchors, 'vectorStoreRetriever') && Object.hasOwn(anchors, 'memory')) ||
      [...plan.nodes.values()].some((node) => namesHistory(node, catalog))
    )
  }

  /** A node whose output stands in a prompt. */
  function buildNamed(id: string): NamedPart {
    const node = plan.nodes.get(id)
    if (node && !catalog.has(node.name)) throw unknownNode(node.name, node.category)
    const kind = node && catalog.get(node.name)?.kind
    if (kind === 'answerer') return { kind, label: node!.label, part: build(kind, id) }
    if (kind === 'loader') return { kind, label: node!.label, part: build(kind, id) }
    if (kind === 'passages') return { kind, label: node!.label, part: build(kind, id) }
    const reason = node
      ? `${node.label} has no text that could stand in a prompt`
      : `it refers to the node ${id}, which does not exist`
    throw new SluiceError('flow_invalid', { reason, nodeId: id })
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

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 }

/** Runs a node whose output stands in a prompt. Nothing of it goes to the client but its part of the record. */
async function outputOf(named: NamedPart, context: AnswerContext, signal: AbortSignal): Promise<NamedOutput> {
  try {
    if (named.kind === 'loader') return { value: await loadedText(named.part, signal), usage: NO_TOKENS }
    if (named.kind === 'passages')
      return { value: await foundText(named.part, context, signal), usage: NO_TOKENS }
    const quiet: AnswerContext = {
      ...context,
      purpose: `for ${nameOf(named)}`,
      savePausedRun() {
        const reason = `${named.label} would have to wait for a person, and its answer stands in a prompt`
        throw new SluiceError('flow_cannot_answer', { reason })
      },
    }
    const silent = () => {}
    const { text, json, usage } = await moderated(named.part, quiet, silent, signal, () =>
      runAnswerer(named.part, quiet, silent, signal),
    )
    return { value: json ?? text, usage }
  } catch (error) {
    throw withNodeId(error, context.node.id)
  }
}

const nameOf = ({ label, part }: Extract<NamedPart, { kind: 'answerer' }>): string =>
  part.type === 'promptChain' ? (part.name ?? label) : label

/** Answers, unless a moderation of the node refuses the question: then its text is the answer, and no model of the node is asked. */
async function moderated(
  part: AnswererPart,
  context: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
  answer: () => Promise<AgentOutcome>,
): Promise<AgentOutcome> {
  // The question of a paused run was looked at before.
  for (const moderation of context.resumed ? [] : part.moderations) {
    const text = await moderation.refusal(context.input.text, signal)
    if (text === undefined) continue
    await emit({ event: 'token', data: text })
    return { text, usage: NO_TOKENS }
  }
  return answer()
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
    case 'promptChain':
      return answerPrompt(part, { ...context, label: part.name ?? context.node.label }, emit, signal)
    case 'multiPromptChain':
      return answerWithChosenPrompt(part, context, emit, signal)
  }
}

/** Lets a model call tools until it can answer. The events about tools and documents come after the last token. */
async function answerWithTools(
  part: AnswererOf<'toolAgent'>,
  context: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, tools, maxIterations, asksBeforeChanges, hidesSources } = part
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
  const { usedTools, usage } = state
  const documents = hidesSources ? [] : state.documents
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
  { model, systemMessage: instructions }: AnswererOf<'toolAgent'>,
  { input, past, scope, resumed }: AnswerContext,
): LoopState {
  if (resumed) return applyDecision(resumed.loop, resumed.human.type === 'proceed', resumed.human.feedback)
  return initialLoopState([
    ...systemMessage(expand(instructions, scope)),
    ...pastMessages(past),
    userMessage(input, model),
  ])
}
