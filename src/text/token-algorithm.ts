import type { Piece } from '../contract/splitter.ts'
import { tokenEnds } from './byte-pairs.ts'
import { copyString } from './copy-string.ts'
import type { TokenEncoding } from './token-encodings.ts'
import type { StreamedText } from './streamed-text.ts'
import type { CutAlgorithm } from './streaming-cutter.ts'
import type { ChunkSizes } from './chunk-sizes.ts'

/**
 * Units that are encoded at once. A longer word is encoded in sections of this length, because its time grows faster
 * than its length; its tokens at the seams may differ from those of LangChain.
 */
const SECTION_UNITS = 16_384
/** The cache of words with the ends of their tokens: how many words, and how long they are at most. */
const CACHED_WORDS = 50_000
const MAX_CACHED_LENGTH = 40

/**
 * Windows of tokens over a text, which overlap by `chunkOverlap`.
 *
 * A token may end inside a character. Such an end is the position of the character plus a quarter for each of its
 * UTF-8 bytes before the end; a chunk that begins or ends there contains a replacement character, as in LangChain.
 */
export class TokenAlgorithm implements CutAlgorithm {
  readonly #text: StreamedText
  readonly #sizes: ChunkSizes
  readonly #encoding: TokenEncoding
  readonly #cache = new Map<string, readonly number[]>()
  /** Where the tokens of the window begin, and where the last one ends. */
  #bounds = [0]
  #hasNewTokens = false

  constructor(streamed: StreamedText, sizes: ChunkSizes, encoding: TokenEncoding) {
    this.#text = streamed
    this.#sizes = sizes
    this.#encoding = encoding
  }

  cut(): Piece[] {
    const streamed = this.#text
    for (;;) {
      const from = this.#bounds.at(-1)!
      const until = Math.min(from + SECTION_UNITS, streamed.end)
      const isEnd = until === streamed.end
      const stop = isEnd && streamed.complete ? until : this.#wordEnd(from, until)
      if (stop > from) this.#encode(from, streamed.slice(from, stop).toWellFormed())
      if (isEnd || stop === from) break
    }
    if (streamed.complete && this.#hasNewTokens) this.#take()
    if (!streamed.complete) streamed.release(Math.floor(this.#bounds[0]!))
    return streamed.drainPieces()
  }

  /**
   * Where the last word of a section ends; `from` if it may continue after the section. A word that fills a whole
   * section ends with it.
   */
  #wordEnd(from: number, until: number): number {
    const text = this.#text.slice(from, until)
    const end = lastEnd(text, LETTER, LETTER_OR_HALF) || lastEnd(text, DIGIT, WORD_OR_HALF)
    if (end > 0 || until - from < SECTION_UNITS) return from + end
    return isHighHalf(text.charCodeAt(text.length - 1)) ? until - 1 : until
  }

  #encode(from: number, text: string): void {
    const { chunkSize, chunkOverlap } = this.#sizes
    let at = from
    for (const word of text.match(this.#encoding.pattern) ?? []) {
      for (const end of this.#endsOf(word)) {
        this.#bounds.push(at + end)
        this.#hasNewTokens = true
        if (this.#bounds.length <= chunkSize) continue
        this.#take()
        this.#bounds = this.#bounds.slice(chunkSize - chunkOverlap)
      }
      at += word.length
    }
  }

  #endsOf(word: string): readonly number[] {
    const known = this.#cache.get(word)
    if (known) return known
    const ends = endsInUnits(word, this.#encoding)
    if (word.length <= MAX_CACHED_LENGTH) {
      if (this.#cache.size >= CACHED_WORDS) this.#cache.clear()
      this.#cache.set(copyString(word), ends)
    }
    return ends
  }

  #take(): void {
    this.#hasNewTokens = false
    const first = this.#bounds[0]!
    const last = this.#bounds.at(-1)!
    const start = Math.floor(first)
    const whole = Math.floor(last)
    const cutCharacter = whole === last ? '' : firstCharacter(this.#text.slice(whole, whole + 2))
    const end = whole + cutCharacter.length
    const text = this.#text.slice(start, end).toWellFormed()
    if (cutCharacter === '' && start === first) this.#text.addPiece(start, end, text.replace(/^\ufeff/, ''))
    else {
      const bytes = Buffer.from(text)
      const missing = cutCharacter === '' ? 0 : Buffer.byteLength(cutCharacter) - (last - whole) * 4
      const held = bytes.subarray((first - start) * 4, bytes.length - missing)
      // TextDecoder removes a byte order mark at the front, as `replace` does above.
      this.#text.addPiece(start, end, new TextDecoder().decode(held))
    }
  }
}

const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0)!)

/** Where the tokens of a word end, in UTF-16 code units and quarters as in {@link TokenAlgorithm}. */
function endsInUnits(word: string, encoding: TokenEncoding): number[] {
  const bytes = Buffer.from(word)
  const ends = tokenEnds(bytes.toString('latin1'), encoding)
  if (bytes.length === word.length) return ends
  const units = new Map<number, number>()
  let byte = 0
  let unit = 0
  for (const character of word) {
    const length = Buffer.byteLength(character)
    for (let inside = 1; inside < length; inside++) units.set(byte + inside, unit + inside / 4)
    byte += length
    unit += character.length
    units.set(byte, unit)
  }
  return ends.map((end) => units.get(end)!)
}

/**
 * The last position where a character of `kind` is followed by one that is not of `other`; 0 if there is none. In
 * every encoding a token of letters ends with its word, and a token of digits ends before a character that is neither
 * a letter nor a digit: so the text before this position can be encoded separately.
 */
function lastEnd(text: string, kind: RegExp, other: RegExp): number {
  for (let at = text.length - 1; at > 0; at--)
    if (kind.test(text.charAt(at - 1)) && !other.test(text.charAt(at))) return at
  return 0
}

const LETTER = /\p{L}/u
const LETTER_OR_HALF = /[\p{L}\p{Cs}]/u
const DIGIT = /\p{N}/u
const WORD_OR_HALF = /[\p{L}\p{M}\p{N}\p{Cs}]/u
const isHighHalf = (unit: number): boolean => unit >>> 10 === 0x36
