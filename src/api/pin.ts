import { z } from 'zod'
import { common, docs } from './doc.ts'

/** The pins whose documents are meant, for callers without pins: `tenant=acme`, several by repetition. */
export const pin = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .register(docs, common.pin)
