/** The search parameters in the address of a document; a link with `chunk` opens the page that has the chunk. */
export type OneDocumentSearch = {
  chunk?: string
  page?: number
  /** Only chunks with this in their text. */
  find?: string
  /** The text of a PDF in place of its page. */
  view?: 'text'
  /** The page of the PDF, where it is not the one of the chunk. */
  pdfPage?: number
  /** A position in the text, whose chunk is selected next. */
  at?: number
  /** Only what is in no chunk, and what the reader has left out. */
  missing?: true
  /** An earlier version of the document, by the moment that ended it. */
  version?: string
}

/** Chunks on one page, and with them the text that is shown at once. */
export const CHUNKS_PER_PAGE = 50

/** A moment as the server writes it. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export function readOneDocumentSearch(given: Record<string, unknown>): OneDocumentSearch {
  const { chunk, page, find, view, pdfPage, at, missing, version } = given
  return {
    ...(typeof chunk === 'string' && chunk !== '' ? { chunk } : {}),
    ...(Number.isInteger(page) && (page as number) > 1 ? { page: page as number } : {}),
    ...(find === undefined || find === '' ? {} : { find: String(find).slice(0, 200) }),
    ...(view === 'text' ? { view } : {}),
    ...(Number.isInteger(pdfPage) && (pdfPage as number) > 0 ? { pdfPage: pdfPage as number } : {}),
    ...(Number.isInteger(at) && (at as number) >= 0 ? { at: at as number } : {}),
    ...(missing === true ? { missing } : {}),
    ...(typeof version === 'string' && MOMENT.test(version) ? { version } : {}),
  }
}
