import type { z } from 'zod'
import type { dateRange, pageIfAsked } from '../api/paging.ts'
import { removalShape } from '../api/removal.ts'
import type { Page } from '../kit/paging.ts'

/** Tag and access of the routes that manage the server. */
export const MANAGEMENT = { tag: 'management', access: 'manage' } as const

/** The answer of routes that remove rows, for the description. */
export const removalAnswer = {
  description: 'The number of removed rows',
  shape: removalShape,
}

/** The answer to a removal, as clients of Flowise expect it; `raw` is always empty. */
export const removedRows = (count: number) => ({ raw: [], affected: count })

/** The requested page; undefined for the whole list. */
export const requestedPage = ({ page, limit }: z.output<typeof pageIfAsked>): Page | undefined =>
  page === undefined && limit === undefined ? undefined : { page: page ?? 1, limit: limit ?? 50 }

/** The requested range of time, in milliseconds since 1970; both ends are included. */
export const requestedRange = ({ startDate, endDate }: z.output<typeof dateRange>) => ({
  from: startDate === undefined ? undefined : Date.parse(startDate),
  to: endDate === undefined ? undefined : Date.parse(endDate),
})

/** A time in milliseconds since 1970 as ISO 8601 in UTC. */
export const isoTime = (time: number): string => new Date(time).toISOString()
