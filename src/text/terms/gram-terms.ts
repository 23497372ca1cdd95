import { termFingerprint } from './term-fingerprint.ts'

/** N-grams of consecutive characters of a script without spaces: of one and two characters, or of two and three. */
export class GramTerms {
  readonly #visit: (term: number) => void
  readonly #codes = new Uint32Array(3)
  /** Characters of this run so far, three at most. */
  #length = 0

  constructor(visit: (term: number) => void) {
    this.#visit = visit
  }

  /** Adds a character. @param longest the longest n-gram: 2 or 3 characters */
  add(code: number, longest: number): void {
    const codes = this.#codes
    codes[0] = codes[1]!
    codes[1] = codes[2]!
    codes[2] = code
    if (this.#length < 3) this.#length++
    for (let length = longest - 1; length <= longest && length <= this.#length; length++)
      if (length > 1 || !isKana(code)) this.#visit(termFingerprint(codes, 3 - length, 3))
  }

  end(): void {
    this.#length = 0
  }
}

/** A single kana says nothing, unlike a Chinese character or a Korean syllable. */
const isKana = (code: number): boolean => code >= 0x3040 && code < 0x3100
