import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import type { Tool } from '../contract/tool.ts'
import { expand } from '../flow/variables.ts'
import { askAbout } from './approval.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import type { Given } from './given.ts'
import { decide, LIMITS, type LoopState, loopState, runLoop } from './loop.ts'
import type { Emit } from './predict.ts'
import { nameTools } from './tool-calls.ts'
import { usageSince } from './turn.ts'

type Part = Extract<AnswererPart, { type: 'toolAgent' }>

/** Lets a model call tools until it can answer. Its tools and what they found are told after the last token. */
export async function answerWithTools(
  part: Part,
  given: Given,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, tools, maxIterations, asksBeforeChanges } = part
  const { place, node, keep, resumed } = given
  const sets = await Promise.all(tools.map((set) => set.tools(signal)))
  const agent = {
    model,
    tools: nameTools(sets.flat()),
    place,
    limits: { ...LIMITS, steps: maxIterations },
    asksBefore: ({ unsafe }: Tool) => asksBeforeChanges && unsafe === true,
  }
  const { text, state, waiting } = await runLoop(agent, startOf(part, given), emit, signal)
  const asked = waiting && askAbout(waiting, node)
  if (asked) {
    await keep(state)
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
  { asked, past, scope, resumed }: Given,
): LoopState {
  if (resumed) return decide(resumed.loop, resumed.human.type === 'proceed', resumed.human.feedback)
  return loopState([
    ...systemMessage(expand(instructions, scope)),
    ...pastMessages(past),
    userMessage(asked, model),
  ])
}
