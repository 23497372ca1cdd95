import { withoutStopWords } from './stop-words.ts'
import { TermReader } from './terms.ts'
import { hasTones } from './tones.ts'

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

/**
 * A question with at least this many different terms counts repeated ones: a long text repeats what it is about, a short
 * question only its grammar. K3 is the parameter of BM25 for it: a term that occurs n times has the weight
 * (K3 + 1) n / (K3 + n). Both are measured in docs/decisions/2026-11-22-question-terms.md.
 */
const COUNTED_FROM = 24
const K3 = 2

/** The characters of a question whose words are searched. */
export const readPart = (question: string): string => question.slice(0, MAX_CHARACTERS)

/** The terms of a question and their weights, without stop words, unless the question has only these. */
export function questionTerms(text: string): Map<number, number> {
  const question = readPart(text)
  const bare = withoutStopWords(question)
  // The stop words may have the only letters that show the tones.
  const tonal = hasTones(question.normalize())
  const withoutStops = countTerms(bare, tonal)
  const counts = withoutStops.size > 0 ? withoutStops : countTerms(question, tonal)
  const beside = countTerms((withoutStops.size > 0 ? bare : question).replace(HIRAGANA, ' '), tonal)
  const ordered = [...beside.keys(), ...[...counts.keys()].filter((term) => !beside.has(term))]
  return new Map(
    ordered.slice(0, MAX_TERMS).map((term) => {
      const times = counts.size < COUNTED_FROM ? 1 : (counts.get(term) ?? 1)
      return [term, ((beside.has(term) ? 1 : HIRAGANA_WEIGHT) * ((K3 + 1) * times)) / (K3 + times)]
    }),
  )
}

/**
 * The terms of a question and of earlier ones, which count with the weight of their text: of a term that is in several, the largest.
 */
export function withEarlierTerms(
  terms: ReadonlyMap<number, number>,
  earlier: readonly { text: string; weight: number }[] = [],
): ReadonlyMap<number, number> {
  if (earlier.length === 0) return terms
  const all = new Map(terms)
  for (const { text, weight } of earlier)
    for (const [term, asked] of questionTerms(text))
      if (all.size < MAX_TERMS || all.has(term)) all.set(term, Math.max(all.get(term) ?? 0, asked * weight))
  return all
}

let counted = new Map<number, number>()
const reader = new TermReader((term) => counted.set(term, (counted.get(term) ?? 0) + 1))

/** How often each term occurs in a text. */
function countTerms(text: string, tonal = false): Map<number, number> {
  counted = new Map()
  reader.read(text, tonal)
  return counted
}

/** The terms of a text, each once. */
export const termsOf = (text: string): Set<number> => new Set(countTerms(text).keys())
