import { alphabetOf } from './alphabets.ts'
import { characterEntry, entryCode, spellingOf } from './character.ts'
import { termsOf } from './question.ts'
import { withoutStopWords } from './stop-words.ts'
import { hasTones } from './tones.ts'
import { wordTerm } from './word-term.ts'

/** A word of a question that may be misspelt: as it was typed, its letters as terms have them, and its term. */
export type PlainWord = { word: string; letters: readonly number[]; term: number }

/** A word that differs from another by one typing error; `likelihood` compares it with the others. */
export type Edit = { term: number; likelihood: number; letters: readonly number[] }

/** Three letters are too few to tell which word was meant. */
const LEAST_LETTERS = 4

/** A word of letters alone that is not part of a name. */
const WORD = /(?<![\p{L}\p{M}\p{N}._@/:-])[\p{L}\p{M}]{4,24}(?![\p{L}\p{M}\p{N}]|[._@/:-][\p{L}\p{N}])/gu

/**
 * The words of a question that may be misspelt: plain words of at least four letters, each once, without stop words. Not
 * numbers, codes and names of several parts, words in capitals, words with tones, and scripts without an alphabet.
 */
export function plainWordsOf(question: string): PlainWord[] {
  if (hasTones(question.normalize())) return []
  const words: PlainWord[] = []
  for (const word of new Set(withoutStopWords(question).normalize().match(WORD) ?? [])) {
    if (word === word.toUpperCase() && word !== word.toLowerCase()) continue
    const letters = lettersOf(word)
    const [term, ...others] = termsOf(word)
    if (term === undefined || others.length > 0 || letters.length < LEAST_LETTERS) continue
    if (alphabetOf(letters[0]!)) words.push({ word, letters, term })
  }
  return words
}

const lettersOf = (word: string): number[] =>
  Array.from(word.toLowerCase(), (character) => {
    const code = character.codePointAt(0)!
    const entry = characterEntry(code)
    return entryCode(entry) || (spellingOf(code) ?? [])
  }).flat()

/**
 * How frequent each typing error is: a letter left out, one too many, a wrong one, two in the wrong order. Rounded from
 * Pollock, Zamora, "Automatic Spelling Correction in Scientific and Scholarly Text", 1984.
 */
const ERRORS = { omission: 0.34, insertion: 0.27, substitution: 0.19, transposition: 0.13 }

/** All words that become this one by a single typing error, the likely ones and the others; some are no words. */
export function editsOf(letters: readonly number[]): Edit[] {
  const alphabet = alphabetOf(letters[0]!) ?? []
  const places = letters.length
  const edits: Edit[] = []
  const add = (at: number, left: number, put: readonly number[], likelihood: number) => {
    const edited = [...letters.slice(0, at), ...put, ...letters.slice(at + left)]
    edits.push({ term: termOf(edited), likelihood, letters: edited })
  }
  for (let at = 0; at <= places; at++) {
    const [here, next] = [letters[at], letters[at + 1]]
    if (here !== undefined) add(at, 1, [], ERRORS.insertion / places)
    if (here !== undefined && next !== undefined && here !== next)
      add(at, 2, [next, here], ERRORS.transposition / places)
    for (const letter of alphabet) {
      add(at, 0, [letter], ERRORS.omission / places / alphabet.length)
      if (here !== undefined && letter !== here)
        add(at, 1, [letter], ERRORS.substitution / places / alphabet.length)
    }
  }
  return edits
}

const scratch = new Uint32Array(64)

function termOf(letters: readonly number[]): number {
  scratch.set(letters)
  return wordTerm(scratch, letters.length)
}
