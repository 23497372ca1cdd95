/** Receives the tokens of rich text in the order of the file. */
export type RtfListener = {
  open(): void
  close(): void
  /** A control word: `\par`, `\u8226`. */
  control(word: string, value: number | undefined): void
  /** A control symbol: `\~`. */
  symbol(character: string): void
  /** Bytes of text; a byte of `\'e9` comes alone. */
  text(bytes: Uint8Array): void
}

const [OPEN, CLOSE, BACKSLASH, QUOTE, LINE_FEED, RETURN, SPACE, MINUS] = [
  0x7b, 0x7d, 0x5c, 0x27, 0x0a, 0x0d, 0x20, 0x2d,
] as const

/** Letters of a control word, and digits of its number; Word reads no more. */
const MAX_WORD = 32
const MAX_DIGITS = 10
/** Enough bytes to know the whole of any token. */
const LONGEST_TOKEN = MAX_WORD + MAX_DIGITS + 4

/** Divides rich text into tokens (Rich Text Format specification 1.9.1), piece by piece. */
export class RtfTokenizer {
  readonly #listener: RtfListener
  #rest: Uint8Array = new Uint8Array()
  /** Bytes of `\bin` that are still to come. */
  #binary = 0

  constructor(listener: RtfListener) {
    this.#listener = listener
  }

  write(piece: Uint8Array, isLast = false): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const safe = isLast ? bytes.length : bytes.length - LONGEST_TOKEN
    let at = 0
    while (at < safe) at = this.#token(bytes, at)
    // a copy, because the caller may reuse its buffer
    this.#rest = Uint8Array.from(bytes.subarray(at))
  }

  /** Reads the token at a place and returns where the next one begins. */
  #token(bytes: Uint8Array, at: number): number {
    if (this.#binary > 0) {
      const end = Math.min(bytes.length, at + this.#binary)
      this.#binary -= end - at
      return end
    }
    const byte = bytes[at]
    if (byte === OPEN) this.#listener.open()
    else if (byte === CLOSE) this.#listener.close()
    else if (byte === BACKSLASH) return this.#control(bytes, at + 1)
    else if (byte !== LINE_FEED && byte !== RETURN) {
      let end = at + 1
      while (end < bytes.length && !isSpecial(bytes[end]!)) end++
      this.#listener.text(bytes.subarray(at, end))
      return end
    }
    return at + 1
  }

  #control(bytes: Uint8Array, at: number): number {
    if (!isLetter(bytes[at])) return this.#symbol(bytes, at)
    let end = at + 1
    while (isLetter(bytes[end]) && end - at < MAX_WORD) end++
    const word = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1')
    const isNegative = bytes[end] === MINUS && isDigit(bytes[end + 1])
    if (isNegative) end++
    let value: number | undefined
    for (let digits = 0; isDigit(bytes[end]) && digits < MAX_DIGITS; digits++)
      value = (value ?? 0) * 10 + bytes[end++]! - 0x30
    if (value !== undefined && isNegative) value = -value
    if (bytes[end] === SPACE) end++
    if (word === 'bin') this.#binary = Math.max(0, value ?? 0)
    else this.#listener.control(word, value)
    return end
  }

  #symbol(bytes: Uint8Array, at: number): number {
    const byte = bytes[at]
    if (byte === undefined) return at
    if (byte === QUOTE) {
      const [high, low] = [hexOf(bytes[at + 1]), hexOf(bytes[at + 2])]
      if (high === undefined || low === undefined) return at + 1
      this.#listener.text(Uint8Array.of(high * 16 + low))
      return at + 3
    }
    if (byte === LINE_FEED || byte === RETURN) this.#listener.control('par', undefined)
    else this.#listener.symbol(String.fromCharCode(byte))
    return at + 1
  }
}

const isSpecial = (byte: number): boolean =>
  byte === OPEN || byte === CLOSE || byte === BACKSLASH || byte === LINE_FEED || byte === RETURN

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a))

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

function hexOf(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined
  const value = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(value) ? undefined : value
}
