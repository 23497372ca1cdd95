import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import { expand } from '../flow/variables.ts'
import type { Given } from './answer.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import { LIMITS, loopState, runLoop } from './loop.ts'
import type { Emit } from './predict.ts'
import { nameTools } from './tool-calls.ts'

type Part = Extract<AnswererPart, { type: 'toolAgent' }>

/** Lets a model call tools until it can answer. Its tools and what they found are told after the last token. */
export async function answerWithTools(
  { model, tools, systemMessage: instructions, maxIterations }: Part,
  { asked, past, scope, place }: Given,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const sets = await Promise.all(tools.map((set) => set.tools(signal)))
  const agent = { model, tools: nameTools(sets.flat()), place, limits: { ...LIMITS, steps: maxIterations } }
  const start = loopState([
    ...systemMessage(expand(instructions, scope)),
    ...pastMessages(past),
    userMessage(asked, model),
  ])
  const { text, state } = await runLoop(agent, start, emit, signal)
  const { documents, usedTools, usage } = state
  if (documents.length > 0) await emit({ event: 'sourceDocuments', data: documents })
  if (usedTools.length > 0) await emit({ event: 'usedTools', data: usedTools })
  return {
    text,
    ...(documents.length > 0 ? { sourceDocuments: documents } : {}),
    ...(usedTools.length > 0 ? { usedTools } : {}),
    usage,
  }
}
