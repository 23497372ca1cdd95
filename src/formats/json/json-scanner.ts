/** Where a value stands: keys of objects and indices of lists, from the top. It changes while the scanner goes on. */
export type JsonPath = readonly (string | number)[]

/** What a scanner tells about the values that it passes. */
export type JsonEvents = {
  /** An object or a list begins at this path. */
  open(path: JsonPath): void
  /** It ends. */
  close(path: JsonPath): void
  /** A text begins; the function it returns gets the text, piece by piece. */
  text(path: JsonPath): ((piece: string) => void) | undefined
}

/** Characters of a key that are kept. */
const KEY_LENGTH = 200

/**
 * Passes over JSON text that arrives in pieces, and holds nothing of it: a text of any length can be read, in part or
 * not at all. It is lenient about what stands between values.
 */
export class JsonScanner {
  readonly #events: JsonEvents
  readonly #depth: number
  readonly #path: (string | number)[] = []
  /** For each open object or list whether it is a list. */
  readonly #lists: boolean[] = []
  #state: 'between' | 'text' | 'escape' | 'unicode' = 'between'
  /** Whether the next text of an object is a key. */
  #expectsKey = false
  #isKey = false
  #key = ''
  #digits = ''
  #write: ((piece: string) => void) | undefined
  #values = 0

  /** @param depth the most objects and lists inside one another */
  constructor(events: JsonEvents, depth: number) {
    this.#events = events
    this.#depth = depth
  }

  /** Whether one value, and all of it, has passed. */
  get isComplete(): boolean {
    return this.#values === 1 && this.#lists.length === 0 && this.#state === 'between'
  }

  /** @throws RangeError for values nested too deep, SyntaxError for brackets that do not match */
  push(piece: string): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#state === 'between') at = this.#between(piece, at)
      else if (this.#state === 'text') at = this.#text(piece, at)
      else at = this.#escaped(piece, at)
    }
  }

  #between(piece: string, from: number): number {
    for (let at = from; at < piece.length; at++) {
      switch (piece.charCodeAt(at)) {
        case 0x22:
          this.#beginText()
          return at + 1
        case 0x7b:
        case 0x5b:
          this.#open(piece.charCodeAt(at) === 0x5b)
          break
        case 0x7d:
        case 0x5d:
          this.#close(piece.charCodeAt(at) === 0x5d)
          break
        case 0x2c:
          this.#nextValue()
      }
    }
    return piece.length
  }

  #open(isList: boolean): void {
    if (this.#lists.length === this.#depth) throw new RangeError('nested too deep')
    if (this.#lists.length === 0) this.#values++
    this.#events.open(this.#path)
    this.#lists.push(isList)
    this.#path.push(isList ? 0 : '')
    this.#expectsKey = !isList
  }

  #close(isList: boolean): void {
    if (this.#lists.pop() !== isList) throw new SyntaxError('brackets do not match')
    this.#path.pop()
    this.#expectsKey = false
    this.#events.close(this.#path)
  }

  #nextValue(): void {
    const last = this.#path.length - 1
    const place = this.#path[last]
    if (typeof place === 'number') this.#path[last] = place + 1
    else this.#expectsKey = last >= 0
  }

  #beginText(): void {
    this.#state = 'text'
    this.#isKey = this.#expectsKey
    this.#key = ''
    if (this.#lists.length === 0) this.#values++
    if (!this.#isKey) this.#write = this.#events.text(this.#path)
  }

  #text(piece: string, from: number): number {
    let at = from
    for (; at < piece.length; at++) {
      const character = piece.charCodeAt(at)
      if (character !== 0x22 && character !== 0x5c) continue
      this.#put(piece, from, at)
      if (character === 0x5c) this.#state = 'escape'
      else this.#endText()
      return at + 1
    }
    this.#put(piece, from, at)
    return at
  }

  #put(piece: string, from: number, to: number): void {
    if (from === to) return
    if (this.#write) this.#write(piece.slice(from, to))
    else if (this.#isKey && this.#key.length < KEY_LENGTH) this.#key += piece.slice(from, to)
  }

  #escaped(piece: string, at: number): number {
    const character = piece[at]!
    if (this.#state === 'escape') {
      if (character === 'u') this.#state = 'unicode'
      else this.#endEscape(ESCAPES[character] ?? character)
      return at + 1
    }
    this.#digits += character
    if (this.#digits.length === 4)
      this.#endEscape(String.fromCharCode(Number.parseInt(this.#digits, 16) || 0xfffd))
    return at + 1
  }

  #endEscape(character: string): void {
    this.#state = 'text'
    this.#digits = ''
    this.#put(character, 0, character.length)
  }

  #endText(): void {
    this.#state = 'between'
    if (this.#isKey) this.#path[this.#path.length - 1] = this.#key
    this.#expectsKey = false
    this.#write = undefined
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
