import type { ModelMessage } from '../../../contract/chat-model.ts'
import type { ConditionAgentStep } from '../../../contract/step.ts'
import { SluiceError } from '../../../kit/errors.ts'
import type { Json } from '../../../kit/json.ts'
import { pastMessages } from '../../conversation.ts'
import { runModelTurn } from '../../model-turn.ts'
import { readJsonAnswer } from '../answer-schema.ts'
import type { StepContext, StepResult } from '../step-context.ts'
import { messagesInMemory } from './model-messages.ts'

/**
 * Lets a model choose the scenario that fits. The branch after the last scenario is for an answer that names none.
 *
 * @throws SluiceError `flow_cannot_answer` if the answer names no scenario and that branch has no edge;
 *   `provider_failed` if the answer is not JSON
 */
export async function runConditionAgent(step: ConditionAgentStep, context: StepContext): Promise<StepResult> {
  const { parts, node, run, hasBranch, signal } = context
  const { input, scenarios, memory } = step
  if (scenarios.length === 0)
    throw new SluiceError('flow_cannot_answer', { reason: `${node.label} has no scenarios` })
  const model = parts.make('chatModel', step.model)
  const { system, user, answer } =
    step.systemPrompt === undefined ? byNumber(step) : byName(step, step.systemPrompt)
  const messages: ModelMessage[] = [
    { role: 'system', content: system },
    ...(memory ? pastMessages(messagesInMemory([...run.past, ...run.said.slice(1)], memory)) : []),
    { role: 'user', content: user },
  ]
  const { text, usage } = await runModelTurn(
    model,
    { messages, answerSchema: { name: 'choice', schema: answer } },
    () => {},
    signal,
    'choose a scenario',
  )
  const choice = readJsonAnswer(text)
  const branch = scenarioOf(choice.scenario ?? choice.output, scenarios) ?? scenarios.length
  if (branch === scenarios.length && !hasBranch(branch))
    throw new SluiceError('flow_cannot_answer', {
      reason: `the model named none of the ${scenarios.length} scenarios of ${node.label}, and it has no default branch`,
    })
  return {
    input: { input },
    branch,
    usage,
    output: {
      content: scenarios[branch] ?? '',
      conditions: scenarios.map((one, index) => ({ output: one, isFulfilled: index === branch })),
    },
  }
}

type Prompt = { system: string; user: string; answer: Record<string, Json> }

/** The default prompt. The model answers with the number of a scenario, which it cannot misspell. */
function byNumber({ instructions, input, scenarios }: ConditionAgentStep): Prompt {
  const listed = scenarios.map((scenario, index) => `${index}: ${scenario}`).join('\n')
  return {
    system: `Say which scenario fits the input. ${instructions}\n\nScenarios:\n${listed}\n\nAnswer with JSON, {"scenario": the number}; -1 where none fits.`,
    user: input,
    answer: answerOf('scenario', 'integer'),
  }
}

/** The prompt of the flow's author. Question and answer have the form that Flowise's default prompt describes. */
function byName({ instructions, input, scenarios }: ConditionAgentStep, system: string): Prompt {
  return {
    system,
    user: JSON.stringify({ input, scenarios, instruction: instructions }),
    answer: answerOf('output', 'string'),
  }
}

const answerOf = (name: string, type: string) => ({
  type: 'object',
  properties: { [name]: { type } },
  required: [name],
  additionalProperties: false,
})

/** The index of the scenario that an answer names: by its number, by its text, or by a part that only one text has. */
function scenarioOf(answer: Json | undefined, scenarios: readonly string[]): number | undefined {
  const number = typeof answer === 'string' && /^\d+$/.test(answer.trim()) ? Number(answer) : answer
  if (typeof number === 'number') return number in scenarios ? number : undefined
  if (typeof answer !== 'string' || answer.trim() === '') return undefined
  const wanted = normalised(answer)
  const exact = scenarios.findIndex((scenario) => normalised(scenario) === wanted)
  if (exact >= 0) return exact
  const near = [...scenarios.keys()].filter((index) => {
    const scenario = normalised(scenarios[index]!)
    return scenario !== '' && (scenario.includes(wanted) || wanted.includes(scenario))
  })
  return near.length === 1 ? near[0] : undefined
}

const normalised = (text: string) => text.trim().toLowerCase()
