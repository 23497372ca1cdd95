import { termsOf } from './question.ts'
import { withoutStopWords } from './stop-words.ts'

/**
 * A Persian word of two parts as it was typed, and as it may stand in a text: the parts joined by U+200C (the half-space) or
 * by nothing are one term, with a space between them they are two.
 */
export type PartedWord = { typed: string; terms: readonly number[]; otherwise: readonly OtherSpelling[] }
export type OtherSpelling = { written: string; term: number }

const LETTER = '[\\u0620-\\u065f\\u066e-\\u06d3]'
const JOINED = new RegExp(`${LETTER}+(?:\\u200c${LETTER}+)+`, 'gu')
const SPACED = new RegExp(`(?<!${LETTER}|\\u200c)${LETTER}+(?= (${LETTER}+)(?!${LETTER}|\\u200c))`, 'gu')

const termOf = (word: string): number[] => [...termsOf(word)]

/** The words of a question with a half-space, and pairs of words with a space, which may be words with one. */
export function partedWordsOf(question: string): PartedWord[] {
  const joined = Array.from(question.matchAll(JOINED), ([typed]) => ({
    typed,
    terms: termOf(typed),
    otherwise: typed
      .split('\u200c')
      .filter((part) => withoutStopWords(part).trim() !== '')
      .flatMap((written) => termOf(written).map((term) => ({ written, term }))),
  }))
  const spaced = Array.from(question.matchAll(SPACED), ([first, second]) => ({
    typed: `${first} ${second}`,
    terms: [...termOf(first), ...termOf(second!)],
    otherwise: termOf(first + second).map((term) => ({ written: `${first}\u200c${second}`, term })),
  }))
  return [...joined, ...spaced].filter(({ otherwise }) => otherwise.length > 0)
}
