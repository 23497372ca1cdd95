import type { PassageSearch } from '../../contract/card.ts'
import { expand } from '../../flow/variables.ts'
import type { AnswerContext } from '../answer-context.ts'

/** The texts of the passages that a search finds, for a prompt. */
export async function foundText(
  { retriever, query }: PassageSearch,
  { input, scope, retrieve }: Pick<AnswerContext, 'input' | 'scope' | 'retrieve'>,
  signal: AbortSignal,
): Promise<string> {
  const written = expand(query, scope).trim()
  const documents = await retrieve(retriever, written === '' ? input.text : written, {}, signal)
  return documents.map(({ pageContent }) => pageContent).join('\n')
}
