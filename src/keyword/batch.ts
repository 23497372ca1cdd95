import { classOf } from './length-class.ts'
import { type TermPage, PageWriter } from './page.ts'
import type { PassageTerms } from './passage-terms.ts'

/** Passages that become one segment. */
export class PostingsBatch {
  /** Ids of the passages, in ascending order. */
  readonly ids: readonly number[]
  /** Length classes, by number of the passage. */
  readonly classes: Uint8Array
  readonly #read: PassageTerms
  /** The number of each passage's text in `#read`. */
  readonly #texts: readonly number[]
  /** For each term where its postings begin in `#passages`, and then the end of the last. */
  readonly #starts: Int32Array
  readonly #passages: Int32Array
  readonly #occurrences: Int32Array

  /**
   * @param read the terms of at least the texts of the passages
   * @param texts the number of each passage's text in `read`
   */
  constructor(read: PassageTerms, ids: readonly number[], texts: readonly number[]) {
    this.ids = ids
    this.#read = read
    this.#texts = texts
    this.classes = Uint8Array.from(texts, (text) => classOf(read.lengths[text]!))
    const { starts, passages, occurrences } = this.#byTerm()
    this.#starts = starts
    this.#passages = passages
    this.#occurrences = occurrences
  }

  /** The different terms of all passages, in ascending order. */
  get terms(): Float64Array {
    const { terms, lengths } = this.#read
    if (this.#texts.length === lengths.length) return terms
    return terms.filter((_, term) => this.#starts[term] !== this.#starts[term + 1])
  }

  /** Writes the terms of all passages, page by page. Can be called once. */
  writePages(write: (page: TermPage) => void): void {
    const { terms } = this.#read
    const [starts, passages, occurrences] = [this.#starts, this.#passages, this.#occurrences]
    const writer = new PageWriter(this.classes, write)
    for (let term = 0; term < terms.length; term++) {
      for (let at = starts[term]!; at < starts[term + 1]!; at++) writer.add(passages[at]!, occurrences[at]!)
      writer.endTerm(terms[term]!)
    }
    writer.end()
  }

  /** The postings in the order of the terms. */
  #byTerm() {
    const { terms, places, occurrences: read, starts: from } = this.#read
    const starts = new Int32Array(terms.length + 2)
    let count = 0
    for (const text of this.#texts) {
      for (let at = from[text]!; at < from[text + 1]!; at++) starts[places[at]! + 2]!++
      count += from[text + 1]! - from[text]!
    }
    for (let term = 2; term < starts.length; term++) starts[term]! += starts[term - 1]!
    const passages = new Int32Array(count)
    const occurrences = new Int32Array(count)
    for (let passage = 0; passage < this.#texts.length; passage++) {
      const text = this.#texts[passage]!
      for (let at = from[text]!; at < from[text + 1]!; at++) {
        const place = starts[places[at]! + 1]!++
        passages[place] = passage
        occurrences[place] = read[at]!
      }
    }
    return { starts, passages, occurrences }
  }
}
