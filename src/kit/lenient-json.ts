import { type Json, type JsonObject, parseJson } from './json.ts'

const MAX_DEPTH = 200

/**
 * Reads JSON that was written by hand, in the way of JSON5: comments, commas at the end, single or typographic quotes, names
 * without quotes, numbers like `.5` and `0x1f`. Undefined for any other text.
 *
 * @see https://spec.json5.org
 */
export function lenientJson(text: string): Json | undefined {
  const strict = parseJson(text)
  if (strict !== undefined) return strict
  try {
    const reader = new Reader(text)
    const value = reader.value(0)
    return reader.ended ? value : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Unreadable extends Error {}

const SPACE = /(?:[\s\ufeff]+|\/\/[^\n]*|\/\*.*?\*\/)*/sy
const WORD = /[\p{L}\p{N}_$.+-]+/uy
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
}
/** The quotes that end a text, by the quote that it begins with. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’' }

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get ended(): boolean {
    this.#take(SPACE)
    return this.#at === this.#text.length
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new Unreadable()
    this.#take(SPACE)
    const begin = this.#text[this.#at] ?? ''
    if (begin === '{') return this.#object(depth)
    if (begin === '[') return this.#list(depth)
    return begin in QUOTES ? this.#quoted() : plainValue(this.#take(WORD))
  }

  #object(depth: number): JsonObject {
    const pairs: [string, Json][] = []
    this.#items('}', () => {
      const name = this.#text[this.#at]! in QUOTES ? this.#quoted() : this.#take(WORD)
      this.#take(SPACE)
      if (name === '' || this.#text[this.#at++] !== ':') throw new Unreadable()
      pairs.push([name, this.value(depth + 1)])
    })
    return Object.fromEntries(pairs)
  }

  #list(depth: number): Json[] {
    const values: Json[] = []
    this.#items(']', () => void values.push(this.value(depth + 1)))
    return values
  }

  /** The values between two brackets, separated by commas, with an optional comma at the end. */
  #items(end: string, read: () => void): void {
    this.#at++
    for (;;) {
      this.#take(SPACE)
      if (this.#text[this.#at] === end) break
      if (this.#at >= this.#text.length) throw new Unreadable()
      read()
      this.#take(SPACE)
      if (this.#text[this.#at] === ',') this.#at++
      else if (this.#text[this.#at] !== end) throw new Unreadable()
    }
    this.#at++
  }

  #quoted(): string {
    const end = QUOTES[this.#text[this.#at++]!]
    let read = ''
    for (;;) {
      const next = this.#text[this.#at++]
      if (next === undefined) throw new Unreadable()
      if (next === end) return read
      read += next === '\\' ? this.#escaped() : next
    }
  }

  #escaped(): string {
    const next = this.#text[this.#at++] ?? ''
    if (next === '\n') return ''
    if (next !== 'u') return ESCAPES[next] ?? next
    const code = this.#take(/[0-9a-f]{4}/iy)
    if (code === '') throw new Unreadable()
    return String.fromCharCode(Number.parseInt(code, 16))
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }
}

const WORDS = new Map<string, Json>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
])
const NUMBER = /^[+-]?(0x[0-9a-f]+|(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?)$/i

/** A value without quotes: a number, or one of the words of JSON and of Python. */
function plainValue(word: string): Json {
  const known = WORDS.get(word)
  if (known !== undefined) return known
  const number = NUMBER.test(word) ? signed(word) : Number.NaN
  if (!Number.isFinite(number)) throw new Unreadable()
  return number
}

const signed = (word: string) =>
  word.startsWith('-') ? -Number(word.slice(1)) : Number(word.startsWith('+') ? word.slice(1) : word)
