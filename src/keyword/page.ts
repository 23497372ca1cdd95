import { BLOCK, BLOCK_HEADER, readBlockHeader, unpackBits } from './block.ts'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { PostingsWriter } from './postings-writer.ts'

/** A page ends after the term that exceeds this size, in bytes. Two fit on a page of the database. */
const PAGE_BYTES = 4000

/** A list of more bytes has a page to itself, so that it is only read for its own term. */
const LARGE_BYTES = 2000

/** A page of a segment. `count`: of the postings of its only term; null where it has several terms. */
export type TermPage = { firstTerm: number; count: number | null; bytes: Uint8Array }

/**
 * Writes the terms of a segment, in ascending order, as pages. A page has several terms, or one with a large list. Of
 * several, each is its fingerprint (6 bytes, the highest first), the count of its postings, how many bytes follow (both
 * as varints), and its list; a page of one is only the list. Lists: see `postings-writer.ts`.
 */
export class PageWriter {
  readonly #write: (page: TermPage) => void
  readonly #page = new ByteWriter()
  readonly #list = new ByteWriter()
  readonly #postings: PostingsWriter
  #firstTerm = 0

  /** `classes`: the length class of each passage of the segment. */
  constructor(classes: Uint8Array, write: (page: TermPage) => void) {
    this.#write = write
    this.#postings = new PostingsWriter(classes)
  }

  /** A passage of the term that comes next; passages come in ascending order. */
  add(passage: number, occurrences: number): void {
    this.#postings.add(passage, occurrences)
  }

  /** Writes a term with the passages added since the last one; a term without passages is left out. Returns whether it was written. */
  endTerm(term: number): boolean {
    const count = this.#postings.count
    if (count === 0) return false
    const list = this.#list
    this.#postings.end(list)
    if (list.length > LARGE_BYTES) {
      this.end()
      this.#write({ firstTerm: term, count, bytes: list.take() })
      return true
    }
    const page = this.#page
    if (page.length === 0) this.#firstTerm = term
    page.uint48(term)
    page.varint(count)
    page.varint(list.length)
    page.append(list)
    list.length = 0
    if (page.length >= PAGE_BYTES) this.end()
    return true
  }

  end(): void {
    if (this.#page.length > 0)
      this.#write({ firstTerm: this.#firstTerm, count: null, bytes: this.#page.take() })
  }
}

/** Goes through the terms of a page. */
export class PageReader {
  readonly #bytes: Uint8Array
  readonly #reader: ByteReader
  #single: TermPage | undefined
  term = -1
  /** How many passages hold the term. */
  count = 0
  #end = 0

  constructor(page: TermPage) {
    this.#bytes = page.bytes
    this.#reader = new ByteReader(page.bytes)
    if (page.count !== null) this.#single = page
  }

  /** The next term; false where there is none. */
  next(): boolean {
    const [bytes, reader] = [this.#bytes, this.#reader]
    const at = this.#end
    if (at >= bytes.length) return false
    if (this.#single) {
      this.term = this.#single.firstTerm
      this.count = this.#single.count!
      this.#end = bytes.length
      return true
    }
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
    return { bytes: this.#bytes.subarray(this.#reader.at, this.#end), count: this.count }
  }
}

/** The passages of a segment that have a term: their count, and their list. */
export type Postings = { readonly bytes: Uint8Array; readonly count: number }

/** The postings of a term in a page; undefined where the page does not have it. */
export function postingsOf(page: TermPage, term: number): Postings | undefined {
  const reader = new PageReader(page)
  while (reader.next()) {
    if (reader.term === term) return reader.postings()
    if (reader.term > term) return undefined
  }
  return undefined
}

const gaps = new Int32Array(BLOCK)
const repeats = new Int32Array(BLOCK)

/** Calls `visit` for each passage that has the term, with its number in the segment. */
export function eachPosting(
  { bytes, count }: Postings,
  visit: (passage: number, occurrences: number) => void,
): void {
  let at = 0
  let left = count
  for (; count >= BLOCK && left >= BLOCK; left -= BLOCK) {
    const { first, gapBits, repeatBits } = readBlockHeader(bytes, at)
    at += BLOCK_HEADER
    unpackBits(bytes, at, gapBits, gaps)
    unpackBits(bytes, at + 16 * gapBits, repeatBits, repeats)
    at += 16 * (gapBits + repeatBits)
    for (let place = 0, passage = first - 1; place < BLOCK; place++) {
      passage += gaps[place]! + 1
      visit(passage, repeats[place]! + 1)
    }
  }
  eachInRest({ bytes, count }, { at, left }, visit)
}

/** Calls `visit` for each passage after the full blocks of a list: `left` of them, from the byte `at` on. */
export function eachInRest(
  { bytes, count }: Postings,
  { at, left }: { at: number; left: number },
  visit: (passage: number, occurrences: number) => void,
): void {
  if (left === 0) return
  const hasBlocks = count >= BLOCK
  let passage = hasBlocks ? readBlockHeader(bytes, at).first : 0
  const reader = new ByteReader(bytes, hasBlocks ? at + BLOCK_HEADER : at)
  for (let more = left; more > 0; more--) {
    const step = reader.varint()
    passage += step >> 1
    visit(passage, step & 1 ? reader.varint() + 1 : 1)
  }
}
