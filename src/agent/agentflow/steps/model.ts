import type { ModelMessage } from '../../../contract/chat-model.ts'
import type { ModelStep } from '../../../contract/step.ts'
import type { Tool } from '../../../contract/tool.ts'
import type { JsonObject } from '../../../kit/json.ts'
import { approvalRequest } from '../../approval.ts'
import {
  applyDecision,
  DEFAULT_LOOP_LIMITS,
  initialLoopState,
  type LoopResult,
  type LoopState,
  runLoop,
} from '../../loop.ts'
import { usageSince } from '../../model-turn.ts'
import type { Emit } from '../../prediction.ts'
import { toolsByName } from '../../tool-calls.ts'
import { buildAnswerSchema, readJsonAnswer } from '../answer-schema.ts'
import { knowledgeTool } from '../knowledge.ts'
import type { StepContext, StepResult } from '../step-context.ts'
import { modelMessages } from './model-messages.ts'

/** Runs a model, with tools if the node has some, until it has answered or a person has to decide. */
export async function runModel(step: ModelStep, context: StepContext): Promise<StepResult> {
  const { parts, node, callContext, resumed, signal } = context
  const started = { at: Date.now(), clock: performance.now() }
  const model = parts.make('chatModel', step.model)
  const { tools, toApprove } = await toolsOf(step, context)
  const agent = {
    model,
    tools,
    callContext,
    limits: { ...DEFAULT_LOOP_LIMITS, steps: step.maxIterations },
    needsApproval: ({ name, unsafe }: Tool) =>
      toApprove.has(name) || (step.asksBeforeChanges && unsafe === true),
    ...(step.answer.length > 0
      ? { answerSchema: { name: 'answer', schema: buildAnswerSchema(step.answer) } }
      : {}),
  }
  const initial = initialLoopState(modelMessages(step, model, context.run))
  const start = resumed?.loop
    ? applyDecision(resumed.loop, resumed.human.type === 'proceed', resumed.human.feedback)
    : initial
  const result = await runLoop(agent, start, emitter(context), signal)
  const shared = {
    input: { messages: visibleMessages(initial.messages) },
    ...resultsSince(resumed?.loop, result),
  }
  if (result.waiting)
    return {
      ...shared,
      output: {},
      waiting: { ...approvalRequest(result.waiting, node, tools), loop: result.state },
    }
  const output = { content: result.text, ...outputMetadata(result.state), timeMetadata: time(started) }
  return {
    ...shared,
    output:
      step.answer.length > 0 && !result.stopped ? { ...output, ...readJsonAnswer(result.text) } : output,
    messages: [
      { role: step.returnAs === 'userMessage' ? 'userMessage' : 'apiMessage', content: result.text },
    ],
    updateState: step.updateState,
  }
}

async function toolsOf({ tools, knowledge }: ModelStep, context: StepContext) {
  const chosen = await Promise.all(
    tools.map(async ({ tool, needsApproval }) => {
      const built = await context.parts.make('tools', tool).tools(context.signal)
      return built.map((one) => ({ tool: one, needsApproval }))
    }),
  )
  const searches = await Promise.all(
    knowledge.map(async (source) => ({
      tool: await knowledgeTool(source, context),
      needsApproval: source.needsApproval,
    })),
  )
  const all = [...chosen.flat(), ...searches]
  const byName = toolsByName(all.map(({ tool }) => tool))
  // The map has the tools in the same order.
  const toApprove = new Set([...byName.keys()].filter((_, index) => all[index]!.needsApproval))
  return { tools: byName, toApprove }
}

/** Emits tokens and thinking of the last node only: its text is the answer. Other events come from every node. */
const emitter =
  ({ last, emit }: StepContext): Emit =>
  (event) => {
    if (last || (event.event !== 'token' && event.event !== 'thinking')) return emit(event)
  }

/** What the loop did since it was resumed, or since its beginning. */
function resultsSince(before: LoopState | undefined, { state }: LoopResult) {
  const { usage, usedTools, documents } = state
  return {
    usage: before ? usageSince(before.usage, usage) : usage,
    usedTools: usedTools.slice(before?.usedTools.length ?? 0),
    documents: documents.slice(before?.documents.length ?? 0),
  }
}

/** Start and end in milliseconds since 1970. `delta` is measured with a monotonic clock, in milliseconds. */
function time({ at, clock }: { at: number; clock: number }) {
  const delta = Math.round(performance.now() - clock)
  return { start: at, end: at + delta, delta }
}

/** Metadata of the node's output, with the keys that Flowise uses. */
function outputMetadata({ usage, usedTools, documents }: LoopState): JsonObject {
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

/** In characters. */
const MAX_VISIBLE_TEXT = 2000

/** The messages that clients are shown. Without system messages, which may contain variables, and without pictures. */
const visibleMessages = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ role, content }) => {
    if (role === 'system') return []
    const text =
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '(picture)')).join('\n')
    return [{ role, content: text.length > MAX_VISIBLE_TEXT ? `${text.slice(0, MAX_VISIBLE_TEXT)}…` : text }]
  })
