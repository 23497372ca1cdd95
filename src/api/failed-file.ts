import { z } from 'zod'
import { count, filePassword, moment } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'

/** The pins whose files are meant, for callers without pins. */
const pin = z.union([z.string(), z.array(z.string())]).optional()

export const failedFileQuery = pageQuery.extend({
  search: z.string().min(1).max(200).optional(),
  stopNodeId: z.string().optional(),
  pin,
})

/**
 * How a failed file can be tried again: `kept` from the file that is kept, `job` by a retry of its job, `upsert` by an upsert
 * without files, which finds it, and `file` only when it is sent again.
 */
export const TRIES = ['kept', 'job', 'upsert', 'file'] as const

/** A file that could not be loaded, and was not loaded since. */
export const failedFile = z.object({
  file: z.string(),
  code: z.string().nullable(),
  reason: z.string(),
  jobId: z.string(),
  failedAt: moment,
  again: z.enum(TRIES),
  olderChunks: count,
})
export type FailedFileAnswer = z.output<typeof failedFile>
export const failedFilePage = pageOf(failedFile)

/** The names of failed files. */
const names = z.array(z.string().max(1024)).min(1).max(1000)
const where = { stopNodeId: z.string().nullish() }

/** The query of requests that change them. */
export const failedChangeQuery = z.object({ pin })

export const failedRetryBody = z.object({ files: names, password: filePassword.nullish(), ...where })

/** `missing`: files that are not kept any more, or that are failed no more. */
export const failedRetry = z.object({ jobId: z.string(), files: count, missing: z.array(z.string()) })
export type FailedRetryAnswer = z.output<typeof failedRetry>

export const failedRemovalBody = z.object({ files: names, ...where })
export const failedRemoval = z.object({ numForgotten: count })
