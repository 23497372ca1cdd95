import type { AgentOutcome } from '../../contract/agent.ts'
import type { AnswerForm } from '../../contract/answer-form.ts'
import type { ChatModel, ModelMessage } from '../../contract/chat-model.ts'
import type { PromptPart } from '../../contract/prompt.ts'
import { valueNames } from '../../flow/prompts/prompt-text.ts'
import { FORM_VALUE, questionValue } from '../../flow/prompts/prompt-values.ts'
import type { VariableScope } from '../../flow/variables.ts'
import { SluiceError } from '../../kit/errors.ts'
import { userMessage, type UserInput } from '../conversation.ts'
import { addUsage, runModelTurn } from '../model-turn.ts'
import type { Emit } from '../prediction.ts'
import { answerSchemaOf, formInstructions, readFormedAnswer } from './answer-form.ts'
import { filledPrompt } from './filled-prompt.ts'

export type PromptChain = { model: ChatModel; prompt: PromptPart; form?: AnswerForm }

export type PromptChainContext = {
  input: UserInput
  /** The names of the run, and the outputs of the nodes that the prompt names. */
  scope: VariableScope
  /** The label of the chain. */
  label: string
  /** Why the model is called, for the record of the run, where that is not the answer itself. */
  purpose?: string
}

/**
 * Sends a prompt to a model. An answer that must have a form is checked before anybody sees it, and comes in one piece; where the
 * chain repairs answers, the model is asked once more.
 *
 * @throws SluiceError `answer_form_wrong`
 */
export async function answerPrompt(
  { model, prompt, form }: PromptChain,
  { input, scope, label, purpose }: PromptChainContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const messages = promptMessages(prompt, input, model, scope, form)
  if (!form) {
    const { text, usage } = await runModelTurn(model, { messages }, emit, signal, purpose)
    return { text, usage }
  }
  const quiet: Emit = (event) => (event.event === 'token' ? undefined : emit(event))
  const first = await runModelTurn(model, { messages, ...answerSchemaOf(form) }, quiet, signal, purpose)
  try {
    return await checked(first.text, first.usage)
  } catch (error) {
    if (!form.repairs || !(error instanceof SluiceError)) throw error
    const again: ModelMessage[] = [
      ...messages,
      { role: 'assistant', content: first.text.trim() === '' ? '(empty)' : first.text },
      {
        role: 'user',
        content: `This answer does not have the form that was asked for: ${error.facts.reason}. Write it again.\n${formInstructions(form)}`,
      },
    ]
    const request = { messages: again, ...answerSchemaOf(form) }
    const second = await runModelTurn(model, request, quiet, signal, 'repair the form of the answer')
    return checked(second.text, addUsage(first.usage, second.usage))
  }

  async function checked(text: string, usage: AgentOutcome['usage']): Promise<AgentOutcome> {
    const json = readFormedAnswer(form!, text, label)
    const written = JSON.stringify(json)
    await emit({ event: 'token', data: written })
    return { text: written, json, usage }
  }
}

/** The messages of a prompt for one question. Pictures go with its last message. */
export function promptMessages(
  prompt: PromptPart,
  input: UserInput,
  model: ChatModel,
  scope: VariableScope,
  form?: AnswerForm,
): ModelMessage[] {
  const question = questionValue(prompt, 'prompt')
  const instructions = form && formInstructions(form)
  const filled = filledPrompt(
    prompt,
    {
      ...(question === undefined ? {} : { [question]: input.text }),
      ...(instructions === undefined ? {} : { [FORM_VALUE]: instructions }),
    },
    scope,
  )
  const told = instructions === undefined || valueNames(prompt).includes(FORM_VALUE)
  const messages = told ? filled : withInstructions(filled, instructions)
  const last = messages.at(-1)
  return last?.role === 'user' && typeof last.content === 'string'
    ? [...messages.slice(0, -1), userMessage({ text: last.content, images: input.images }, model)]
    : messages
}

/** The instructions follow the system message, or else the last message. */
function withInstructions(messages: ModelMessage[], instructions: string): ModelMessage[] {
  const system = messages.findIndex(({ role }) => role === 'system')
  const at = system < 0 ? messages.length - 1 : system
  return messages.map((message, index) =>
    index === at && message.role !== 'tool' && typeof message.content === 'string'
      ? { ...message, content: `${message.content}\n${instructions}` }
      : message,
  )
}
