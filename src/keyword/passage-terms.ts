import { TermReader } from '../text/terms/terms.ts'
import { TermNumbers } from './term-numbers.ts'

/** The terms of some texts, as lists of numbers that a thread can be given without a copy. */
export type PassageTerms = {
  /** The different terms of all texts, in ascending order. */
  terms: Float64Array<ArrayBuffer>
  /** For each different term of each text, one text after another: its place in `terms`, and how often it occurs. */
  places: Int32Array<ArrayBuffer>
  occurrences: Int32Array<ArrayBuffer>
  /** Where the entries of each text begin, and then the end of the last. */
  starts: Int32Array<ArrayBuffer>
  /** How many terms each text has, repeated ones too. */
  lengths: Int32Array<ArrayBuffer>
}

/** The buffers of a list of terms, to be moved to a thread. */
export const buffersOf = ({ terms, places, occurrences, starts, lengths }: PassageTerms): ArrayBuffer[] =>
  [terms, places, occurrences, starts, lengths].map(({ buffer }) => buffer)

/** Reads the terms of texts, one after another. */
export class PassageTermsReader {
  readonly #numbers = new TermNumbers()
  readonly #reader = new TermReader((term) => this.#note(term))
  /** For each different term of each text, one text after another: the term's number and how often it occurs. */
  #noted = new Int32Array(1 << 15)
  #occurrences = new Int32Array(1 << 15)
  #length = 0
  readonly #starts: number[] = []
  readonly #lengths: number[] = []
  /** Where the entries of the current text begin; read for every term. */
  #start = 0
  /** The last entry of each term. If it is before `#start`, it belongs to an earlier text. */
  #lastNotes = new Int32Array(1 << 12).fill(-1)
  #terms = 0

  /** Returns the number of the text: how many were read before it. */
  read(text: string): number {
    this.#start = this.#length
    this.#terms = 0
    this.#reader.read(text)
    this.#lengths.push(this.#terms)
    return this.#starts.push(this.#start) - 1
  }

  /** How many texts were read. */
  get size(): number {
    return this.#starts.length
  }

  /** Adds texts that another reader has read, in place of reading them. */
  take({ terms, places, occurrences, starts, lengths }: PassageTerms): void {
    const numberOf = Int32Array.from(terms, (term) => this.#numbers.numberOf(term))
    const first = this.#length
    this.#length += places.length
    while (this.#noted.length < this.#length) this.#grow()
    for (let at = 0; at < places.length; at++) this.#noted[first + at] = numberOf[places[at]!]!
    this.#occurrences.set(occurrences, first)
    for (let text = 0; text < lengths.length; text++) {
      this.#starts.push(first + starts[text]!)
      this.#lengths.push(lengths[text]!)
    }
  }

  /** The terms of all texts. Can be called once. */
  end(): PassageTerms {
    const numbers = this.#numbers
    const terms = numbers.terms.slice(0, numbers.size).sort()
    const placeOf = new Int32Array(terms.length)
    for (let place = 0; place < terms.length; place++) placeOf[numbers.numberOf(terms[place]!)] = place
    const places = this.#noted.slice(0, this.#length)
    for (let at = 0; at < places.length; at++) places[at] = placeOf[places[at]!]!
    return {
      terms,
      places,
      occurrences: this.#occurrences.slice(0, this.#length),
      starts: Int32Array.from([...this.#starts, this.#length]),
      lengths: Int32Array.from(this.#lengths),
    }
  }

  #note(term: number): void {
    this.#terms++
    const number = this.#numbers.numberOf(term)
    while (number >= this.#lastNotes.length) this.#lastNotes = grown(this.#lastNotes, -1)
    const last = this.#lastNotes[number]!
    if (last >= this.#start) {
      this.#occurrences[last]!++
      return
    }
    if (this.#length === this.#noted.length) this.#grow()
    this.#lastNotes[number] = this.#length
    this.#noted[this.#length] = number
    this.#occurrences[this.#length++] = 1
  }

  #grow(): void {
    this.#noted = grown(this.#noted)
    this.#occurrences = grown(this.#occurrences)
  }
}

function grown(numbers: Int32Array<ArrayBuffer>, rest = 0): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * numbers.length).fill(rest, numbers.length)
  more.set(numbers)
  return more
}
