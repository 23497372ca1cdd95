import { alikeLettersOf, sameLookIn } from './alike-letters.ts'
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
const MOST_LETTERS = 24

/** A word of letters alone, or a name of such words: `file-name`, `file_name`. Not a part of a chain: `file.name`. */
const NAME =
  /(?<![\p{L}\p{M}\p{N}._@/:-])[\p{L}\p{M}]+(?:[-_]+[\p{L}\p{M}]+)*(?![\p{L}\p{M}\p{N}]|[._@/:-][\p{L}\p{N}])/gu

/** Where the words of a name meet; as the term reader cuts it. */
const JOINT = /[-_]+|(?<=\p{Ll}\p{M}{0,3})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** Characters that are not seen, such as the one between the parts of a Persian word. */
const UNSEEN = /\p{Cf}/gu

/**
 * The words of a question that may be misspelt: words of at least four letters, and those of names such as `fileName`, each
 * once, without stop words. Not numbers, codes, chains such as `file.name`, words in capitals, words with tones, and scripts
 * without an alphabet.
 */
export function plainWordsOf(question: string): PlainWord[] {
  if (hasTones(question.normalize())) return []
  const names = withoutStopWords(question).normalize().replace(UNSEEN, '').match(NAME) ?? []
  const words: PlainWord[] = []
  for (const word of new Set(names.flatMap((name) => name.split(JOINT)))) {
    if (word.length > MOST_LETTERS || (word === word.toUpperCase() && word !== word.toLowerCase())) continue
    const letters = lettersOf(word)
    if (letters.length < LEAST_LETTERS || !alphabetOf(letters)) continue
    const [term, ...others] = termsOf(word)
    if (term !== undefined && others.length === 0) words.push({ word, letters, term })
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

/** How much more often a letter is typed for one that sounds or looks alike than for another one. */
const ALIKE = 8

/** All words that become this one by a single typing error, the likely ones and the others; some are no words. */
export function editsOf(typed: readonly number[]): Edit[] {
  const alphabet = alphabetOf(typed) ?? new Set<number>()
  const edits: Edit[] = []
  // A letter of another script that looks the same: no typing error beside it.
  const letters = typed.map((letter) => sameLookIn(alphabet, letter))
  if (letters.some((letter, at) => letter !== typed[at]))
    edits.push({ term: termOf(letters), likelihood: 1, letters })
  const places = letters.length
  const add = (at: number, left: number, put: readonly number[], likelihood: number) => {
    const edited = [...letters.slice(0, at), ...put, ...letters.slice(at + left)]
    edits.push({ term: termOf(edited), likelihood, letters: edited })
  }
  for (let at = 0; at <= places; at++) {
    const [here, next] = [letters[at], letters[at + 1]]
    if (here !== undefined) add(at, 1, [], ERRORS.insertion / places)
    if (here !== undefined && next !== undefined && here !== next)
      add(at, 2, [next, here], ERRORS.transposition / places)
    const alike = here === undefined ? undefined : alikeLettersOf(here)
    for (const letter of alphabet) {
      add(at, 0, [letter], ERRORS.omission / places / alphabet.size)
      if (here !== undefined && letter !== here)
        add(
          at,
          1,
          [letter],
          ((alike?.has(letter) ? ALIKE : 1) * ERRORS.substitution) / places / alphabet.size,
        )
    }
  }
  return edits
}

const scratch = new Uint32Array(64)

function termOf(letters: readonly number[]): number {
  scratch.set(letters)
  return wordTerm(scratch, letters.length)
}
