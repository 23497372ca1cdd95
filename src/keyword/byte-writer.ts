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
    for (let at = 0; at < other.length; at++) bytes[length + at] = other.bytes[at]!
    this.length += other.length
  }

  /** Returns a copy of what was written, and empties the buffer. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }
}
