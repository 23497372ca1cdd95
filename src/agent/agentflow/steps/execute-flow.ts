import type { StepPart } from '../../../contract/step.ts'
import { SluiceError } from '../../../kit/errors.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'flow' }>

/** Asks another flow of this server; one that waits for this answer already cannot be asked. */
export async function runExecuteFlow(
  step: Step,
  { runtime, callingFlows, callContext, signal }: StepContext,
): Promise<StepResult> {
  const { flow: id, input, overrides, returnAs, updateState } = step
  const flow = await runtime.findFlow(id)
  if (!flow) throw refusal(`it asks the flow ${id || '(none)'}, which is not there`)
  if (callingFlows.includes(flow.id)) throw refusal('it asks itself')
  const { chatId = flow.id, sessionId = chatId } = callContext.flow
  const ask = { question: input, chatId, sessionId, history: [], uploads: [], overrides, callingFlows }
  const prepared = await runtime.prepare(flow, ask)
  const { text, usage, usedTools, sourceDocuments } = await prepared.run(() => {}, signal)
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
    said: [{ role: returnAs === 'userMessage' ? 'userMessage' : 'apiMessage', content: text }],
    updateState,
  }
}

const refusal = (reason: string) => new SluiceError('flow_cannot_answer', { reason })
