/** The search parameters in the address of a document; a link with `chunk` opens the page that has the chunk. */
export type OneDocumentSearch = {
  chunk?: string
  page?: number
  /** Only chunks with this in their text. */
  find?: string
}

/** Chunks on one page, and with them the text that is shown at once. */
export const CHUNKS_PER_PAGE = 50

export function readOneDocumentSearch(given: Record<string, unknown>): OneDocumentSearch {
  const { chunk, page, find } = given
  return {
    ...(typeof chunk === 'string' && chunk !== '' ? { chunk } : {}),
    ...(Number.isInteger(page) && (page as number) > 1 ? { page: page as number } : {}),
    ...(find === undefined || find === '' ? {} : { find: String(find).slice(0, 200) }),
  }
}
