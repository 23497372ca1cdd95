import { z } from 'zod'
import { doc, docs } from './doc.ts'

/** How many rows were removed, in the form of Flowise. `raw`, which comes from its database, is always empty here. */
export const removalShape = z.object({
  raw: z.array(z.string()).max(0).register(docs, doc('Always empty; clients of Flowise expect it', [])),
  affected: z.number().register(docs, doc('The number of rows that were removed', 1)),
})
