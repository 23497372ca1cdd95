import {
  characterEntry,
  entryCode,
  isTonal,
  isWordKind,
  CHARACTER_KIND,
  entryKind,
  spellingOf,
} from './character.ts'
import { GramTerms } from './gram-terms.ts'
import { NameTerms } from './name-terms.ts'
import { PlainWordReader } from './plain-words.ts'
import { eachTonedTerm } from './tones.ts'

const FULL_STOP = 0x2e

/**
 * Finds the terms of texts one after another, as fingerprints. Passages and questions are read in the same way.
 *
 * - A word is one term: lower case, no accents, stemmed by its script.
 * - A name is a term for each part and one for the whole, with any separator: `getUser` and `get_user` are get, user
 *   and getuser; `v1.2` is v, 1, 2, v1 and v1.2.
 * - A word with accents in a text with tones, such as a Vietnamese one, is a second term with its accents.
 * - In scripts without spaces, characters and pairs of characters are terms; if such a script is an alphabet, pairs
 *   and triples.
 */
export class TermReader {
  readonly #names: NameTerms
  readonly #grams: GramTerms
  readonly #plain = new PlainWordReader()
  readonly #visit: (term: number) => void

  constructor(visit: (term: number) => void) {
    this.#visit = visit
    this.#names = new NameTerms(visit)
    this.#grams = new GramTerms(visit)
  }

  /** @param tonal whether the text is in a language with tones, where that is known; otherwise its letters decide */
  read(given: string, tonal = false): void {
    const text = given.normalize()
    const [names, grams] = [this.#names, this.#grams]
    let last: number = CHARACTER_KIND.gap
    let beforeLast: number = CHARACTER_KIND.gap
    this.#plain.tonal = tonal
    for (let at = 0; at < text.length; at++) {
      let code = text.charCodeAt(at)
      if (code >= 0xd800 && code < 0xdc00) code = text.codePointAt(at++)!
      const entry = characterEntry(code)
      const kind = entryKind(entry)
      if (isTonal(entry)) this.#plain.tonal = true
      if (kind === CHARACTER_KIND.silent || (kind === CHARACTER_KIND.gap && last === CHARACTER_KIND.gap))
        continue
      if (isWordKind(kind)) {
        if (last === CHARACTER_KIND.gap && this.#plain.read(text, at)) {
          this.#visit(this.#plain.term)
          at = this.#plain.end - 1
          continue
        }
        if (kind !== last) {
          if (isWordKind(last)) this.#endPartBetween(beforeLast, last, kind)
          else grams.end()
        }
        if (entryCode(entry) !== 0) names.add(entryCode(entry))
        else for (const one of spellingOf(code)) names.add(one)
      } else if (kind === CHARACTER_KIND.pair || kind === CHARACTER_KIND.triple) {
        names.endChain()
        if (kind !== last) grams.end()
        grams.add(entryCode(entry) || code, kind === CHARACTER_KIND.pair ? 2 : 3)
      } else if (
        kind === CHARACTER_KIND.gap ||
        !isWordKind(last) ||
        !isWordKind(entryKind(characterEntry(text.charCodeAt(at + 1) || 0)))
      ) {
        names.endChain()
        grams.end()
      } else if (kind === CHARACTER_KIND.hyphen) names.endPart()
      else names.endName(code === FULL_STOP && last === CHARACTER_KIND.digit ? code : undefined)
      beforeLast = last
      last = kind
    }
    names.endChain()
    grams.end()
    if (this.#plain.tonal) eachTonedTerm(text, this.#visit)
  }

  /**
   * Ends a part inside a name: `getUser` is cut before the capital, `HTTPServer` before the last one, `mp3` at the
   * digit.
   */
  #endPartBetween(beforeLast: number, last: number, kind: number): void {
    if (last !== CHARACTER_KIND.capital || kind !== CHARACTER_KIND.small) this.#names.endPart()
    else if (beforeLast === CHARACTER_KIND.capital) this.#names.endPart(1)
  }
}
