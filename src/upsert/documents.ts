import type { Document } from '../contract/document.ts'

/** The most documents that an answer shows. */
export const SHOWN_ADDED = 20
export const SHOWN_DOCUMENTS = 1000

/** How many times the shown number of documents is held before the surplus is dropped. */
const SPARE = 4

/** The first documents in the order of items, which end in any order. Memory is bounded by what an answer shows. */
class FirstDocuments {
  readonly #limit: number
  readonly #items: Document[][] = []
  #held = 0
  /** The first item that the answer has no room for, as far as it is known yet. */
  #end = Infinity

  constructor(limit: number) {
    this.#limit = limit
  }

  note(item: number, document: Document): void {
    if (item >= this.#end) return
    this.#items[item] ??= []
    const own = this.#items[item]
    if (own.length === this.#limit) return
    own.push(document)
    if (++this.#held > SPARE * this.#limit) this.#dropSurplus()
  }

  drop(item: number): void {
    this.#held -= this.#items[item]?.length ?? 0
    delete this.#items[item]
  }

  first(): Document[] {
    return this.#items.flat().slice(0, this.#limit)
  }

  /** Drops the items after the first ones that fill the answer. */
  #dropSurplus(): void {
    this.#held = 0
    this.#items.forEach((own, item) => {
      if (this.#held >= this.#limit) {
        this.#end = Math.min(this.#end, item)
        delete this.#items[item]
      } else this.#held += own.length
    })
  }
}

/** The chunks that an answer shows, in the order of items and of chunks within items. A run may have millions. */
export class ShownDocuments {
  readonly #added = new FirstDocuments(SHOWN_ADDED)
  readonly #all = new FirstDocuments(SHOWN_DOCUMENTS)
  readonly #wanted: boolean
  /** How many chunks each item has. */
  readonly #seen: number[] = []

  /** @param wanted whether the answer also has the chunks that were not added */
  constructor(wanted: boolean) {
    this.#wanted = wanted
  }

  note(item: number, document: Document, added: boolean): void {
    if (added) this.#added.note(item, document)
    if (!this.#wanted) return
    this.#seen[item] = (this.#seen[item] ?? 0) + 1
    this.#all.note(item, document)
  }

  /** Removes the chunks of an item that failed. */
  drop(item: number): void {
    this.#added.drop(item)
    this.#all.drop(item)
    delete this.#seen[item]
  }

  added(): Document[] {
    return this.#added.first()
  }

  /** The fields of the answer that hold the documents of the run; none unless they are wanted. */
  sourceDocuments(): { sourceDocuments?: Document[]; sourceDocumentsTruncated?: true } {
    if (!this.#wanted) return {}
    const sourceDocuments = this.#all.first()
    const seen = this.#seen.reduce((sum, count) => sum + count, 0)
    return seen > SHOWN_DOCUMENTS ? { sourceDocuments, sourceDocumentsTruncated: true } : { sourceDocuments }
  }
}
