import { z } from 'zod'
import { JOB_KINDS, JOB_STAGES, JOB_STATES } from '../contract/job.ts'
import { count, jsonObject, moment } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'

/** A job. Its result has the shape of the answer to the request that made it. */
export const jobShape = z.object({
  id: z.string(),
  flowId: z.string(),
  kind: z.enum(JOB_KINDS),
  state: z.enum(JOB_STATES),
  stage: z.enum(JOB_STAGES).nullable(),
  files: z.object({ total: count, done: count, failed: count }),
  chunks: z.object({ seen: count, embedded: count, written: count }),
  rate: z.number().nullable(),
  etaSeconds: count.nullable(),
  result: jsonObject.nullable(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      file: z.string().optional(),
      stage: z.string().optional(),
    })
    .nullable(),
  createdAt: moment,
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
})

export type JobAnswer = z.output<typeof jobShape>

export const jobPage = pageOf(jobShape)

export const jobListQuery = pageQuery.extend({
  flowId: z.string().optional(),
  state: z.enum(JOB_STATES).optional(),
})

export const jobEventHeaders = z.object({ 'Last-Event-ID': z.string().optional() })

/** The query of requests that make a job: `async` answers before the job has ended. */
export const asyncQuery = z.object({ async: z.stringbool().optional() })

export const jobHeaders = z.object({
  Prefer: z.string().optional(),
  'Idempotency-Key': z.string().optional(),
})

/** The answer to a client that does not wait. */
export const acceptedJob = z.object({ jobId: z.string(), state: z.literal('queued') })
export type AcceptedJob = z.output<typeof acceptedJob>
