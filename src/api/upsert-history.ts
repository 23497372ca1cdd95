import { z } from 'zod'
import { jsonObject, jsonValue, moment } from './json.ts'
import { dateRange, order } from './paging.ts'

export const historyQuery = z.object({ order: order.default('DESC'), ...dateRange.shape })

/** The ids of rows to remove. */
export const historyRemoval = z.object({ ids: z.array(z.string()) })

/** A past upsert: its inputs and its result. */
export const historyShape = z.object({
  id: z.string(),
  chatflowid: z.string(),
  result: jsonObject,
  flowData: z.array(jsonValue),
  date: moment,
})
export const historyList = z.array(historyShape)
