import type { PastMessage } from '../../../contract/chat-history.ts'
import type { ChatMessage, ChatModel } from '../../../contract/chat-model.ts'
import type { ModelStep, StepMemory } from '../../../contract/step.ts'
import type { Tool } from '../../../contract/tool.ts'
import type { JsonObject } from '../../../kit/json.ts'
import { askAbout } from '../../approval.ts'
import { pastMessages, userMessage } from '../../conversation.ts'
import { decide, LIMITS, type LoopEnd, type LoopState, loopState, runLoop } from '../../loop.ts'
import type { Emit } from '../../predict.ts'
import { nameTools } from '../../tool-calls.ts'
import { usageSince } from '../../turn.ts'
import { answerSchema, readAnswer } from '../answer-schema.ts'
import { knowledgeTool } from '../knowledge.ts'
import type { StepContext, StepResult } from '../step-context.ts'

/** Asks a model, with tools where it has some, until it has answered or a person is needed. */
export async function runModel(step: ModelStep, context: StepContext): Promise<StepResult> {
  const { parts, node, place, resumed, signal } = context
  const started = Date.now()
  const model = parts.make('chatModel', step.model)
  const { tools, asking } = await toolsOf(step, context)
  const agent = {
    model,
    tools,
    place,
    limits: LIMITS,
    asksBefore: ({ name, unsafe }: Tool) => asking.has(name) || (step.asksBeforeChanges && unsafe === true),
    ...(step.answer.length > 0
      ? { answerSchema: { name: 'answer', schema: answerSchema(step.answer) } }
      : {}),
  }
  const begun = loopState(messagesOf(step, model, context))
  const start = resumed?.loop
    ? decide(resumed.loop, resumed.human.type === 'proceed', resumed.human.feedback)
    : begun
  const end = await runLoop(agent, start, emitter(context), signal)
  const shared = { input: { messages: shownMessages(begun.messages) }, ...spent(end, resumed?.loop) }
  if (end.waiting)
    return { ...shared, output: {}, waiting: { ...askAbout(end.waiting, node), loop: end.state } }
  const output = { content: end.text, ...told(end.state), timeMetadata: time(started) }
  return {
    ...shared,
    output: step.answer.length > 0 ? { ...output, ...readAnswer(end.text) } : output,
    said: [{ role: step.returnAs === 'userMessage' ? 'userMessage' : 'apiMessage', content: end.text }],
    updateState: step.updateState,
  }
}

async function toolsOf({ tools, knowledge }: ModelStep, context: StepContext) {
  const chosen = await Promise.all(
    tools.map(async ({ tool, asks }) => {
      const made = await context.parts.make('tools', tool).tools(context.signal)
      return made.map((one) => ({ tool: one, asks }))
    }),
  )
  const known = await Promise.all(knowledge.map((one) => knowledgeTool(one, context)))
  const all = [...chosen.flat(), ...known.map((tool) => ({ tool, asks: false }))]
  const named = nameTools(all.map(({ tool }) => tool))
  // Naming keeps the order.
  const asking = new Set([...named.keys()].filter((_, index) => all[index]!.asks))
  return { tools: named, asking }
}

/** What the node says, what was said in the session and in this run, and what the node asks last. */
function messagesOf(step: ModelStep, model: ChatModel, { run }: StepContext): ChatMessage[] {
  const { messages, memory, userMessage: last } = step
  const asks = last.trim() !== '' || messages.some(({ role }) => role === 'user')
  const question = userMessage(run.asked, model)
  const told = memory
    ? [...pastMessages(remembered(run.past, memory)), question, ...pastMessages(run.said.slice(1))]
    : // Without memory a node knows the question only in its own words, where it has some.
      asks
      ? []
      : [question]
  return [...messages, ...told, ...(last.trim() === '' ? [] : [{ role: 'user', content: last } as const])]
}

/**
 * What a model is reminded of. A summary is not written by a model here: the newest messages that fit stand in for it,
 * at about four characters a token.
 */
function remembered(
  past: readonly PastMessage[],
  { type, windowSize, maxTokens }: StepMemory,
): PastMessage[] {
  if (type === 'allMessages') return [...past]
  if (type === 'windowSize') return past.slice(-2 * windowSize)
  let [from, room] = [past.length, maxTokens * 4]
  while (from > 0 && past[from - 1]!.content.length <= room) room -= past[--from]!.content.length
  return past.slice(from)
}

/** Only the last node's words are the answer; what goes on besides is told from every node. */
const emitter =
  ({ last, emit }: StepContext): Emit =>
  (event) => {
    if (last || (event.event !== 'token' && event.event !== 'thinking')) return emit(event)
  }

/** What this stretch of the loop has come to. */
function spent({ state }: LoopEnd, before: LoopState | undefined) {
  const { usage, usedTools, documents } = state
  return {
    usage: before ? usageSince(before.usage, usage) : usage,
    usedTools: usedTools.slice(before?.usedTools.length ?? 0),
    documents: documents.slice(before?.documents.length ?? 0),
  }
}

/** What clients read of a model node, by the names of Flowise. */
function told({ usage, usedTools, documents }: LoopState): JsonObject {
  const { inputTokens, outputTokens } = usage
  return {
    usageMetadata: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    ...(usedTools.length > 0 ? { usedTools } : {}),
    ...(documents.length > 0 ? { sourceDocuments: documents } : {}),
  }
}

const time = (start: number) => ({ start, end: Date.now(), delta: Date.now() - start })

/** How much of a message is shown. */
const SHOWN = 2000

/** What clients see of the messages: not the instructions, which may hold variables, and pictures by their name only. */
const shownMessages = (messages: readonly ChatMessage[]) =>
  messages.flatMap(({ role, content }) => {
    if (role === 'system') return []
    const text =
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '(picture)')).join('\n')
    return [{ role, content: text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text }]
  })
