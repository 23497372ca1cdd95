import type { StepPart } from '../../../contract/step.ts'
import { SluiceError } from '../../../kit/errors.ts'
import { type Json, parseJson } from '../../../kit/json.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'each' }>

/** Runs the nodes of a frame for each item of a list, one item after another. */
export async function runIteration({ items }: Step, { node, runInside }: StepContext): Promise<StepResult> {
  const list = typeof items === 'string' ? parseJson(items) : items
  if (!Array.isArray(list))
    throw new SluiceError('input_invalid', {
      node: node.label,
      input: 'Array Input',
      reason: 'it is no list',
    })
  const texts: string[] = []
  for (const item of list) texts.push(await runInside(item))
  return {
    input: { iterationInput: list as Json[] },
    output: { content: texts.join('\n'), iterations: texts },
  }
}
