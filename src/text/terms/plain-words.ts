import { characterEntry, entryCode, isWordKind, CHARACTER_KIND, entryKind } from './character.ts'
import { WordCache } from './word-cache.ts'
import { wordTerm } from './word-term.ts'

const LONGEST = 48
const SMALL_A = 0x61
const SMALL_Z = 0x7a

/** Shared by all readers of the thread: every batch meets the words of the last. */
const memory = new WordCache()

/** The shortest way for what most of a text is: a word of letters, small but for the first, with gaps around it. */
export class PlainWordReader {
  readonly #word = new Uint32Array(LONGEST)
  /** The term of the last word that was read, and where it ends. */
  term = 0
  end = 0

  /** Whether such a word begins here, and no other way of reading it is right. */
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
    this.term = memory.termOf(first, second)
    if (this.term === 0) {
      this.term = wordTerm(word, at - from)
      memory.keep(first, second, this.term)
    }
    return true
  }
}

/** Whether what could go on with a name does not: the full stop of a sentence. */
const endsBefore = (kind: number, text: string, at: number): boolean =>
  (kind === CHARACTER_KIND.link || kind === CHARACTER_KIND.hyphen) &&
  !isWordKind(entryKind(characterEntry(text.charCodeAt(at + 1) || 0)))
