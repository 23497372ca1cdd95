import { hasBit } from './bits.ts'
import type { IdRuns } from './id-runs.ts'
import { eachPosting, PageReader, PageWriter, type TermPage } from './page.ts'

/** A segment as it is read to be merged. */
export type Source = {
  ids: IdRuns
  classes: Uint8Array
  /** Bits of the passages that are gone. */
  gone: Uint8Array | null
  /** Its pages in the order of their terms; read one by one. */
  pages: Iterable<TermPage>
}

/**
 * One segment in place of several that follow one another, without the removed passages; made in steps.
 */
export class SegmentMerge {
  /** The ids of the passages of the new segment, in order. */
  readonly ids: number[] = []
  readonly classes: Uint8Array
  readonly #terms: number[] = []
  readonly #readers: SegmentReader[]
  readonly #writer: PageWriter

  /** `write` takes the pages of the new segment. */
  constructor(sources: readonly Source[], write: (page: TermPage) => void) {
    const classes: number[] = []
    this.#readers = sources.map((source) => {
      const numbers = new Int32Array(source.ids.size).fill(-1)
      for (let passage = 0; passage < numbers.length; passage++) {
        if (hasBit(source.gone, passage)) continue
        numbers[passage] = this.ids.push(source.ids.idAt(passage)) - 1
        classes.push(source.classes[passage]!)
      }
      return new SegmentReader(source.pages, numbers)
    })
    this.classes = Uint8Array.from(classes)
    this.#writer = new PageWriter(this.classes, write)
  }

  /** Merges terms until at least so many postings were read; returns whether there are more. */
  step(postings: number): boolean {
    for (let left = postings; left > 0; ) {
      let term = Infinity
      for (const reader of this.#readers) if (reader.term < term) term = reader.term
      if (term === Infinity) {
        this.#writer.end()
        return false
      }
      for (const reader of this.#readers) if (reader.term === term) left -= reader.moveTo(this.#writer)
      if (this.#writer.endTerm(term)) this.#terms.push(term)
    }
    return true
  }

  /** The terms of the new segment, in order; complete after the last step. */
  get terms(): Float64Array {
    return Float64Array.from(this.#terms)
  }
}

/** Reads the terms of a segment with other numbers for its passages; -1 for those that are left out. */
class SegmentReader {
  readonly #pages: Iterator<TermPage>
  readonly #numbers: Int32Array
  #page: PageReader | undefined
  /** Infinity at the end. */
  term = -1
  #writer: PageWriter | undefined
  readonly #move = (passage: number, occurrences: number): void => {
    const number = this.#numbers[passage]!
    if (number >= 0) this.#writer!.add(number, occurrences)
  }

  constructor(pages: Iterable<TermPage>, numbers: Int32Array) {
    this.#pages = pages[Symbol.iterator]()
    this.#numbers = numbers
    this.#advance()
  }

  /** Returns how many postings the term has here. */
  moveTo(writer: PageWriter): number {
    this.#writer = writer
    const postings = this.#page!.postings()
    eachPosting(postings, this.#move)
    this.#advance()
    return postings.count
  }

  #advance(): void {
    while (!this.#page?.next()) {
      const page = this.#pages.next()
      if (page.done) {
        this.term = Infinity
        return
      }
      this.#page = new PageReader(page.value)
    }
    this.term = this.#page.term
  }
}
