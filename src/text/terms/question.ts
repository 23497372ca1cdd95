import { withoutStopWords } from './stop-words.ts'
import { TermReader } from './terms.ts'

/** Of a longer text the first count: enough for a question, and for a passage to look for others like it. */
const MOST_TERMS = 128

/** The terms to look for, each once: without the words that only make a question of them, where others are left. */
export function termsAsked(question: string): number[] {
  const terms = termsOf(withoutStopWords(question))
  return [...(terms.size > 0 ? terms : termsOf(question))].slice(0, MOST_TERMS)
}

function termsOf(text: string): Set<number> {
  const terms = new Set<number>()
  new TermReader((term) => terms.add(term)).read(text)
  return terms
}
