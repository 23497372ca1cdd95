import { z } from 'zod'
import { count } from './json.ts'

const pageNumber = z.coerce.number().int().min(1)
const pageSize = z.coerce.number().int().min(1).max(1000)

/** Paging by the query string, with defaults. */
export const pageQuery = z.object({ page: pageNumber.default(1), limit: pageSize.default(50) })

/** Paging of a list that Flowise answers whole: it is paged where `page` or `limit` is given. */
export const pageIfAsked = z.object({ page: pageNumber.optional(), limit: pageSize.optional() })

const dayOrMoment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional()

/** A range of time in the query string; both ends are included. */
export const dateRange = z.object({ startDate: dayOrMoment, endDate: dayOrMoment })

/** By time: oldest first, or newest first. */
export const order = z.enum(['ASC', 'DESC'])

/** A page of rows; `total` counts the rows of all pages. */
export const pageOf = <S extends z.ZodType>(row: S) => z.object({ data: z.array(row), total: count })

/** All rows, or a page where `page` or `limit` was given. */
export const listOf = <S extends z.ZodType>(row: S) => z.union([z.array(row), pageOf(row)])
