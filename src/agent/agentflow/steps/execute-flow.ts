import type { StepPart } from '../../../contract/step.ts'
import { SluiceError } from '../../../kit/errors.ts'
import type { Emit, PredictionRequest } from '../../prediction.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'executeFlow' }>

/** Calls another flow of this server. A flow that already waits for this answer cannot be called. */
export async function runExecuteFlow(
  step: Step,
  { runtime, callingFlows, callContext, emit, signal }: StepContext,
): Promise<StepResult> {
  const { flow: id, input, overrides, returnAs, updateState } = step
  const flow = await runtime.findFlow(id)
  if (!flow) throw refusal(`it calls the flow ${id || '(none)'}, which does not exist`)
  if (callingFlows.includes(flow.id)) throw refusal('it calls itself')
  const { chatId = flow.id, sessionId = chatId } = callContext.flow
  const request: PredictionRequest = {
    question: input,
    chatId,
    sessionId,
    history: [],
    uploads: [],
    overrides,
    callingFlows,
  }
  const prepared = await runtime.prepare(flow, request)
  const { text, usage, usedTools, sourceDocuments } = await prepared.run(spansOnly(emit), signal)
  return {
    input: { question: input },
    output: {
      content: text,
      ...(usedTools ? { usedTools } : {}),
      ...(sourceDocuments ? { sourceDocuments } : {}),
    },
    usage,
    ...(usedTools ? { usedTools } : {}),
    ...(sourceDocuments ? { documents: sourceDocuments } : {}),
    messages: [{ role: returnAs === 'userMessage' ? 'userMessage' : 'apiMessage', content: text }],
    updateState,
  }
}

/** What the called flow did is part of the run; its tokens and tool calls are not those of the answer. */
const spansOnly =
  (emit: Emit): Emit =>
  (event) => {
    if (event.event === 'span') return emit(event)
  }

const refusal = (reason: string) => new SluiceError('flow_cannot_answer', { reason })
