import { TermReader } from '../../text/terms/terms.ts'

/** Characters of a question that are read for its sequence of terms, and the most terms of that. */
const MOST_CHARACTERS = 1024
const MOST_SEQUENCE = 64

/** A term of the question: its number among the weighted ones, -1 for a stop word, and its places in the sequence. */
type AskedTerm = { number: number; places: number[] }

/** What passages are compared with: the terms of a question, with and without stop words. */
export class QuestionTerms {
  /** The weight of each term, by its number. */
  readonly weights: number[]
  /** The sum of all weights. */
  readonly total: number
  /** How many terms the question has, stop words and repetitions too. */
  readonly sequence: number
  readonly #terms = new Map<number, AskedTerm>()

  /** @param weights the weight of each term: as asked × rarity in the index */
  constructor(text: string, weights: ReadonlyMap<number, number>) {
    this.weights = [...weights.values()]
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0) || 1
    for (const term of weights.keys()) this.#terms.set(term, { number: this.#terms.size, places: [] })
    const sequence: number[] = []
    new TermReader((term) => sequence.push(term)).read(text.slice(0, MOST_CHARACTERS))
    this.sequence = Math.min(sequence.length, MOST_SEQUENCE)
    for (const [place, term] of sequence.slice(0, MOST_SEQUENCE).entries()) {
      const known = this.#terms.get(term)
      if (known) known.places.push(place)
      else this.#terms.set(term, { number: -1, places: [place] })
    }
  }

  find(term: number): AskedTerm | undefined {
    return this.#terms.get(term)
  }
}
