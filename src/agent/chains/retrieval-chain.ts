import type { AgentOutcome } from '../../contract/agent.ts'
import { expand, historyText, type VariableScope } from '../../flow/variables.ts'
import { passagesText } from '../../tools/passages.ts'
import type { AnswerContext, AnswererOf } from '../answer-context.ts'
import { pastMessages, questionsOf, systemMessage, userMessage } from '../conversation.ts'
import { addUsage, type ModelTurn, runModelTurn } from '../model-turn.ts'
import type { Emit } from '../prediction.ts'

/** Retrieves documents for the question and lets a model answer from them. */
export async function answerFromDocuments(
  part: AnswererOf<'retrievalChain'>,
  { input, past, scope, retrieve }: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, retriever, returnSourceDocuments, responsePrompt, rewritesQuestion } = part
  // Without earlier messages the question needs no rephrasing.
  const rephrased = past.length > 0 && rewritesQuestion ? await rephrase(part, input.text) : undefined
  const query = rephrased?.text.trim() || input.text
  const narrowing = rephrased ? {} : { history: questionsOf(past) }
  const documents = await retrieve(retriever, query, narrowing, signal)
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

  /** Asks the model for a question that can be understood without the conversation. No event goes to the client. */
  function rephrase({ rephrasePrompt }: typeof part, question: string): Promise<ModelTurn> {
    const content = fillPrompt(rephrasePrompt, { chat_history: historyText(past), question })
    const messages = [{ role: 'user', content }] as const
    return runModelTurn(model, { messages }, () => {}, signal, 'rephrase the question')
  }

  /** @param placeholders values of names between single braces, such as `{context}` */
  function fillPrompt(prompt: string, placeholders: Record<string, string>): string {
    const both: VariableScope = (name) =>
      Object.hasOwn(placeholders, name) ? placeholders[name] : scope(name)
    return expand(prompt, both, new Set(Object.keys(placeholders)))
  }
}
