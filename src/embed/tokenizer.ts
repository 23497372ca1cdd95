import { normaliseText } from './normalise.ts'
import { ShortWordCache } from './short-words.ts'
import { WORD_CONTINUATION, WORD_START, TokenTrie } from './token-trie.ts'
import { eachWord } from './words.ts'

/** Marks the tokens that continue a word. */
const CONTINUES = '##'

/** Cuts texts into the tokens of a vocabulary. A word without any known token gives none. */
export class Tokenizer {
  readonly #trie: TokenTrie
  readonly #shortWords = new ShortWordCache()

  constructor(vocabulary: readonly string[]) {
    this.#trie = new TokenTrie(vocabulary.length)
    for (let id = 0; id < vocabulary.length; id++) {
      const token = vocabulary[id]!
      const continues = token.length > CONTINUES.length && token.startsWith(CONTINUES)
      if (continues) this.#trie.add(WORD_CONTINUATION, token, CONTINUES.length, id)
      else this.#trie.add(WORD_START, token, 0, id)
    }
  }

  /** The ids of a text's tokens, in order. */
  tokens(text: string): number[] {
    const ids: number[] = []
    const normal = normaliseText(text)
    eachWord(normal, (from, to, isCjk) => {
      if (isCjk) this.#characters(normal, from, to, ids)
      else this.#word(normal, from, to, ids)
    })
    return ids
  }

  #word(text: string, from: number, to: number, ids: number[]): void {
    const known = this.#shortWords.find(text, from, to)
    if (known >= 0) {
      ids.push(known)
      return
    }
    const token = this.#trie.longest(WORD_START, text, from, to)
    if (token >= 0 && this.#trie.length === to - from) this.#shortWords.keep(token)
    this.#pieces(text, from, to, token, ids)
  }

  /**
   * The longest token at the start, which the trie has just found, then the longest continuation at each further position;
   * characters without a token are skipped.
   */
  #pieces(text: string, from: number, to: number, first: number, ids: number[]): void {
    const trie = this.#trie
    let token = first
    for (let at = from; ; token = trie.longest(WORD_CONTINUATION, text, at, to)) {
      if (token >= 0) ids.push(token)
      at += token >= 0 ? trie.length : lengthOfPoint(text, at)
      if (at >= to) return
    }
  }

  /** Every character, and after it the pair that begins with it. */
  #characters(text: string, from: number, to: number, ids: number[]): void {
    const addIfKnown = (start: number, end: number) => {
      const token = this.#trie.longest(WORD_START, text, start, end)
      if (token >= 0 && this.#trie.length === end - start) ids.push(token)
    }
    for (let at = from; at < to; ) {
      const next = at + lengthOfPoint(text, at)
      addIfKnown(at, next)
      if (next < to) addIfKnown(at, next + lengthOfPoint(text, next))
      at = next
    }
  }
}

/** Length of the code point at a position, in UTF-16 units. */
function lengthOfPoint(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1
}
