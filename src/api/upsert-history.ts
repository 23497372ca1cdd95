import { z } from 'zod'
import { doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { jsonObject, jsonValue, moment } from './json.ts'
import { flowParams } from './params.ts'
import { dateRange, listOf, order, pageIfAsked } from './paging.ts'

export const historyQuery = pageIfAsked.extend({
  order: order.default('DESC').register(docs, doc('ASC: oldest first; DESC: newest first', 'DESC')),
  ...dateRange.shape,
})

export const historyParams = flowParams.extend({
  id: z.string().register(docs, doc('The id of the row, or of its job', EXAMPLE_ID)),
})

/** The ids of rows to remove. */
export const historyRemoval = z.object({
  ids: z.array(z.string()).register(docs, doc('The ids of the rows', [EXAMPLE_ID])),
})

/** A past upsert: its inputs and its result. */
export const historyShape = z.object({
  id: z.string().register(docs, doc('The id of the row, a UUID', EXAMPLE_ID)),
  chatflowid: z.string().register(docs, doc('The id of the flow', EXAMPLE_ID)),
  result: jsonObject.meta(doc('The counters and files of the upsert, or why it failed', { numAdded: 12 })),
  flowData: z
    .array(jsonValue)
    .register(
      docs,
      doc('The nodes of the upsert with their inputs, without secrets', [
        { id: 'fileLoader_0', name: 'fileLoader', label: 'File Loader' },
      ]),
    ),
  date: moment.meta(doc('Time of the upsert, ISO 8601 in UTC', EXAMPLE_MOMENT)),
  jobId: z
    .string()
    .nullable()
    .register(docs, doc('The id of the job of the upsert; null where there is none', EXAMPLE_ID)),
})
export type HistoryAnswer = z.output<typeof historyShape>

/** All rows as Flowise answers them, or a page of them. */
export const historyList = listOf(historyShape)
