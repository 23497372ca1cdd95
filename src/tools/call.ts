import type { ToolOutcome } from '../contract/tool.ts'
import { secretsSent } from '../kit/egress/secrets-sent.ts'
import { SluiceError } from '../kit/errors.ts'
import { type HttpCall, type SendOptions, sendCall } from './send.ts'
import { type AnswerOptions, describeAnswer } from './describe-answer.ts'
import { type CallEnd, showExchange } from './show-exchange.ts'

/** Sends a call for a model. A failure becomes an outcome with the reason for the model. */
export async function callForModel(
  call: HttpCall,
  sendOptions: SendOptions,
  answerOptions: AnswerOptions,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const startedAt = performance.now()
  const show = (end: CallEnd) => showExchange(call, end, performance.now() - startedAt, answerOptions.secrets)
  try {
    const answer = await sendCall(call, sendOptions, signal)
    const http = [await show({ answer })]
    const secrets = [...(answerOptions.secrets ?? []), ...secretsSent(call.url, call.headers, call.body)]
    return { ...(await describeAnswer(answer, { ...answerOptions, secrets })), http }
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof SluiceError ? error.message : 'the request cannot be sent like this'
    return { ...failedCall(reason), http: [await show({ error: reason })] }
  }
}

/** The outcome of a call that was not sent, or that got no answer. */
export const failedCall = (reason: string): ToolOutcome => ({
  output: `The call did not succeed: ${reason}`,
  failed: true,
})
