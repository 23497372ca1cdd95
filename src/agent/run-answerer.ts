import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import type { Tool } from '../contract/tool.ts'
import { expand } from '../flow/variables.ts'
import type { AnswerContext, AnswererOf } from './answer-context.ts'
import { approvalRequest } from './approval.ts'
import { answerInConversation } from './chains/conversation-chain.ts'
import { answerWithChosenPrompt } from './chains/multi-prompt-chain.ts'
import { answerPrompt } from './chains/prompt-chain.ts'
import { answerFromDocuments } from './chains/retrieval-chain.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import { applyDecision, DEFAULT_LOOP_LIMITS, initialLoopState, type LoopState, runLoop } from './loop.ts'
import { NO_TOKENS, usageSince } from './model-turn.ts'
import type { Emit } from './prediction.ts'
import { toolsByName, toolsOfSets } from './tool-calls.ts'

/** Answers, unless a moderation of the node refuses the question: then its text is the answer, and no model of the node is asked. */
export async function moderated(
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

/** Answers one request with a node that answers. */
export function runAnswerer(
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
  const agent = {
    model,
    tools: toolsByName(await toolsOfSets(tools, signal)),
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
