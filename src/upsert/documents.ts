import type { Document } from '../contract/document.ts'

/** How many documents an answer shows at the most. */
export const SHOWN_ADDED = 20
export const SHOWN_DOCUMENTS = 1000

/** The most that is held while items are worked on side by side; past it the answer is cut anyway. */
const HELD = 4 * SHOWN_DOCUMENTS

/**
 * The chunks that an answer shows, in the order of items and of chunks within them, whichever item is done first. A run
 * may have millions: only as many are held as can be shown.
 */
export class ShownDocuments {
  readonly #wanted: boolean
  readonly #items: { added: Document[]; all: Document[] }[] = []
  #held = 0
  #seen = 0

  /** @param wanted whether all chunks are asked for, or only the first that were added */
  constructor(wanted: boolean) {
    this.#wanted = wanted
  }

  note(item: number, document: Document, added: boolean): void {
    this.#items[item] ??= { added: [], all: [] }
    const shown = this.#items[item]
    if (added && shown.added.length < SHOWN_ADDED) shown.added.push(document)
    if (!this.#wanted) return
    this.#seen++
    if (shown.all.length < SHOWN_DOCUMENTS && this.#held < HELD) {
      shown.all.push(document)
      this.#held++
    }
  }

  added(): Document[] {
    return this.#items.flatMap((item) => item?.added ?? []).slice(0, SHOWN_ADDED)
  }

  /** The fields of the answer that hold the documents of the run; none where they were not asked for. */
  sourceDocuments(): { sourceDocuments?: Document[]; sourceDocumentsTruncated?: true } {
    if (!this.#wanted) return {}
    const sourceDocuments = this.#items.flatMap((item) => item?.all ?? []).slice(0, SHOWN_DOCUMENTS)
    return this.#seen > SHOWN_DOCUMENTS
      ? { sourceDocuments, sourceDocumentsTruncated: true }
      : { sourceDocuments }
  }
}
