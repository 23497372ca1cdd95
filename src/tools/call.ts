import type { ToolOutcome } from '../contract/tool.ts'
import { SluiceError } from '../kit/errors.ts'
import { type HttpCall, type Sending, sendCall } from './send.ts'
import { type Telling, tellAnswer } from './tell-answer.ts'

/** Sends a call for a model: what comes back, and that nothing came back, are told to it alike. */
export async function callAndTell(
  call: HttpCall,
  sending: Sending,
  telling: Telling,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    return await tellAnswer(await sendCall(call, sending, signal), telling)
  } catch (error) {
    signal.throwIfAborted()
    return notCalled(error instanceof SluiceError ? error.message : 'the request cannot be sent like this')
  }
}

/** Tells a model why nothing was sent, or nothing came back. */
export const notCalled = (reason: string): ToolOutcome => ({
  output: `The call did not succeed: ${reason}`,
  failed: true,
})
