import { z } from 'zod'
import { doc, docs } from './doc.ts'

/** The headers of a route whose answer has an ETag. */
export const ifNoneMatch = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .register(
      docs,
      doc('The ETag of an earlier answer: 304 without a body while it is the same', 'W/"7d0c5e…"'),
    ),
})
