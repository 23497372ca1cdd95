import type { AgentOutcome } from '../../contract/agent.ts'
import type { ChatModel } from '../../contract/chat-model.ts'
import type { NamedPrompt } from '../../contract/prompt.ts'
import { isObject } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'
import type { VariableScope } from '../../flow/variables.ts'
import { type UserInput, userMessage } from '../conversation.ts'
import { addUsage, runModelTurn } from '../model-turn.ts'
import type { Emit } from '../prediction.ts'
import { filledPrompt } from './filled-prompt.ts'

/** Lets a model choose the prompt that fits a question, then answer with it; without any where none fits. */
export async function answerWithChosenPrompt(
  { model, prompts }: { model: ChatModel; prompts: readonly NamedPrompt[] },
  { input, scope }: { input: UserInput; scope: VariableScope },
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const choice = await runModelTurn(model, choiceOf(prompts, input.text), () => {}, signal, 'choose a prompt')
  const chosen = prompts[chosenIndex(prompts, choice.text)]
  const messages = [
    ...(chosen ? filledPrompt(chosen.prompt, { input: input.text, question: input.text }, scope) : []),
    userMessage(input, model),
  ]
  const { text, usage } = await runModelTurn(model, { messages }, emit, signal)
  return { text, usage: addUsage(choice.usage, usage) }
}

/** The question which prompt fits. The model answers with its number, which it cannot misspell. */
function choiceOf(prompts: readonly NamedPrompt[], question: string) {
  const listed = prompts.map(({ name, description }, index) => `${index}: ${name}: ${description}`).join('\n')
  return {
    messages: [
      {
        role: 'system' as const,
        content: `Say which prompt fits the question.\n\nPrompts:\n${listed}\n\nAnswer with JSON, {"prompt": the number}; -1 where none fits.`,
      },
      { role: 'user' as const, content: question },
    ],
    answerSchema: {
      name: 'choice',
      schema: {
        type: 'object',
        properties: { prompt: { type: 'integer' } },
        required: ['prompt'],
        additionalProperties: false,
      },
    },
  }
}

/** The index that an answer names, by number or by name; -1 for any other answer. */
function chosenIndex(prompts: readonly NamedPrompt[], text: string): number {
  const read = lenientJson(text.replace(/```(?:json)?/g, '').trim())
  const named = isObject(read) ? read.prompt : (read ?? text.trim())
  const number = typeof named === 'string' && /^\d+$/.test(named.trim()) ? Number(named) : named
  if (typeof number === 'number') return number in prompts ? number : -1
  if (typeof number !== 'string') return -1
  const wanted = number.trim().toLowerCase()
  return prompts.findIndex(({ name }) => name.trim().toLowerCase() === wanted)
}
