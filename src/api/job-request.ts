import { z } from 'zod'
import { common, doc, docs } from './doc.ts'

/** The query of requests that make a job: `async` answers before the job has ended. */
export const asyncQuery = z.object({
  async: z
    .stringbool()
    .optional()
    .register(
      docs,
      doc('true: answer at once with a job; false: wait for the result. Has precedence over Prefer', 'true'),
    ),
})

export const jobHeaders = z.object({
  Prefer: z
    .string()
    .optional()
    .register(docs, doc('respond-async: answer at once with a job (RFC 7240)', 'respond-async')),
  'Idempotency-Key': z
    .string()
    .optional()
    .register(
      docs,
      doc(
        'A repetition of the request with the same key within 24 hours gets the first answer again; 1 to 255 characters',
        'import-2026-01-31',
      ),
    ),
})

/** The answer to a client that does not wait. */
export const acceptedJob = z.object({
  jobId: z.string().register(docs, common.jobId),
  state: z.literal('queued').register(docs, doc('Always queued')),
})
export type AcceptedJob = z.output<typeof acceptedJob>
