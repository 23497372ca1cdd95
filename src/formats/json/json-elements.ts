import { SluiceError } from '../../kit/errors.ts'
import type { FileLimits } from '../limits.ts'

/** A top-level value of a file: its only value, or an element of its array. */
export type TopLevelValue = {
  text: string
  /** Index in the array, from 0; undefined for the only value of a file. */
  index: number | undefined
  /** Position in the file; line and column from 1. */
  start: Place
}

type Place = { line: number; column: number }

const SPACE = /[ \t\r\n]/

/**
 * Yields the elements of the array in a JSON file, or its single value, while the file is read: memory is bounded by
 * the longest element. Only strings, brackets and commas are tracked; the parser of each element checks the rest.
 *
 * @returns whether the file is an array
 * @throws SluiceError `file_unreadable` if the array is not well formed, `file_over_limit` for a value longer than
 *    `limits.jsonBytes` characters
 */
export async function* topLevelValues(
  pieces: AsyncIterable<string> | Iterable<string>,
  file: string,
  limits: FileLimits,
): AsyncGenerator<TopLevelValue, boolean> {
  const cutter = new ArrayCutter(file)
  let whole: string | undefined
  let began = false
  let before = ''
  for await (const piece of pieces) {
    let text = piece
    if (!began) {
      before += text
      const content = before.trimStart()
      if (content === '') continue
      began = true
      text = before
      if (!content.startsWith('[')) whole = ''
    }
    if (whole === undefined) yield* cutter.cut(text)
    else whole += text
    if ((whole ?? cutter.held).length > limits.jsonBytes) {
      const reason = `one of its values has more than ${Math.floor(limits.jsonBytes / 2 ** 20)} million characters`
      throw new SluiceError('file_over_limit', { file, reason })
    }
  }
  if (began && whole === undefined) {
    cutter.end()
    return true
  }
  yield { text: whole ?? before, index: undefined, start: { line: 1, column: 1 } }
  return false
}

/** Cuts the text of one array, which arrives in pieces, at the commas between its elements. */
class ArrayCutter {
  /** The text so far of the element that is not complete. */
  held = ''
  readonly #file: string
  #depth = 0
  #inString = false
  #escaped = false
  #isOver = false
  #index = 0
  #place: Place = { line: 1, column: 1 }
  #start: Place = { line: 1, column: 1 }

  constructor(file: string) {
    this.#file = file
  }

  *cut(piece: string): Generator<TopLevelValue> {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      if (this.#inString) {
        at = this.#endOfString(piece, at)
        continue
      }
      const character = piece.charCodeAt(at)
      if (this.#isOver) {
        if (SPACE.test(piece[at]!)) continue
        this.#advance(piece.slice(from, at))
        throw this.#invalid()
      }
      if (character === QUOTE) this.#inString = true
      else if (character === OPEN_LIST || character === OPEN_OBJECT) {
        if (this.#depth++ > 0) continue
        this.#advance(piece.slice(from, at + 1))
        this.#start = this.#place
        from = at + 1
      } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) {
        if (--this.#depth > 0) continue
        if (character === CLOSE_OBJECT) {
          this.#advance(piece.slice(from, at))
          throw this.#invalid()
        }
        this.#isOver = true
        yield* this.#element(piece, from, at)
        from = at + 1
      } else if (character === COMMA && this.#depth === 1) {
        yield* this.#element(piece, from, at)
        from = at + 1
      }
    }
    this.held += piece.slice(from)
    this.#advance(piece.slice(from))
  }

  /** @throws SluiceError `file_unreadable` where the array has not ended */
  end(): void {
    if (!this.#isOver) throw this.#invalid()
  }

  *#element(piece: string, from: number, to: number): Generator<TopLevelValue> {
    const rest = piece.slice(from, to)
    const text = this.held + rest
    this.#advance(rest)
    this.held = ''
    // JSON has four white space characters; `trim` removes more.
    if (/[^ \t\n\r]/.test(text)) yield { text, index: this.#index++, start: this.#start }
    // `[]` has no element; anywhere else an empty element is an error
    else if (!this.#isOver || this.#index > 0) throw this.#invalid()
    this.#advance(piece[to]!)
    this.#start = this.#place
  }

  /** The index of the quote that ends the string, or of the last character of the piece. */
  #endOfString(piece: string, from: number): number {
    for (let at = from; at < piece.length; at++) {
      if (this.#escaped) this.#escaped = false
      else {
        const character = piece.charCodeAt(at)
        if (character === BACKSLASH) this.#escaped = true
        else if (character === QUOTE) {
          this.#inString = false
          return at
        }
      }
    }
    return piece.length - 1
  }

  #advance(text: string): void {
    let { line, column } = this.#place
    let last = -1
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      line++
      last = at
    }
    column = last < 0 ? column + text.length : text.length - last
    this.#place = { line, column }
  }

  #invalid(): SluiceError {
    const { line, column } = this.#place
    const reason = `it is not valid JSON: error in line ${line}, column ${column}`
    return new SluiceError('file_unreadable', { file: this.#file, reason })
  }
}

const QUOTE = 34
const COMMA = 44
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
