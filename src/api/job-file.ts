import { z } from 'zod'
import { FILE_STATES } from '../contract/job.ts'
import { common, doc, docs } from './doc.ts'
import { droppedCount } from './dropped.ts'
import { count } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'

/** What a job did with a file. */
export const jobFile = z.object({
  name: z
    .string()
    .register(docs, doc('The file name as it was sent, or the address of the page', 'handbook.pdf')),
  state: z.enum(FILE_STATES).register(docs, doc('What became of the file so far', 'indexed')),
  chunks: count.meta(doc('The number of chunks of the file', 12)),
  added: count.meta(common.added),
  updated: count.meta(common.updated),
  skipped: count.meta(common.skipped),
  deleted: count.meta(common.deleted),
  outdated: count.optional().register(docs, common.outdated),
  dropped: z.array(droppedCount).optional().register(docs, common.dropped),
  warnings: z.array(z.string()).register(docs, doc('The first warnings about the file', [])),
  ms: count
    .nullable()
    .register(docs, doc('Milliseconds of work on the file; null where it has not ended', 40)),
  code: z.string().optional().register(docs, common.errorCode),
  message: z
    .string()
    .optional()
    .register(docs, doc('Why the file failed, in one sentence', 'handbook.pdf is protected by a password')),
  reason: z
    .string()
    .optional()
    .register(docs, doc('Why the file failed, without its name', 'is protected by a password')),
})
export type JobFileAnswer = z.output<typeof jobFile>
export const jobFilePage = pageOf(jobFile)
export const jobFileQuery = pageQuery.extend({
  state: z.enum(FILE_STATES).optional().register(docs, doc('Only files in this state', 'failed')),
  file: z
    .string()
    .max(500)
    .optional()
    .register(docs, doc('Only files with this text in their name, in capital or small letters', 'handbook')),
})

/** The failed files of a job by their reasons, the most frequent one first. */
export const jobFailures = z.object({
  total: count.meta(doc('The number of failed files', 1)),
  reasons: z
    .array(
      z.object({
        code: z.string().nullable().register(docs, doc('The code of the failure', 'file_encrypted')),
        reason: z
          .string()
          .register(docs, doc('Why these files failed, without their names', 'is protected by a password')),
        files: count.meta(doc('How many files failed for this reason', 1)),
        names: z.array(z.string()).register(docs, doc('The names of the first 20 of them', ['b.pdf'])),
      }),
    )
    .register(
      docs,
      doc('The reasons, the most frequent one first, at most 100', [
        { code: 'file_encrypted', reason: 'is protected by a password', files: 1, names: ['b.pdf'] },
      ]),
    ),
})
export type JobFailuresAnswer = z.output<typeof jobFailures>
