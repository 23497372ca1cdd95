import { z } from 'zod'
import { jsonObject, jsonValue, moment } from './json.ts'
import { flowParams } from './params.ts'
import { dateRange, listOf, order, pageIfAsked } from './paging.ts'

export const historyQuery = pageIfAsked.extend({ order: order.default('DESC'), ...dateRange.shape })

export const historyParams = flowParams.extend({ id: z.string() })

/** The ids of rows to remove. */
export const historyRemoval = z.object({ ids: z.array(z.string()) })

/** A past upsert: its inputs and its result. */
export const historyShape = z.object({
  id: z.string(),
  chatflowid: z.string(),
  result: jsonObject,
  flowData: z.array(jsonValue),
  date: moment,
  jobId: z.string().nullable(),
})
export type HistoryAnswer = z.output<typeof historyShape>

/** All rows as Flowise answers them, or a page of them. */
export const historyList = listOf(historyShape)
