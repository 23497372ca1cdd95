import { withoutStopWords } from './stop-words.ts'
import { TermReader } from './terms.ts'

/** Of a longer text the first count: enough for a question, and for a passage to look for others like it. */
const MAX_TERMS = 128

/** Characters of a question that are looked at for its terms: many more than so many terms have. */
const MAX_CHARACTERS = 8192

/** Japanese writes in hiragana how words belong together, and few words. */
const HIRAGANA = /[\u3041-\u309f]+/g
const HIRAGANA_WEIGHT = 0.3

/**
 * The terms to look for, and how much each counts: without the words that only make a question of them, where others are
 * left.
 */
export function questionTerms(given: string): Map<number, number> {
  const question = given.slice(0, MAX_CHARACTERS)
  const bare = withoutStopWords(question)
  const text = termsOf(bare).size > 0 ? bare : question
  const weights = new Map<number, number>()
  for (const term of termsOf(text.replace(HIRAGANA, ' '))) weights.set(term, 1)
  for (const term of termsOf(text)) if (!weights.has(term)) weights.set(term, HIRAGANA_WEIGHT)
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
