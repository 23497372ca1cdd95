import { z } from 'zod'
import { JOB_STATES, type NodeStep } from '../contract/job.ts'
import { common, doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { count, moment } from './json.ts'

const stepTimes = z.object({
  read: count.meta(doc('Milliseconds of reading', 40)),
  split: count.meta(doc('Milliseconds of splitting', 3)),
  compare: count.meta(doc('Milliseconds of comparing with the store', 5)),
  embed: count.meta(doc('Milliseconds of embedding', 120)),
  store: count.meta(doc('Milliseconds of storing', 60)),
} satisfies Record<NodeStep, z.ZodType>)

/** Figures of one flow, or of all. */
export const statsShape = z.object({
  sizes: z
    .array(
      z.object({
        date: moment.meta(doc('When the upsert ended, ISO 8601 in UTC', EXAMPLE_MOMENT)),
        chunks: count.meta(doc('The number of chunks after it', 12)),
      }),
    )
    .register(
      docs,
      doc(
        'The number of chunks after each upsert, oldest first, at most 200 points; of several flows their sum',
        [{ date: EXAMPLE_MOMENT, chunks: 12 }],
      ),
    ),
  upserts: z
    .array(
      z.object({
        jobId: z.string().register(docs, doc('The id of the job of the upsert', EXAMPLE_ID)),
        flowId: z.string().register(docs, doc('The id of the flow of the job, a UUID', EXAMPLE_ID)),
        state: z.enum(JOB_STATES).register(docs, common.jobState),
        finishedAt: moment.meta(doc('When the job ended, ISO 8601 in UTC', EXAMPLE_MOMENT)),
        ms: count.meta(doc('Milliseconds from the start of the upsert to its end', 230)),
        steps: stepTimes.meta(
          doc('Milliseconds of work by step, added up over files that were worked on at the same time', {
            read: 40,
            split: 3,
            compare: 5,
            embed: 120,
            store: 60,
          }),
        ),
      }),
    )
    .register(docs, doc('The last 20 upserts that have ended, oldest first', [])),
  /** The chunks that readers do not see. */
  invisible: z
    .object({
      unswept: count.meta(
        doc(
          'How many chunks failed or cancelled upserts, an unfinished reindex, or removed documents and flows have left: they are deleted within a minute, those of a reindex after a day',
          0,
        ),
      ),
      restorable: count.meta(
        doc('How many chunks removed documents and deleted flows have, which can be restored', 12),
      ),
      bytes: count.meta(doc('About how many bytes all of these take', 24_000)),
    })
    .register(
      docs,
      doc('The chunks that no query finds, without those of an upsert that runs', {
        unswept: 0,
        restorable: 12,
        bytes: 24_000,
      }),
    ),
  queries: z
    .array(
      z.object({
        hour: moment.meta(doc('The beginning of the hour, ISO 8601 in UTC', EXAMPLE_MOMENT)),
        queries: count.meta(doc('The number of queries in the hour', 40)),
        p50: z
          .number()
          .min(0)
          .register(
            docs,
            doc('Half of the queries took at most this long, in milliseconds, to about a tenth', 4.2),
          ),
        p95: z
          .number()
          .min(0)
          .register(
            docs,
            doc('95 % of the queries took at most this long, in milliseconds, to about a tenth', 11),
          ),
      }),
    )
    .register(docs, doc('The queries of the last 48 hours since the server started, hour by hour', [])),
})
export type StatsAnswer = z.output<typeof statsShape>
