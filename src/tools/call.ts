import type { ToolOutcome } from '../contract/tool.ts'
import { SluiceError } from '../kit/errors.ts'
import { type HttpCall, type SendOptions, sendCall } from './send.ts'
import { type AnswerOptions, describeAnswer } from './describe-answer.ts'

/** Sends a call for a model. A failure becomes an outcome with the reason for the model. */
export async function callForModel(
  call: HttpCall,
  sendOptions: SendOptions,
  answerOptions: AnswerOptions,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    return await describeAnswer(await sendCall(call, sendOptions, signal), answerOptions)
  } catch (error) {
    signal.throwIfAborted()
    return failedCall(error instanceof SluiceError ? error.message : 'the request cannot be sent like this')
  }
}

/** The outcome of a call that was not sent, or that got no answer. */
export const failedCall = (reason: string): ToolOutcome => ({
  output: `The call did not succeed: ${reason}`,
  failed: true,
})
