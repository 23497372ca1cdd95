import { withoutStopWords } from './stop-words.ts'
import { TermReader } from './terms.ts'

/**
 * Of a longer text only the first terms are used: enough for a question, and for a passage whose similar passages are
 * searched.
 */
const MAX_TERMS = 128

/** Characters of a question that are read: many more than that many terms have. */
const MAX_CHARACTERS = 8192

/** Japanese writes grammar in hiragana, and few words, so these terms count less. */
const HIRAGANA = /[\u3041-\u309f]+/g
const HIRAGANA_WEIGHT = 0.3

/** The terms of a question and their weights, without stop words, unless the question has only these. */
export function questionTerms(text: string): Map<number, number> {
  const question = text.slice(0, MAX_CHARACTERS)
  const bare = withoutStopWords(question)
  const searched = termsOf(bare).size > 0 ? bare : question
  const weights = new Map<number, number>()
  for (const term of termsOf(searched.replace(HIRAGANA, ' '))) weights.set(term, 1)
  for (const term of termsOf(searched)) if (!weights.has(term)) weights.set(term, HIRAGANA_WEIGHT)
  return new Map([...weights].slice(0, MAX_TERMS))
}

let found = new Set<number>()
const reader = new TermReader((term) => found.add(term))

/** The terms of a text, each once. */
export function termsOf(text: string): Set<number> {
  found = new Set()
  reader.read(text)
  return found
}
