import type { Piece } from '../contract/splitter.ts'
import { tokenEnds } from './byte-pairs.ts'
import { copyString } from './copy-string.ts'
import type { TokenEncoding } from './token-encodings.ts'
import type { StreamedText } from './streamed-text.ts'
import type { CutAlgorithm } from './streaming-cutter.ts'
import type { ChunkSizes } from './chunk-sizes.ts'

/**
 * How much text is encoded in one go. A word that is longer is encoded in pieces of this length, so that its tokens at
 * the seams may be others than those of the original: the time that a word takes grows faster than its length.
 */
const STRETCH = 16_384
/** Words are remembered with the ends of their tokens: so many, up to this length. */
const REMEMBERED = 50_000
const SHORT = 40

/**
 * Windows of tokens over a text, each stepping back by the overlap.
 *
 * A token may end inside a character. Such an end is the character's position and a quarter for each of its UTF-8
 * bytes that lie before it; a chunk beginning or ending there holds a replacement character, as the original's does.
 */
export class TokenAlgorithm implements CutAlgorithm {
  readonly #scroll: StreamedText
  readonly #sizes: ChunkSizes
  readonly #encoding: TokenEncoding
  readonly #remembered = new Map<string, readonly number[]>()
  /** Where the tokens of the window begin, and where the last one ends. */
  #bounds = [0]
  #fresh = false

  constructor(scroll: StreamedText, sizes: ChunkSizes, encoding: TokenEncoding) {
    this.#scroll = scroll
    this.#sizes = sizes
    this.#encoding = encoding
  }

  cut(): Piece[] {
    const scroll = this.#scroll
    for (;;) {
      const from = this.#bounds.at(-1)!
      const until = Math.min(from + STRETCH, scroll.end)
      const isEnd = until === scroll.end
      const stop = isEnd && scroll.complete ? until : this.#wordEnd(from, until)
      if (stop > from) this.#encode(from, scroll.slice(from, stop).toWellFormed())
      if (isEnd || stop === from) break
    }
    if (scroll.complete && this.#fresh) this.#take()
    if (!scroll.complete) scroll.release(Math.floor(this.#bounds[0]!))
    return scroll.drainPieces()
  }

  /** Where the last word of a stretch ends. One that fills a whole stretch ends with it; one that may go on, nowhere yet. */
  #wordEnd(from: number, until: number): number {
    const text = this.#scroll.slice(from, until)
    const end = lastEnd(text, LETTER, LETTER_OR_HALF) || lastEnd(text, DIGIT, WORD_OR_HALF)
    if (end > 0 || until - from < STRETCH) return from + end
    return isHighHalf(text.charCodeAt(text.length - 1)) ? until - 1 : until
  }

  #encode(from: number, text: string): void {
    const { chunkSize, chunkOverlap } = this.#sizes
    let at = from
    for (const word of text.match(this.#encoding.pattern) ?? []) {
      for (const end of this.#endsOf(word)) {
        this.#bounds.push(at + end)
        this.#fresh = true
        if (this.#bounds.length <= chunkSize) continue
        this.#take()
        this.#bounds = this.#bounds.slice(chunkSize - chunkOverlap)
      }
      at += word.length
    }
  }

  #endsOf(word: string): readonly number[] {
    const known = this.#remembered.get(word)
    if (known) return known
    const ends = endsInUnits(word, this.#encoding)
    if (word.length <= SHORT) {
      if (this.#remembered.size >= REMEMBERED) this.#remembered.clear()
      this.#remembered.set(copyString(word), ends)
    }
    return ends
  }

  #take(): void {
    this.#fresh = false
    const first = this.#bounds[0]!
    const last = this.#bounds.at(-1)!
    const start = Math.floor(first)
    const whole = Math.floor(last)
    const broken = whole === last ? '' : firstCharacter(this.#scroll.slice(whole, whole + 2))
    const end = whole + broken.length
    const text = this.#scroll.slice(start, end).toWellFormed()
    if (broken === '' && start === first) this.#scroll.addPiece(start, end, text.replace(/^\ufeff/, ''))
    else {
      const bytes = Buffer.from(text)
      const missing = broken === '' ? 0 : Buffer.byteLength(broken) - (last - whole) * 4
      const held = bytes.subarray((first - start) * 4, bytes.length - missing)
      // It drops a byte order mark at the front, as above.
      this.#scroll.addPiece(start, end, new TextDecoder().decode(held))
    }
  }
}

const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0)!)

/** Where the tokens of a word end, in UTF-16 code units and quarters as {@link TokenAlgorithm} has them. */
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
 * The last place in a text where a character of one kind is followed by something that is not of the other, 0 where
 * there is none. In every pattern a token of letters ends with its word, and a token of digits ends before a character
 * that is neither: the text before this place can be encoded by itself.
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
