import type { StepPart } from '../../../contract/step.ts'
import { SluiceError } from '../../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../../kit/json.ts'
import { guestFetch } from '../../../openapi/guest-fetch.ts'
import { codeRunner } from '../../../openapi/sandbox/code-runner.ts'
import { CodeFailure } from '../../../openapi/sandbox/run-code.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'code' }>

const NO_KEYS = { headers: [], query: [], cookies: [] }

/** Runs the author's code in the sandbox; an object that it returns can be read by its parts. */
export async function runCustomFunction(
  step: Step,
  { runtime, node, callContext, signal }: StepContext,
): Promise<StepResult> {
  const own = Object.fromEntries(step.values.map(({ key, value }) => [`$${key.replace(/^\$/, '')}`, value]))
  const { egress } = runtime.nodeServices
  try {
    const content = await codeRunner.run({
      code: step.code,
      values: { $flow: { ...callContext.flow }, $vars: callContext.variables, ...own },
      fetch: (call, until) => guestFetch(call, { egress, origin: '', keys: NO_KEYS }, until),
      signal,
    })
    const read = parseJson(content)
    return {
      // By name only: code is given keys this way.
      input: { inputVariables: Object.keys(own) },
      output: { ...(isObject(read) ? (read as JsonObject) : {}), content },
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
