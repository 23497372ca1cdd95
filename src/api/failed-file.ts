import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { count, filePassword, moment } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'

/** The pins whose files are meant, for callers without pins. */
const pin = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .register(docs, common.pin)

export const failedFileQuery = pageQuery.extend({
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .register(docs, doc('Only files with this in their names, in any case', 'handbook')),
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  pin,
})

/**
 * How a failed file can be tried again: `kept` from the file that is kept, `job` by a retry of its job, `upsert` by an upsert
 * without files, which finds it, and `file` only when it is sent again.
 */
export const TRIES = ['kept', 'job', 'upsert', 'file'] as const

/** A file that could not be loaded, and was not loaded since. */
export const failedFile = z.object({
  file: z.string().register(docs, doc('The name of the file', 'broken.pdf')),
  code: z.string().nullable().register(docs, common.errorCode),
  reason: z
    .string()
    .register(docs, doc('Why the file failed, without its name', 'is protected by a password')),
  jobId: z.string().register(docs, doc('The id of the job in which the file failed', EXAMPLE_ID)),
  failedAt: moment.meta(doc('When the file failed, ISO 8601 in UTC', '2026-11-21T09:30:00.000Z')),
  again: z
    .enum(TRIES)
    .register(
      docs,
      doc(
        'How the file can be tried again: kept (from the kept file), job (by a retry of its job), upsert (by an upsert without files, which finds it), file (only when it is sent again)',
        'kept',
      ),
    ),
  olderChunks: count.meta(doc('How many chunks of an earlier version are still found', 0)),
})
export type FailedFileAnswer = z.output<typeof failedFile>
export const failedFilePage = pageOf(failedFile)

/** The names of failed files. */
const names = z.array(z.string().max(1024)).min(1).max(1000)
const where = { stopNodeId: z.string().nullish().register(docs, common.storeNode) }

/** The query of requests that change them. */
export const failedChangeQuery = z.object({ pin })

export const failedRetryBody = z.object({
  files: names.meta(doc('The names of failed files', ['broken.pdf'])),
  password: filePassword.nullish().register(docs, common.password),
  ...where,
})

/** `missing`: files that are not kept any more, or that are failed no more. */
export const failedRetry = z.object({
  jobId: z.string().register(docs, doc('The id of the job that tries them', EXAMPLE_ID)),
  files: count.meta(doc('How many files are tried again', 1)),
  missing: z
    .array(z.string())
    .register(docs, doc('Files that are not kept any more, or that are failed no more', [])),
})
export type FailedRetryAnswer = z.output<typeof failedRetry>

export const failedRemovalBody = z.object({
  files: names.meta(doc('The names of failed files', ['broken.pdf'])),
  ...where,
})
export const failedRemoval = z.object({
  numForgotten: count.meta(doc('How many failed files were forgotten', 1)),
})
