import { TermReader } from '../text/terms/terms.ts'
import { classOf } from './length-class.ts'
import { type TermPage, PageWriter } from './page.ts'
import { TermNumbers } from './term-numbers.ts'

/** Passages that become one segment. */
export class PostingsBatch {
  /** Ids of the passages, in ascending order. */
  readonly ids: number[] = []
  readonly #lengths: number[] = []
  readonly #numbers = new TermNumbers()
  readonly #reader = new TermReader((term) => this.#note(term))
  /** For each term of each passage, one passage after another: the term's number and how often it occurs. */
  #noted = new Int32Array(1 << 15)
  #occurrences = new Int32Array(1 << 15)
  #length = 0
  /** Where the entries of each passage begin; for the current one also in `#start`, which is read for every term. */
  readonly #starts: number[] = []
  #start = 0
  /** The last entry of each term. If it is before `#start`, it belongs to an earlier passage. */
  #lastNotes = new Int32Array(1 << 12).fill(-1)
  #terms = 0

  add(id: number, text: string): void {
    this.ids.push(id)
    this.#start = this.#length
    this.#starts.push(this.#start)
    this.#terms = 0
    this.#reader.read(text)
    this.#lengths.push(this.#terms)
  }

  get classes(): Uint8Array {
    return Uint8Array.from(this.#lengths, classOf)
  }

  /** The different terms of all passages, in no order. */
  get terms(): Float64Array {
    return this.#numbers.terms.subarray(0, this.#numbers.size)
  }

  /** Writes the terms of all passages, page by page. Can be called once. */
  writePages(write: (page: TermPage) => void): void {
    const { starts, passages, occurrences } = this.#byTerm()
    const writer = new PageWriter(this.classes, write)
    for (const term of this.terms.slice().sort()) {
      const number = this.#numbers.numberOf(term)
      for (let at = starts[number]!; at < starts[number + 1]!; at++)
        writer.add(passages[at]!, occurrences[at]!)
      writer.endTerm(term)
    }
    writer.end()
  }

  #note(term: number): void {
    this.#terms++
    const number = this.#numbers.numberOf(term)
    if (number >= this.#lastNotes.length) this.#lastNotes = grown(this.#lastNotes, -1)
    const last = this.#lastNotes[number]!
    if (last >= this.#start) {
      this.#occurrences[last]!++
      return
    }
    if (this.#length === this.#noted.length) {
      this.#noted = grown(this.#noted)
      this.#occurrences = grown(this.#occurrences)
    }
    this.#lastNotes[number] = this.#length
    this.#noted[this.#length] = number
    this.#occurrences[this.#length++] = 1
  }

  /** The entries in the order of the terms' numbers: those of a term are between its start and that of the next. */
  #byTerm() {
    const starts = new Int32Array(this.#numbers.size + 2)
    for (let note = 0; note < this.#length; note++) starts[this.#noted[note]! + 2]!++
    for (let number = 2; number < starts.length; number++) starts[number]! += starts[number - 1]!
    const passages = new Int32Array(this.#length)
    const occurrences = new Int32Array(this.#length)
    for (let passage = 0; passage < this.ids.length; passage++) {
      const end = this.#starts[passage + 1] ?? this.#length
      for (let note = this.#starts[passage]!; note < end; note++) {
        const at = starts[this.#noted[note]! + 1]!++
        passages[at] = passage
        occurrences[at] = this.#occurrences[note]!
      }
    }
    return { starts, passages, occurrences }
  }
}

function grown(numbers: Int32Array<ArrayBuffer>, rest = 0): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * numbers.length).fill(rest, numbers.length)
  more.set(numbers)
  return more
}
