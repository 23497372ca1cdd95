import { hasBit } from './bits.ts'
import type { IdRuns } from './id-runs.ts'
import { eachPosting, type TermPage, PageReader, PageWriter } from './page.ts'

/** A segment as it is read to be merged. */
export type Source = {
  ids: IdRuns
  classes: Uint8Array
  /** Bits of the passages that are gone. */
  gone: Uint8Array | null
  pages: readonly TermPage[]
}

/** One segment in place of several that follow one another, without the removed passages. `terms`: its terms, in order. */
export function mergeSegments(
  sources: readonly Source[],
  write: (page: TermPage) => void,
): { ids: number[]; classes: Uint8Array; terms: Float64Array } {
  const ids: number[] = []
  const classes: number[] = []
  const readers = sources.map((source) => {
    const numbers = new Int32Array(source.ids.size).fill(-1)
    for (let passage = 0; passage < numbers.length; passage++) {
      if (hasBit(source.gone, passage)) continue
      numbers[passage] = ids.push(source.ids.idAt(passage)) - 1
      classes.push(source.classes[passage]!)
    }
    return new SegmentReader(source.pages, numbers)
  })
  const terms: number[] = []
  const writer = new PageWriter(Uint8Array.from(classes), write)
  for (;;) {
    let term = Infinity
    for (const reader of readers) if (reader.term < term) term = reader.term
    if (term === Infinity) break
    for (const reader of readers) if (reader.term === term) reader.moveTo(writer)
    if (writer.endTerm(term)) terms.push(term)
  }
  writer.end()
  return { ids, classes: Uint8Array.from(classes), terms: Float64Array.from(terms) }
}

/** Reads the terms of a segment with other numbers for its passages; -1 for those that are left out. */
class SegmentReader {
  readonly #pages: readonly TermPage[]
  readonly #numbers: Int32Array
  #next = 0
  #page: PageReader | undefined
  /** Infinity at the end. */
  term = -1
  #writer: PageWriter | undefined
  readonly #move = (passage: number, occurrences: number): void => {
    const number = this.#numbers[passage]!
    if (number >= 0) this.#writer!.add(number, occurrences)
  }

  constructor(pages: readonly TermPage[], numbers: Int32Array) {
    this.#pages = pages
    this.#numbers = numbers
    this.#advance()
  }

  moveTo(writer: PageWriter): void {
    this.#writer = writer
    eachPosting(this.#page!.postings(), this.#move)
    this.#advance()
  }

  #advance(): void {
    while (!this.#page?.next()) {
      const page = this.#pages[this.#next++]
      if (!page) {
        this.term = Infinity
        return
      }
      this.#page = new PageReader(page)
    }
    this.term = this.#page.term
  }
}
