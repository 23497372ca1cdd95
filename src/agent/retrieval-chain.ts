import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import { historyText } from '../flow/scope.ts'
import { expand, type Scope } from '../flow/variables.ts'
import { passagesText } from '../tools/passages.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import type { AnswerContext } from './answer-context.ts'
import type { Emit } from './prediction.ts'
import { addUsage, type ModelTurn, runModelTurn } from './model-turn.ts'

type Part = Extract<AnswererPart, { type: 'retrievalChain' }>

/** Finds what fits the question, and lets a model answer from it. */
export async function answerFromDocuments(
  part: Part,
  { input, past, scope, retrieve }: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, retriever, returnSourceDocuments, responsePrompt } = part
  // A first question stands on its own already.
  const rephrased = past.length > 0 ? await rephrase(part, input.text) : undefined
  const documents = await retrieve(retriever, rephrased?.text.trim() || input.text, signal)
  const messages = [
    ...systemMessage(fillPrompt(responsePrompt, { context: passagesText(documents) })),
    ...pastMessages(past),
    userMessage(input, model),
  ]
  const { text, usage } = await runModelTurn(model, { messages }, emit, signal)
  if (returnSourceDocuments) await emit({ event: 'sourceDocuments', data: documents })
  return {
    text,
    ...(returnSourceDocuments ? { sourceDocuments: documents } : {}),
    usage: rephrased ? addUsage(rephrased.usage, usage) : usage,
  }

  /** What the model says to itself is not for the user. */
  function rephrase({ rephrasePrompt }: Part, question: string): Promise<ModelTurn> {
    const content = fillPrompt(rephrasePrompt, { chat_history: historyText(past), question })
    return runModelTurn(model, { messages: [{ role: 'user', content }] }, () => {}, signal)
  }

  /** Prompts write their own names between single braces. */
  function fillPrompt(prompt: string, own: Record<string, string>): string {
    const both: Scope = (name) => (Object.hasOwn(own, name) ? own[name] : scope(name))
    return expand(prompt, both, new Set(Object.keys(own)))
  }
}
