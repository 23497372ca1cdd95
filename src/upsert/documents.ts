import type { Document } from '../contract/document.ts'

/** How many documents an answer shows at the most. */
export const SHOWN_ADDED = 20
export const SHOWN_DOCUMENTS = 1000

/** How many are held at the most before those that the answer will cut anyway are let go. */
const HELD = 4 * SHOWN_DOCUMENTS

type Shown = { added: Document[]; all: Document[]; seen: number }

/**
 * The chunks that an answer shows, in the order of items and of chunks within them, whichever item is done first. A run
 * may have millions: only as many are held as can be shown.
 */
export class ShownDocuments {
  readonly #wanted: boolean
  readonly #items: Shown[] = []
  #held = 0
  /** The first item that the answer has no more room for, as far as is known. */
  #end = Infinity

  /** @param wanted whether all chunks are asked for, or only the first that were added */
  constructor(wanted: boolean) {
    this.#wanted = wanted
  }

  note(item: number, document: Document, added: boolean): void {
    this.#items[item] ??= { added: [], all: [], seen: 0 }
    const shown = this.#items[item]
    if (added && shown.added.length < SHOWN_ADDED) shown.added.push(document)
    if (!this.#wanted) return
    shown.seen++
    if (item >= this.#end || shown.all.length === SHOWN_DOCUMENTS) return
    shown.all.push(document)
    if (++this.#held > HELD) this.#letGo()
  }

  /** An item failed: nothing of it is there to be shown. */
  forget(item: number): void {
    this.#held -= this.#items[item]?.all.length ?? 0
    delete this.#items[item]
  }

  added(): Document[] {
    return this.#items.flatMap((shown) => shown.added).slice(0, SHOWN_ADDED)
  }

  /** The fields of the answer that hold the documents of the run; none where they were not asked for. */
  sourceDocuments(): { sourceDocuments?: Document[]; sourceDocumentsTruncated?: true } {
    if (!this.#wanted) return {}
    const sourceDocuments = this.#items.flatMap((shown) => shown.all).slice(0, SHOWN_DOCUMENTS)
    const seen = this.#items.reduce((sum, shown) => sum + shown.seen, 0)
    return seen > SHOWN_DOCUMENTS ? { sourceDocuments, sourceDocumentsTruncated: true } : { sourceDocuments }
  }

  /** Lets go of the items that stand behind as many documents as an answer shows. */
  #letGo(): void {
    this.#held = 0
    this.#items.forEach((shown, item) => {
      if (this.#held >= SHOWN_DOCUMENTS) {
        this.#end = Math.min(this.#end, item)
        shown.all = []
      }
      this.#held += shown.all.length
    })
  }
}
