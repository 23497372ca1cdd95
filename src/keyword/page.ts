import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/** A page ends after the term that exceeds this size, in bytes. Two fit on a page of the database. */
const PAGE_BYTES = 4000

/**
 * Writes the terms of a segment, in ascending order, as pages. For each term: its fingerprint (6 bytes, the highest
 * first), how many passages hold it, how many bytes follow; then for each passage the distance of its number from the
 * one before, doubled, plus one where the term occurs more than once; then how often it occurs.
 */
export class PageWriter {
  readonly #write: (firstTerm: number, page: Uint8Array) => void
  readonly #page = new ByteWriter()
  readonly #postings = new ByteWriter()
  #firstTerm = 0
  #count = 0
  #last = 0

  constructor(write: (firstTerm: number, page: Uint8Array) => void) {
    this.#write = write
  }

  /** A passage of the term that comes next; passages come in ascending order. */
  add(passage: number, occurrences: number): void {
    const step = (passage - this.#last) << 1
    this.#last = passage
    this.#count++
    if (occurrences === 1) this.#postings.varint(step)
    else {
      this.#postings.varint(step | 1)
      this.#postings.varint(occurrences)
    }
  }

  /** Writes a term with the passages added since the last one; a term without passages is left out. Returns whether it was written. */
  endTerm(term: number): boolean {
    if (this.#count === 0) return false
    const page = this.#page
    if (page.length === 0) this.#firstTerm = term
    page.uint48(term)
    page.varint(this.#count)
    page.varint(this.#postings.length)
    page.append(this.#postings)
    this.#postings.length = this.#count = this.#last = 0
    if (page.length >= PAGE_BYTES) this.end()
    return true
  }

  end(): void {
    if (this.#page.length > 0) this.#write(this.#firstTerm, this.#page.take())
  }
}

/** Goes through the terms of a page. */
export class PageReader {
  readonly #bytes: Uint8Array
  readonly #reader: ByteReader
  term = -1
  /** How many passages hold the term. */
  count = 0
  #end = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#reader = new ByteReader(bytes)
  }

  /** The next term; false where there is none. */
  next(): boolean {
    const [bytes, reader] = [this.#bytes, this.#reader]
    const at = this.#end
    if (at >= bytes.length) return false
    const high = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
    this.term = high * 0x10000 + ((bytes[at + 4]! << 8) | bytes[at + 5]!)
    reader.at = at + 6
    this.count = reader.varint()
    const length = reader.varint()
    this.#end = reader.at + length
    return true
  }

  /** The postings of the term. */
  postings(): Postings {
    return { bytes: this.#bytes, at: this.#reader.at, count: this.count }
  }
}

/** The passages of a segment that have a term: their count, and where they begin in a page. */
export type Postings = { readonly bytes: Uint8Array; readonly at: number; readonly count: number }

/** The postings of a term in a page; undefined where the page does not have it. */
export function postingsOf(page: Uint8Array, term: number): Postings | undefined {
  const reader = new PageReader(page)
  while (reader.next()) {
    if (reader.term === term) return reader.postings()
    if (reader.term > term) return undefined
  }
  return undefined
}

/** Calls `visit` for each passage that has the term, with its number in the segment. */
export function eachPosting(
  { bytes, at, count }: Postings,
  visit: (passage: number, occurrences: number) => void,
): void {
  const reader = new ByteReader(bytes, at)
  let passage = 0
  for (let left = count; left > 0; left--) {
    const step = reader.varint()
    passage += step >> 1
    visit(passage, step & 1 ? reader.varint() : 1)
  }
}
