/** A value of a row: numbers for `bigint` and `integer`. U+0000 in a text becomes U+FFFD, since PostgreSQL does not store it. */
export type CopyValue = string | Uint8Array | number | boolean | readonly string[] | null

export type CopyType = 'bigint' | 'integer' | 'text' | 'bytea' | 'boolean' | 'text[]'

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const END = Buffer.from([0xff, 0xff])

/** The number of the type `text`, and of the first place of a list, in PostgreSQL. */
const TEXT_TYPE = 25
const FIRST_PLACE = 1

/** The bytes of so many more rows that the buffer grows by at least. */
const GROWTH = 2

/** Rows in the binary form of COPY, https://www.postgresql.org/docs/current/sql-copy.html. */
export class CopyRows {
  readonly #types: readonly CopyType[]
  #buffer: Buffer
  #length = SIGNATURE.length
  #rows = 0

  constructor(types: readonly CopyType[], bytes = 64 * 1024) {
    this.#types = types
    this.#buffer = Buffer.allocUnsafe(Math.max(bytes, SIGNATURE.length + END.length))
    SIGNATURE.copy(this.#buffer)
  }

  get rows(): number {
    return this.#rows
  }

  add(...values: readonly CopyValue[]): void {
    this.#rows++
    this.#reserve(2)
    this.#length = this.#buffer.writeInt16BE(this.#types.length, this.#length)
    for (const [at, type] of this.#types.entries()) this.#write(type, values[at]!)
  }

  /** All rows, with what stands before and after them. No row may be added any more. */
  end(): Uint8Array {
    this.#reserve(END.length)
    END.copy(this.#buffer, this.#length)
    return this.#buffer.subarray(0, this.#length + END.length)
  }

  #write(type: CopyType, value: CopyValue): void {
    if (value === null) {
      this.#reserve(4)
      this.#length = this.#buffer.writeInt32BE(-1, this.#length)
    } else if (type === 'bigint') {
      this.#reserve(12)
      this.#length = this.#buffer.writeInt32BE(8, this.#length)
      this.#length = this.#buffer.writeBigInt64BE(BigInt(value as number), this.#length)
    } else if (type === 'integer') {
      this.#reserve(8)
      this.#length = this.#buffer.writeInt32BE(4, this.#length)
      this.#length = this.#buffer.writeInt32BE(value as number, this.#length)
    } else if (type === 'bytea') {
      const bytes = value as Uint8Array
      this.#reserve(4 + bytes.length)
      this.#length = this.#buffer.writeInt32BE(bytes.length, this.#length)
      this.#buffer.set(bytes, this.#length)
      this.#length += bytes.length
    } else if (type === 'boolean') {
      this.#reserve(5)
      this.#length = this.#buffer.writeInt32BE(1, this.#length)
      this.#length = this.#buffer.writeUInt8(value === true ? 1 : 0, this.#length)
    } else if (type === 'text[]') {
      this.#writeTexts(value as readonly string[])
    } else {
      const text = (value as string).replaceAll('\0', '\ufffd')
      // A UTF-16 code unit takes three bytes at most.
      this.#reserve(4 + text.length * 3)
      const bytes = this.#buffer.write(text, this.#length + 4)
      this.#buffer.writeInt32BE(bytes, this.#length)
      this.#length += 4 + bytes
    }
  }

  /** A list with one dimension; an empty one has none. Its length in bytes is known when it is written. */
  #writeTexts(texts: readonly string[]): void {
    this.#reserve(24)
    const start = this.#length
    this.#length += 4
    const head = texts.length === 0 ? [0, 0, TEXT_TYPE] : [1, 0, TEXT_TYPE, texts.length, FIRST_PLACE]
    for (const number of head) this.#length = this.#buffer.writeInt32BE(number, this.#length)
    for (const text of texts) this.#write('text', text)
    this.#buffer.writeInt32BE(this.#length - start - 4, start)
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes + END.length <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(
      Math.max(this.#buffer.length * GROWTH, this.#length + bytes + END.length),
    )
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
  }
}
