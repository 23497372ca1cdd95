import { decodeCodePage, WESTERN } from './code-pages.ts'

/** A record of a workbook: its type, and its bytes with those of records that continue it. */
export type XlsRecord = { type: number; parts: Buffer[]; next: number }

export const RECORD = {
  formula: 0x06,
  end: 0x0a,
  note: 0x1c,
  dateMode: 0x22,
  filePassword: 0x2f,
  continue: 0x3c,
  codePage: 0x42,
  object: 0x5d,
  boundSheet: 0x85,
  multipleRk: 0xbd,
  richString: 0xd6,
  extendedFormat: 0xe0,
  mergedCells: 0xe5,
  sharedStrings: 0xfc,
  labelShared: 0xfd,
  textObject: 0x1b6,
  number: 0x203,
  label: 0x204,
  boolean: 0x205,
  string: 0x207,
  rk: 0x27e,
  format: 0x41e,
  begin: 0x809,
} as const

/** The records from a place on (MS-XLS 2.1.4), up to the first that is cut off. */
export function* recordsFrom(stream: Buffer, start: number): Generator<XlsRecord> {
  let at = start
  while (at + 4 <= stream.length) {
    const type = stream.readUInt16LE(at)
    const parts: Buffer[] = []
    do {
      const length = stream.readUInt16LE(at + 2)
      parts.push(stream.subarray(at + 4, at + 4 + length))
      at += 4 + length
    } while (at + 4 <= stream.length && stream.readUInt16LE(at) === RECORD.continue)
    yield { type, parts, next: at }
  }
}

/** Reads values from a record and those that continue it; behind its end all is 0. */
export class RecordReader {
  readonly #parts: readonly Buffer[]
  #part = 0
  #at: number

  constructor(parts: readonly Buffer[], at = 0) {
    this.#parts = parts
    this.#at = at
  }

  get isAtEnd(): boolean {
    this.#advance()
    return this.#part >= this.#parts.length
  }

  byte(): number {
    this.#advance()
    return this.#parts[this.#part]?.[this.#at++] ?? 0
  }

  short(): number {
    return this.byte() | (this.byte() << 8)
  }

  long(): number {
    return (this.short() | (this.short() << 16)) >>> 0
  }

  skip(count: number): void {
    for (let left = count; left > 0; ) {
      this.#advance()
      const part = this.#parts[this.#part]
      if (!part) return
      const step = Math.min(left, part.length - this.#at)
      this.#at += step
      left -= step
    }
  }

  /** A text with its options before it (MS-XLS 2.5.293); its formats and readings are skipped. */
  text(length: number): string {
    const options = this.byte()
    const runs = options & 8 ? this.short() : 0
    const extra = options & 4 ? this.long() : 0
    const text = this.characters(length, (options & 1) === 1)
    this.skip(4 * runs + extra)
    return text
  }

  /** Characters; where they go on in the next record, a byte says whether they are wide there. */
  characters(length: number, wide: boolean): string {
    let text = ''
    let isWide = wide
    for (let left = length; left > 0; ) {
      const part = this.#parts[this.#part]
      if (!part) break
      const size = isWide ? 2 : 1
      const count = Math.min(left, Math.floor((part.length - this.#at) / size))
      text += part.toString(isWide ? 'utf16le' : 'latin1', this.#at, this.#at + count * size)
      this.#at += count * size
      left -= count
      if (left > 0) {
        this.#part++
        this.#at = 1
        isWide = ((this.#parts[this.#part]?.[0] ?? 0) & 1) === 1
      }
    }
    return text
  }

  /** Bytes of the code page of an Excel 95 workbook. */
  bytes(length: number, codePage = WESTERN): string {
    const part = this.#parts[this.#part]
    const found = part?.subarray(this.#at, this.#at + length) ?? Buffer.alloc(0)
    this.#at += found.length
    return decodeCodePage(found, codePage)
  }

  #advance(): void {
    while (this.#part < this.#parts.length && this.#at >= this.#parts[this.#part]!.length) {
      this.#part++
      this.#at = 0
    }
  }
}
