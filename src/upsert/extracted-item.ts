import type { Metadata } from '../contract/document.ts'
import type { DroppedRow } from '../contract/dropped-rows.ts'
import { DroppedRows } from '../documents/dropped-rows.ts'
import type { Dropped } from '../contract/file-parser.ts'
import { GapFinder } from '../text/trace/gap-finder.ts'
import { TextPlaces } from './text-places.ts'

/** Between two documents in the extracted text of an item. */
export const DOCUMENT_GAP = '\n\n'

/** What is known about the extracted text of one item: how long it is, and what was left out of it, where. */
export class ExtractedItem {
  /** UTF-16 code units. */
  characters = 0
  /** Whether some of its text is missing for a reason that may pass. */
  mayGain = false
  readonly #places = new TextPlaces()
  readonly #dropped = new DroppedRows()
  /** Which of its words are in no chunk. */
  readonly gaps = new GapFinder()
  #partStart: number | undefined

  /** The next piece of the text, with the gaps between documents. */
  extend(text: string): void {
    if (text !== DOCUMENT_GAP) this.#partStart ??= this.characters
    this.characters += text.length
    this.gaps.extend(text)
  }

  /** The text since the last call is of a document with these metadata. */
  endPart(metadata: Metadata): void {
    if (this.#partStart !== undefined)
      this.#places.note(metadata, { start: this.#partStart, end: this.characters })
    this.#partStart = undefined
  }

  leaveOut(dropped: Dropped): void {
    this.#dropped.add(dropped)
  }

  /** Whether there are pages that nothing could read. */
  get hasUnreadPages(): boolean {
    return this.#dropped.rows.some(({ kind }) => kind === 'unreadablePage')
  }

  /** What was left out, with its positions in the text, once the item is read to its end. */
  get dropped(): DroppedRow[] {
    return this.#dropped.rows.map((row) => {
      const position = this.#places.of(row.place)
      return position ? { ...row, position } : row
    })
  }
}
