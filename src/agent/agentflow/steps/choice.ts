import type { StepPart } from '../../../contract/step.ts'
import { takeTurn } from '../../turn.ts'
import { readAnswer } from '../answer-schema.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'choice' }>

/** Lets a model say which scenario fits; where it names none, the way after the last is taken. */
export async function runChoice(step: Step, { parts, signal }: StepContext): Promise<StepResult> {
  const { instructions, input, scenarios } = step
  const model = parts.make('chatModel', step.model)
  const listed = scenarios.map((scenario, index) => `${index}: ${scenario}`).join('\n')
  const system = `Say which scenario fits the input. ${instructions}\n\nScenarios:\n${listed}\n\nAnswer with JSON, {"scenario": the number}; -1 where none fits.`
  const answerSchema = {
    name: 'choice',
    schema: {
      type: 'object',
      properties: { scenario: { type: 'integer' } },
      required: ['scenario'],
      additionalProperties: false,
    },
  }
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: input },
  ] as const
  const { text, usage } = await takeTurn(model, { messages, answerSchema }, () => {}, signal)
  const { scenario } = readAnswer(text)
  const way = typeof scenario === 'number' && scenario in scenarios ? scenario : scenarios.length
  return {
    input: { input },
    way,
    usage,
    output: {
      content: scenarios[way] ?? '',
      conditions: scenarios.map((one, index) => ({ output: one, isFulfilled: index === way })),
    },
  }
}
