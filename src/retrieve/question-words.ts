import type { SpellingReading, TermFacts } from '../contract/search.ts'
import { readPart, termsOf } from '../text/terms/question.ts'

/** A word of a question: how many of the stored texts have it; null where it is too common to count, and is not searched. */
export type AskedWord = { word: string; holders: number | null; texts: number }

/** A word, or words that belong together: `file-name`, `v1.2`. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[-_.@/:'’][\p{L}\p{M}\p{N}]+)*/gu

/** Where the parts of such a word meet, as the reader of terms cuts it. */
const JOINT = /[-_.@/:'’]+|(?<=\p{Ll}\p{M}{0,3})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})/u

/** Scripts without spaces: their terms are characters and pairs or triples of them. */
const WITHOUT_SPACES =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[\u{20000}-\u{3fffd}]/u

const LONGEST_GRAM = 3

/** How many different words of a question are named. */
const MOST_WORDS = 200

/** The words of a question and of what was searched beside it, by their terms. */
export class QuestionWords {
  readonly #byTerm = new Map<number, string>()
  readonly #words: string[]

  /** @param beside other texts that were searched: other spellings, earlier questions */
  constructor(question: string, beside: readonly string[] = []) {
    this.#words = [...new Set(readPart(question).match(WORD) ?? [])].slice(0, MOST_WORDS)
    const others = beside.flatMap((text) => readPart(text).match(WORD) ?? []).slice(0, MOST_WORDS)
    for (const word of [...this.#words, ...others]) this.#name(word)
  }

  /** Those of a question that was searched with other spellings and earlier questions. */
  static of(
    question: string,
    readings: readonly SpellingReading[],
    earlier: readonly { text: string }[] = [],
  ): QuestionWords {
    return new QuestionWords(question, [
      ...readings.flatMap(({ readAs }) => readAs),
      ...earlier.map(({ text }) => text),
    ])
  }

  /** The word of a term, or the part of a word; undefined where none has it. */
  of(term: number): string | undefined {
    return this.#byTerm.get(term)
  }

  /** The words in the order of the question, each once, with how many texts have their rarest term. */
  counted({ terms, passages }: TermFacts): AskedWord[] {
    const holdersOf = new Map(terms.map(({ term, holders }) => [term, holders]))
    return this.#words.map((word) => {
      const counts = [...termsOf(word)].flatMap((term) => holdersOf.get(term) ?? [])
      return { word, holders: counts.length > 0 ? Math.min(...counts) : null, texts: passages }
    })
  }

  #name(word: string): void {
    const parts = word.split(JOINT).filter((part) => part !== '')
    for (const part of [...parts, ...(WITHOUT_SPACES.test(word) ? gramsOf(word) : [])]) {
      const [term, ...others] = termsOf(part)
      if (term !== undefined && others.length === 0) this.#add(term, part)
    }
    for (const term of termsOf(word)) this.#add(term, word)
  }

  #add(term: number, word: string): void {
    if (!this.#byTerm.has(term)) this.#byTerm.set(term, word)
  }
}

/** The characters of a word, and the pairs and triples of characters that follow one another. */
function gramsOf(word: string): string[] {
  const characters = [...word]
  return characters.flatMap((_, at) =>
    Array.from({ length: LONGEST_GRAM }, (_, more) => characters.slice(at, at + more + 1).join('')),
  )
}
