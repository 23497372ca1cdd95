import type { SourceQuery } from '../../../server/documents.ts'

export const DOCUMENT_SORTS = ['name', 'size', 'chunks', 'updated'] as const
export type DocumentSort = (typeof DOCUMENT_SORTS)[number]

/** The search parameters in the address of the list of documents; what is absent has its default. */
export type DocumentSearch = {
  search?: string
  sort?: DocumentSort
  /** The smallest, oldest or first name at the top. */
  up?: boolean
  page?: number
  removed?: boolean
}

/** Documents on one page. */
export const DOCUMENTS_PER_PAGE = 100

export function readDocumentSearch(given: Record<string, unknown>): DocumentSearch {
  const { search, sort, up, page, removed } = given
  return {
    ...(search === undefined || search === '' ? {} : { search: String(search).slice(0, 200) }),
    ...(DOCUMENT_SORTS.some((one) => one === sort) ? { sort: sort as DocumentSort } : {}),
    ...(typeof up === 'boolean' ? { up } : {}),
    ...(Number.isInteger(page) && (page as number) > 1 ? { page: page as number } : {}),
    ...(removed === true ? { removed } : {}),
  }
}

/** Whether a column begins with its smallest value when it is first chosen. */
export const startsUp = (sort: DocumentSort): boolean => sort === 'name'

/** The search after a click on the head of a column: another column, or the same one the other way round. */
export function sortedBy(search: DocumentSearch, sort: DocumentSort): DocumentSearch {
  const { page: _, ...rest } = search
  const { sort: present = 'name', up = startsUp(present) } = search
  return { ...rest, sort, up: sort === present ? !up : startsUp(sort) }
}

export function queryOf({
  search,
  sort = 'name',
  up = startsUp(sort),
  page = 1,
  removed,
}: DocumentSearch): SourceQuery {
  return { search, sort, order: up ? 'ASC' : 'DESC', page, limit: DOCUMENTS_PER_PAGE, removed }
}
