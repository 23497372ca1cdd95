import { z } from 'zod'
import { doc, docs } from './doc.ts'
import { count } from './json.ts'

const pageNumber = z.coerce.number().int().min(1)
const pageSize = z.coerce.number().int().min(1).max(1000)

/** Paging by the query string, with defaults. */
export const pageQuery = z.object({
  page: pageNumber.default(1).register(docs, doc('The page of a list, from 1', 1)),
  limit: pageSize.default(50).register(docs, doc('The number of rows of a page, 1 to 1,000', 50)),
})

/** Paging of a list that Flowise answers whole: it is paged where `page` or `limit` is given. */
export const pageIfAsked = z.object({
  page: pageNumber.optional().register(docs, doc('The page of a list, from 1', 1)),
  limit: pageSize.optional().register(docs, doc('The number of rows of a page, 1 to 1,000', 50)),
})

const dayOrMoment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional()

/** A range of time in the query string; both ends are included. */
export const dateRange = z.object({
  startDate: dayOrMoment.meta(
    doc('Only rows from this time on: ISO 8601, a date or a date and time', '2026-01-01'),
  ),
  endDate: dayOrMoment.meta(
    doc('Only rows up to this time: ISO 8601, a date or a date and time', '2026-12-31'),
  ),
})

/** By time: oldest first, or newest first. */
export const order = z.enum(['ASC', 'DESC'])

/** A page of rows; `total` counts the rows of all pages. */
export const pageOf = <S extends z.ZodType>(row: S) =>
  z.object({
    data: z.array(row).register(docs, doc('The rows of the page', [])),
    total: count.meta(doc('The number of rows on all pages', 1)),
  })

/** All rows, or a page where `page` or `limit` was given. */
export const listOf = <S extends z.ZodType>(row: S) => z.union([z.array(row), pageOf(row)])
