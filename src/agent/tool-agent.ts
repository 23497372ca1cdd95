import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import type { Tool } from '../contract/tool.ts'
import { expand } from '../flow/variables.ts'
import { approvalRequest } from './approval.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import type { AnswerContext } from './answer-context.ts'
import { applyDecision, DEFAULT_LOOP_LIMITS, type LoopState, initialLoopState, runLoop } from './loop.ts'
import type { Emit } from './prediction.ts'
import { toolsByName } from './tool-calls.ts'
import { usageSince } from './model-turn.ts'

type Part = Extract<AnswererPart, { type: 'toolAgent' }>

/** Lets a model call tools until it can answer. Its tools and what they found are told after the last token. */
export async function answerWithTools(
  part: Part,
  given: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, tools, maxIterations, asksBeforeChanges } = part
  const { callContext, node, savePausedRun, resumed } = given
  const sets = await Promise.all(tools.map((set) => set.tools(signal)))
  const agent = {
    model,
    tools: toolsByName(sets.flat()),
    callContext,
    limits: { ...DEFAULT_LOOP_LIMITS, steps: maxIterations },
    needsApproval: ({ unsafe }: Tool) => asksBeforeChanges && unsafe === true,
  }
  const { text, state, waiting } = await runLoop(agent, startOf(part, given), emit, signal)
  const asked = waiting && approvalRequest(waiting, node)
  if (asked) {
    await savePausedRun(state)
    await emit({ event: 'token', data: asked.text })
  }
  const { documents, usedTools, usage } = state
  if (documents.length > 0) await emit({ event: 'sourceDocuments', data: documents })
  if (usedTools.length > 0) await emit({ event: 'usedTools', data: usedTools })
  if (asked) await emit({ event: 'action', data: asked.action })
  return {
    text,
    ...(documents.length > 0 ? { sourceDocuments: documents } : {}),
    ...(usedTools.length > 0 ? { usedTools } : {}),
    usage: resumed ? usageSince(resumed.loop.usage, usage) : usage,
    ...asked,
  }
}

/** From the beginning, or from where a person was asked. */
function startOf(
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
