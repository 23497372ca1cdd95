import { z } from 'zod'
import { DROPPED_KINDS } from '../contract/file-parser.ts'
import { count } from './json.ts'

/** How much of a kind was left out of the text of a file. */
export const droppedCount = z.object({ kind: z.enum(DROPPED_KINDS), count, text: z.string() })
export type DroppedCountAnswer = z.output<typeof droppedCount>

/** The same at a place of the file, with its position in the text where that is known. */
export const droppedRow = droppedCount.extend({
  more: z.boolean(),
  place: z
    .object({
      page: count.optional(),
      lastPage: count.optional(),
      sheet: z.string().optional(),
      part: z.string().optional(),
    })
    .nullable(),
  position: z.object({ start: count, end: count }).nullable(),
})
export type DroppedAnswer = z.output<typeof droppedRow>
