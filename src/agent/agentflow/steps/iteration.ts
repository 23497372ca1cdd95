import type { StepPart } from '../../../contract/step.ts'
import { SluiceError } from '../../../kit/errors.ts'
import { type Json, parseJson } from '../../../kit/json.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'iteration' }>

/** Runs the child nodes for each item of a list, one item after another. */
export async function runIteration({ items }: Step, { node, runChildren }: StepContext): Promise<StepResult> {
  const list = typeof items === 'string' ? parseJson(items) : items
  if (!Array.isArray(list))
    throw new SluiceError('input_invalid', {
      node: node.label,
      input: 'Array Input',
      reason: 'it is not a list',
    })
  const texts: string[] = []
  for (const item of list) texts.push(await runChildren(item))
  return {
    input: { iterationInput: list as Json[] },
    output: { content: texts.join('\n'), iterations: texts },
  }
}
