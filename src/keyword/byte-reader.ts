/** Reads the bytes of a ByteWriter. */
export class ByteReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  get ended(): boolean {
    return this.at >= this.bytes.length
  }

  varint(): number {
    let byte = this.bytes[this.at++]!
    if (byte < 0x80) return byte
    let number = byte & 0x7f
    for (let shift = 7; ; shift += 7) {
      byte = this.bytes[this.at++]!
      number |= (byte & 0x7f) << shift
      if (byte < 0x80) return number
    }
  }
}
