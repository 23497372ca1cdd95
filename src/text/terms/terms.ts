import { character, codeIn, isLetter, KIND, kindIn, spelling } from './character.ts'
import { Grams } from './grams.ts'
import { Names } from './names.ts'
import { PlainWords } from './plain-words.ts'

const FULL_STOP = 0x2e

/**
 * Finds the terms of texts one after another, as fingerprints. Passages and questions are read alike.
 *
 * - A word is one term: lower case, no accents, stemmed by its script.
 * - A name is a term for each part and one for the whole, with any separator: `getUser` and `get_user` are
 *   get, user and getuser; `v1.2` is v, 1, 2, v1 and v1.2.
 * - Where words are written without spaces, characters and pairs of characters are terms; pairs and threes where such
 *   a script is an alphabet.
 */
export class TermReader {
  readonly #names: Names
  readonly #grams: Grams
  readonly #plain = new PlainWords()
  readonly #visit: (term: number) => void

  constructor(visit: (term: number) => void) {
    this.#visit = visit
    this.#names = new Names(visit)
    this.#grams = new Grams(visit)
  }

  read(given: string): void {
    const text = given.normalize()
    const [names, grams] = [this.#names, this.#grams]
    let last: number = KIND.gap
    let beforeLast: number = KIND.gap
    for (let at = 0; at < text.length; at++) {
      let code = text.charCodeAt(at)
      if (code >= 0xd800 && code < 0xdc00) code = text.codePointAt(at++)!
      const entry = character(code)
      const kind = kindIn(entry)
      if (kind === KIND.silent || (kind === KIND.gap && last === KIND.gap)) continue
      if (isLetter(kind)) {
        if (last === KIND.gap && this.#plain.read(text, at)) {
          this.#visit(this.#plain.term)
          at = this.#plain.end - 1
          continue
        }
        if (kind !== last) {
          if (isLetter(last)) this.#turn(beforeLast, last, kind)
          else grams.end()
        }
        if (codeIn(entry) !== 0) names.add(codeIn(entry))
        else for (const one of spelling(code)) names.add(one)
      } else if (kind === KIND.pair || kind === KIND.triple) {
        names.endChain()
        if (kind !== last) grams.end()
        grams.add(codeIn(entry) || code, kind === KIND.pair ? 2 : 3)
      } else if (
        kind === KIND.gap ||
        !isLetter(last) ||
        !isLetter(kindIn(character(text.charCodeAt(at + 1) || 0)))
      ) {
        names.endChain()
        grams.end()
      } else if (kind === KIND.hyphen) names.endPart()
      else names.endName(code === FULL_STOP && last === KIND.digit ? code : undefined)
      beforeLast = last
      last = kind
    }
    names.endChain()
    grams.end()
  }

  /** Within a name: `getUser` is cut before the capital, `HTTPServer` before the last one, `mp3` at the digit. */
  #turn(beforeLast: number, last: number, kind: number): void {
    if (last !== KIND.capital || kind !== KIND.small) this.#names.endPart()
    else if (beforeLast === KIND.capital) this.#names.endPart(1)
  }
}
