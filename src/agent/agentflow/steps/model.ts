import type { ModelStep } from '../../../contract/step.ts'
import type { Tool } from '../../../contract/tool.ts'
import { approvalRequest } from '../../approval.ts'
import {
  applyDecision,
  DEFAULT_LOOP_LIMITS,
  type LoopResult,
  type LoopState,
  initialLoopState,
  runLoop,
} from '../../loop.ts'
import type { Emit } from '../../prediction.ts'
import { toolsByName } from '../../tool-calls.ts'
import { usageSince } from '../../model-turn.ts'
import { buildAnswerSchema, readJsonAnswer } from '../answer-schema.ts'
import { knowledgeTool } from '../knowledge.ts'
import type { StepContext, StepResult } from '../step-context.ts'
import { modelMessages } from './model-messages.ts'
import { visibleMessages, modelNodeOutput } from './model-output.ts'

/** Asks a model, with tools where it has some, until it has answered or a person is needed. */
export async function runModel(step: ModelStep, context: StepContext): Promise<StepResult> {
  const { parts, node, callContext, resumed, signal } = context
  const started = { at: Date.now(), clock: performance.now() }
  const model = parts.make('chatModel', step.model)
  const { tools, asking } = await toolsOf(step, context)
  const agent = {
    model,
    tools,
    callContext,
    limits: { ...DEFAULT_LOOP_LIMITS, steps: step.maxIterations },
    needsApproval: ({ name, unsafe }: Tool) =>
      asking.has(name) || (step.asksBeforeChanges && unsafe === true),
    ...(step.answer.length > 0
      ? { answerSchema: { name: 'answer', schema: buildAnswerSchema(step.answer) } }
      : {}),
  }
  const begun = initialLoopState(modelMessages(step, model, context.run))
  const start = resumed?.loop
    ? applyDecision(resumed.loop, resumed.human.type === 'proceed', resumed.human.feedback)
    : begun
  const end = await runLoop(agent, start, emitter(context), signal)
  const shared = { input: { messages: visibleMessages(begun.messages) }, ...spent(end, resumed?.loop) }
  if (end.waiting)
    return { ...shared, output: {}, waiting: { ...approvalRequest(end.waiting, node), loop: end.state } }
  const output = { content: end.text, ...modelNodeOutput(end.state), timeMetadata: time(started) }
  return {
    ...shared,
    output: step.answer.length > 0 && !end.stopped ? { ...output, ...readJsonAnswer(end.text) } : output,
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
  const named = toolsByName(all.map(({ tool }) => tool))
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
function spent({ state }: LoopResult, before: LoopState | undefined) {
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
