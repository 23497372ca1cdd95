import type { Document } from '../contract/document.ts'

/** How many documents an answer shows at the most. */
export const SHOWN_ADDED = 20
export const SHOWN_DOCUMENTS = 1000

/** So many times as can be shown are held before those that the answer will cut anyway are let go. */
const SPARE = 4

/** The first documents in the order of items, whichever item is done first; only as many are held as can be shown. */
class FirstDocuments {
  readonly #limit: number
  readonly #items: Document[][] = []
  #held = 0
  /** The first item that the answer has no more room for, as far as is known. */
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
    if (++this.#held > SPARE * this.#limit) this.#letGo()
  }

  forget(item: number): void {
    this.#held -= this.#items[item]?.length ?? 0
    delete this.#items[item]
  }

  first(): Document[] {
    return this.#items.flat().slice(0, this.#limit)
  }

  /** Lets go of the items that stand behind as many documents as an answer shows. */
  #letGo(): void {
    this.#held = 0
    this.#items.forEach((own, item) => {
      if (this.#held >= this.#limit) {
        this.#end = Math.min(this.#end, item)
        delete this.#items[item]
      } else this.#held += own.length
    })
  }
}

/** The chunks that an answer shows, in the order of items and of chunks within them. A run may have millions. */
export class ShownDocuments {
  readonly #added = new FirstDocuments(SHOWN_ADDED)
  readonly #all = new FirstDocuments(SHOWN_DOCUMENTS)
  readonly #wanted: boolean
  /** How many chunks an item gave. */
  readonly #seen: number[] = []

  /** @param wanted whether all chunks are asked for, or only the first that were added */
  constructor(wanted: boolean) {
    this.#wanted = wanted
  }

  note(item: number, document: Document, added: boolean): void {
    if (added) this.#added.note(item, document)
    if (!this.#wanted) return
    this.#seen[item] = (this.#seen[item] ?? 0) + 1
    this.#all.note(item, document)
  }

  /** An item failed: nothing of it is there to be shown. */
  forget(item: number): void {
    this.#added.forget(item)
    this.#all.forget(item)
    delete this.#seen[item]
  }

  added(): Document[] {
    return this.#added.first()
  }

  /** The fields of the answer that hold the documents of the run; none where they were not asked for. */
  sourceDocuments(): { sourceDocuments?: Document[]; sourceDocumentsTruncated?: true } {
    if (!this.#wanted) return {}
    const sourceDocuments = this.#all.first()
    const seen = this.#seen.reduce((sum, count) => sum + count, 0)
    return seen > SHOWN_DOCUMENTS ? { sourceDocuments, sourceDocumentsTruncated: true } : { sourceDocuments }
  }
}
