import { termFingerprint } from './term-fingerprint.ts'
import { isLatin, stemmerOf } from './stem.ts'
import { LATIN_LENGTH, wordTerm } from './word-term.ts'

/** In characters. A longer name gives only the terms of its parts, and a longer part only its beginning. */
const LONGEST = 96

/**
 * Terms of words, names and chains. A chain consists of names (`v1.2.3`), a name of parts (`get_user`); a plain word
 * is a chain of one name with one part. Each part is a term, and so is each name of several parts and each chain of
 * several names.
 */
export class NameTerms {
  readonly #visit: (term: number) => void
  /** The chain so far, without the characters that join it. */
  readonly #codes = new Uint32Array(LONGEST)
  readonly #word = new Uint32Array(LONGEST)
  #length = 0
  #partFrom = 0
  #nameFrom = 0
  #parts = 0
  #names = 0
  #tooLong = false

  constructor(visit: (term: number) => void) {
    this.#visit = visit
  }

  add(code: number): void {
    if (this.#length === LONGEST) {
      if (this.#partFrom === 0) return
      this.#keepPart()
      this.#tooLong = true
    }
    this.#codes[this.#length++] = code
  }

  /** The next letter begins another part; `back` letters of this one belong to it already. */
  endPart(back = 0): void {
    const to = this.#length - back
    if (to <= this.#partFrom) return
    this.#visitPart(this.#partFrom, to)
    this.#parts++
    this.#partFrom = to
  }

  /** The next letter begins another name; `link` is part of the chain. */
  endName(link?: number): void {
    this.endPart()
    if (this.#parts > 1) this.#visitWhole(this.#nameFrom)
    if (this.#parts > 0) this.#names++
    this.#parts = 0
    if (link !== undefined) this.add(link)
    this.#partFrom = this.#nameFrom = this.#length
  }

  endChain(): void {
    if (this.#length === 0) return
    this.endName()
    if (this.#names > 1) this.#visitWhole(0)
    this.#length = this.#partFrom = this.#nameFrom = this.#parts = this.#names = 0
    this.#tooLong = false
  }

  /** Keeps the part so far, as the beginning of a chain. */
  #keepPart(): void {
    this.#codes.copyWithin(0, this.#partFrom, this.#length)
    this.#length -= this.#partFrom
    this.#partFrom = this.#nameFrom = this.#parts = this.#names = 0
  }

  #visitPart(from: number, to: number): void {
    this.#copy(from, to)
    this.#visit(wordTerm(this.#word, to - from))
  }

  /**
   * Visits the whole with all its letters, because names differ by their ends; a long Latin one also in the length of
   * a word.
   */
  #visitWhole(from: number): void {
    if (this.#tooLong) return
    this.#copy(from, this.#length)
    const length = stemmerOf(this.#word[0]!)(this.#word, this.#length - from)
    this.#visit(termFingerprint(this.#word, 0, length))
    if (length > LATIN_LENGTH && this.#word.subarray(0, length).every(isLatin))
      this.#visit(termFingerprint(this.#word, 0, LATIN_LENGTH))
  }

  #copy(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#word[at - from] = this.#codes[at]!
  }
}
