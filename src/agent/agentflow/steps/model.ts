import type { ModelStep } from '../../../contract/step.ts'
import type { Tool } from '../../../contract/tool.ts'
import { askAbout } from '../../approval.ts'
import { decide, LIMITS, type LoopEnd, type LoopState, loopState, runLoop } from '../../loop.ts'
import type { Emit } from '../../predict.ts'
import { nameTools } from '../../tool-calls.ts'
import { usageSince } from '../../turn.ts'
import { answerSchema, readAnswer } from '../answer-schema.ts'
import { knowledgeTool } from '../knowledge.ts'
import type { StepContext, StepResult } from '../step-context.ts'
import { messagesOf } from './model-messages.ts'
import { shownMessages, told } from './model-shown.ts'

/** Asks a model, with tools where it has some, until it has answered or a person is needed. */
export async function runModel(step: ModelStep, context: StepContext): Promise<StepResult> {
  const { parts, node, place, resumed, signal } = context
  const started = { at: Date.now(), clock: performance.now() }
  const model = parts.make('chatModel', step.model)
  const { tools, asking } = await toolsOf(step, context)
  const agent = {
    model,
    tools,
    place,
    limits: { ...LIMITS, steps: step.maxIterations },
    asksBefore: ({ name, unsafe }: Tool) => asking.has(name) || (step.asksBeforeChanges && unsafe === true),
    ...(step.answer.length > 0
      ? { answerSchema: { name: 'answer', schema: answerSchema(step.answer) } }
      : {}),
  }
  const begun = loopState(messagesOf(step, model, context.run))
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
    output: step.answer.length > 0 && !end.stopped ? { ...output, ...readAnswer(end.text) } : output,
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

/** When it began and ended, in milliseconds since 1970; how long it took whatever the clock was set to. */
function time({ at, clock }: { at: number; clock: number }) {
  const delta = Math.round(performance.now() - clock)
  return { start: at, end: at + delta, delta }
}
