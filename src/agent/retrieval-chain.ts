import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import { historyText } from '../flow/scope.ts'
import { expand, type Scope } from '../flow/variables.ts'
import { passagesText } from '../tools/passages.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import type { Given } from './given.ts'
import type { Emit } from './predict.ts'
import { addUsage, type Turn, takeTurn } from './turn.ts'

type Part = Extract<AnswererPart, { type: 'retrievalChain' }>

/** Finds what fits the question, and lets a model answer from it. */
export async function answerFromDocuments(
  part: Part,
  { asked, past, scope, retrieve }: Given,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, retriever, returnSourceDocuments, responsePrompt } = part
  // A first question stands on its own already.
  const rephrased = past.length > 0 ? await rephrase(part, asked.text) : undefined
  const documents = await retrieve(retriever, rephrased?.text.trim() || asked.text, signal)
  const messages = [
    ...systemMessage(fillPrompt(responsePrompt, { context: passagesText(documents) })),
    ...pastMessages(past),
    userMessage(asked, model),
  ]
  const { text, usage } = await takeTurn(model, { messages }, emit, signal)
  if (returnSourceDocuments) await emit({ event: 'sourceDocuments', data: documents })
  return {
    text,
    ...(returnSourceDocuments ? { sourceDocuments: documents } : {}),
    usage: rephrased ? addUsage(rephrased.usage, usage) : usage,
  }

  /** What the model says to itself is not for the user. */
  function rephrase({ rephrasePrompt }: Part, question: string): Promise<Turn> {
    const content = fillPrompt(rephrasePrompt, { chat_history: historyText(past), question })
    return takeTurn(model, { messages: [{ role: 'user', content }] }, () => {}, signal)
  }

  /** Prompts write their own names between single braces. */
  function fillPrompt(prompt: string, own: Record<string, string>): string {
    const both: Scope = (name) => (Object.hasOwn(own, name) ? own[name] : scope(name))
    return expand(prompt, both, new Set(Object.keys(own)))
  }
}
