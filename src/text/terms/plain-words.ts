import { characterEntry, entryCode, isTonal, isWordKind, CHARACTER_KIND, entryKind } from './character.ts'
import { WordCache } from './word-cache.ts'
import { wordTerm } from './word-term.ts'

const LONGEST = 48
const SMALL_A = 0x61
const SMALL_Z = 0x7a

/** Shared by all readers of the thread: a batch has many words of the one before. */
const cache = new WordCache()

/** Fast path for most of any text: a word of lower-case letters, except perhaps the first one, between gaps. */
export class PlainWordReader {
  readonly #word = new Uint32Array(LONGEST)
  /** The term of the last word that was read, and where it ends. */
  term = 0
  end = 0
  /** Whether a letter of a language with tones was read since this was set to false. */
  tonal = false

  /** Reads a plain word at `from`; false if there is none, or if it has to be read in the general way. */
  read(text: string, from: number): boolean {
    const word = this.#word
    let first = 0x811c9dc5 | 0
    let second = 0x9e3779b9 | 0
    let at = from
    for (; at < text.length; at++) {
      let code = text.charCodeAt(at)
      if (code < SMALL_A || code > SMALL_Z) {
        const entry = characterEntry(code)
        const kind = entryKind(entry)
        if (isTonal(entry)) this.tonal = true
        if (kind !== CHARACTER_KIND.small && (kind !== CHARACTER_KIND.capital || at > from)) {
          if (kind !== CHARACTER_KIND.gap && !endsBefore(kind, text, at)) return false
          break
        }
        code = entryCode(entry)
        if (code === 0) return false
      }
      if (at - from === LONGEST) return false
      word[at - from] = code
      first = Math.imul(first ^ code, 0x01000193)
      second = (Math.imul(second, 33) + code) | 0
    }
    this.end = at
    first ^= first >>> 15
    this.term = cache.termOf(first, second)
    if (this.term === 0) {
      this.term = wordTerm(word, at - from)
      cache.keep(first, second, this.term)
    }
    return true
  }
}

/** Whether a character that could join names ends the word here: the full stop of a sentence. */
const endsBefore = (kind: number, text: string, at: number): boolean =>
  (kind === CHARACTER_KIND.link || kind === CHARACTER_KIND.hyphen) &&
  !isWordKind(entryKind(characterEntry(text.charCodeAt(at + 1) || 0)))
