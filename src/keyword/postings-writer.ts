import { BLOCK, bitsOf, packBits } from './block.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Collects the postings of one term, and writes them as a list: varints if they are few, otherwise blocks; see `block.ts`. */
export class PostingsWriter {
  readonly #classes: Uint8Array
  #passages = new Int32Array(1024)
  #repeats = new Int32Array(1024)
  readonly #gaps = new Int32Array(BLOCK)
  count = 0

  /** `classes`: the length class of each passage of the segment. */
  constructor(classes: Uint8Array) {
    this.#classes = classes
  }

  /** Passages come in ascending order. */
  add(passage: number, occurrences: number): void {
    if (this.count === this.#passages.length) {
      this.#passages = doubled(this.#passages)
      this.#repeats = doubled(this.#repeats)
    }
    this.#passages[this.count] = passage
    this.#repeats[this.count++] = occurrences - 1
  }

  /** Writes the list, and begins an empty one. */
  end(into: ByteWriter): void {
    if (this.count < BLOCK) this.#writeVarints(into, 0, 0)
    else {
      let from = 0
      for (; from + BLOCK <= this.count; from += BLOCK) this.#writeBlock(into, from)
      if (from < this.count) {
        this.#writeHeader(into, from, this.count, 0, 0)
        this.#writeVarints(into, from, this.#passages[from]!)
      }
    }
    this.count = 0
  }

  /** For each passage the distance from the one before, doubled, plus one where repeats follow; then these. */
  #writeVarints(into: ByteWriter, from: number, before: number): void {
    let last = before
    for (let at = from; at < this.count; at++) {
      const passage = this.#passages[at]!
      const repeats = this.#repeats[at]!
      const step = (passage - last) << 1
      last = passage
      if (repeats === 0) into.varint(step)
      else {
        into.varint(step | 1)
        into.varint(repeats)
      }
    }
  }

  #writeBlock(into: ByteWriter, from: number): void {
    const passages = this.#passages
    const gaps = this.#gaps
    gaps[0] = 0
    for (let at = 1; at < BLOCK; at++) gaps[at] = passages[from + at]! - passages[from + at - 1]! - 1
    const gapBits = bitsOf(gaps, 0, BLOCK)
    const repeatBits = bitsOf(this.#repeats, from, from + BLOCK)
    this.#writeHeader(into, from, from + BLOCK, gapBits, repeatBits)
    into.words(packBits(gaps, 0, gapBits))
    into.words(packBits(this.#repeats, from, repeatBits))
  }

  #writeHeader(into: ByteWriter, from: number, to: number, gapBits: number, repeatBits: number): void {
    let [most, least] = [0, 255]
    for (let at = from; at < to; at++) {
      if (this.#repeats[at]! > most) most = this.#repeats[at]!
      const lengthClass = this.#classes[this.#passages[at]!]!
      if (lengthClass < least) least = lengthClass
    }
    into.uint32(this.#passages[from]!)
    into.uint32(gapBits | (repeatBits << 8) | (Math.min(255, most + 1) << 16) | (least << 24))
  }
}

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * numbers.length)
  more.set(numbers)
  return more
}
