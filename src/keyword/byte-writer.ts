/** A growing buffer of bytes. */
export class ByteWriter {
  bytes = new Uint8Array(4096)
  length = 0

  /** Makes sure that `count` more fit. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const bytes = new Uint8Array(Math.max(2 * this.bytes.length, this.length + count))
    bytes.set(this.bytes.subarray(0, this.length))
    this.bytes = bytes
  }

  /** A whole number below 2^31: seven bits a byte, the lowest first, the top bit is set where more follow. */
  varint(number: number): void {
    this.reserve(5)
    if (number < 0x80) {
      this.bytes[this.length++] = number
      return
    }
    let rest = number
    while (rest >= 0x80) {
      this.bytes[this.length++] = rest | 0x80
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  /** A whole number of 32 bits in four bytes, the lowest first. */
  uint32(number: number): void {
    this.reserve(4)
    const { bytes, length } = this
    bytes[length] = number
    bytes[length + 1] = number >>> 8
    bytes[length + 2] = number >>> 16
    bytes[length + 3] = number >>> 24
    this.length += 4
  }

  /** The same for several. */
  words(numbers: Uint32Array): void {
    this.reserve(4 * numbers.length)
    for (const number of numbers) this.uint32(number)
  }

  /** A whole number below 2^48 in six bytes, the highest first. */
  uint48(number: number): void {
    this.reserve(6)
    const { bytes, length } = this
    const high = Math.floor(number / 0x10000)
    bytes[length] = high >>> 24
    bytes[length + 1] = high >>> 16
    bytes[length + 2] = high >>> 8
    bytes[length + 3] = high
    bytes[length + 4] = number >>> 8
    bytes[length + 5] = number
    this.length += 6
  }

  append(other: ByteWriter): void {
    this.reserve(other.length)
    const { bytes, length } = this
    // For a few bytes this is faster than a copy through views.
    if (other.length > 64) bytes.set(other.bytes.subarray(0, other.length), length)
    else for (let at = 0; at < other.length; at++) bytes[length + at] = other.bytes[at]!
    this.length += other.length
  }

  /** Returns a copy of what was written, and empties the buffer. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }
}
