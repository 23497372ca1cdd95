import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import type { Tool } from '../contract/tool.ts'
import { expand } from '../flow/variables.ts'
import type { AnswerContext } from './answer-context.ts'
import { approvalRequest } from './approval.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import { applyDecision, DEFAULT_LOOP_LIMITS, initialLoopState, type LoopState, runLoop } from './loop.ts'
import { usageSince } from './model-turn.ts'
import type { Emit } from './prediction.ts'
import { toolsByName } from './tool-calls.ts'

type Part = Extract<AnswererPart, { type: 'toolAgent' }>

/** Lets a model call tools until it can answer. The events about tools and documents come after the last token. */
export async function answerWithTools(
  part: Part,
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
  { model, systemMessage: instructions }: Part,
  { input, past, scope, resumed }: AnswerContext,
): LoopState {
  if (resumed) return applyDecision(resumed.loop, resumed.human.type === 'proceed', resumed.human.feedback)
  return initialLoopState([
    ...systemMessage(expand(instructions, scope)),
    ...pastMessages(past),
    userMessage(input, model),
  ])
}
