import type { StepPart } from '../../../contract/step.ts'
import { SluiceError } from '../../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../../kit/json.ts'
import { guestFetch } from '../../../openapi/guest-fetch.ts'
import { codeRunner } from '../../../openapi/sandbox/code-runner.ts'
import { CodeFailure } from '../../../openapi/sandbox/run-code.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'customFunction' }>

const NO_CREDENTIALS = { headers: [], query: [], cookies: [] }

/**
 * Runs the author's code in the sandbox. The fields of a returned object become fields of the output.
 *
 * @throws SluiceError `input_invalid` with the reason if the code fails
 */
export async function runCustomFunction(
  step: Step,
  { runtime, node, callContext, signal }: StepContext,
): Promise<StepResult> {
  const inputs = Object.fromEntries(
    step.values.map(({ key, value }) => [`$${key.replace(/^\$/, '')}`, value]),
  )
  const { egress } = runtime.nodeServices
  try {
    const content = await codeRunner.run({
      code: step.code,
      values: { $flow: { ...callContext.flow }, $vars: callContext.variables, ...inputs },
      fetch: (call, fetchSignal) =>
        guestFetch(call, { egress, origin: '', credentials: NO_CREDENTIALS }, fetchSignal),
      signal,
    })
    const parsed = parseJson(content)
    return {
      // Names only: the values may be secrets.
      input: { inputVariables: Object.keys(inputs) },
      output: { ...(isObject(parsed) ? (parsed as JsonObject) : {}), content },
      updateState: step.updateState,
    }
  } catch (error) {
    if (!(error instanceof CodeFailure)) throw error
    throw new SluiceError('input_invalid', {
      node: node.label,
      input: 'Javascript Function',
      reason: error.message,
    })
  }
}
