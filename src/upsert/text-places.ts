import type { Metadata, TextRange } from '../contract/document.ts'
import type { DroppedPlace } from '../contract/file-parser.ts'
import { isObject } from '../kit/json.ts'

/** How many pages, and how many sheets, of one item are remembered. */
const MOST_PLACES = 10_000

/** Where the pages and sheets of one item are in its extracted text. */
export class TextPlaces {
  readonly #pages = new Map<number, TextRange>()
  readonly #sheets = new Map<string, TextRange>()

  /** A part of a document that is at a range of the extracted text. Parts come in the order of the text. */
  note(metadata: Metadata, range: TextRange): void {
    const page = pageOf(metadata)
    if (page !== undefined) extend(this.#pages, page, range)
    const { worksheet } = metadata
    if (typeof worksheet === 'string') extend(this.#sheets, worksheet, range)
  }

  /**
   * Where a place of the file is in the text: of pages, from the first one with text to the end of the last one. Pages without text are
   * at the end of the page before them, as a range without length. Undefined where it is not known.
   */
  of({ page, lastPage = page, sheet }: DroppedPlace = {}): TextRange | undefined {
    if (sheet !== undefined) return this.#sheets.get(sheet)
    if (page === undefined || this.#pages.size === 0) return undefined
    let within: TextRange | undefined
    let before = 0
    for (const [number, { start, end }] of this.#pages) {
      if (number < page) before = Math.max(before, end)
      else if (number <= lastPage!)
        within = {
          start: Math.min(within?.start ?? start, start),
          end: Math.max(within?.end ?? end, end),
        }
    }
    return within ?? { start: before, end: before }
  }
}

/** The page of a PDF, or the slide of a deck. */
function pageOf({ loc, slideNumber }: Metadata): number | undefined {
  const page = isObject(loc) ? (loc as Metadata).pageNumber : slideNumber
  return typeof page === 'number' ? page : undefined
}

function extend<Key>(places: Map<Key, TextRange>, key: Key, { start, end }: TextRange): void {
  const known = places.get(key)
  if (known) known.end = Math.max(known.end, end)
  else if (places.size < MOST_PLACES) places.set(key, { start, end })
}
