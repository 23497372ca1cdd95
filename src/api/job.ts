import { z } from 'zod'
import { JOB_KINDS, JOB_STAGES, JOB_STATES, NODE_STEPS, WAITS_FOR } from '../contract/job.ts'
import { common, doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { count, filePassword, jsonObject, moment } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'

/** What passed a node of the flow in a job. */
export const nodeProgress = z.object({
  id: z.string().register(docs, doc('The id of a node of the flow that took part', 'fileLoader_0')),
  step: z
    .enum(NODE_STEPS)
    .register(docs, doc('The step of the node in an upsert: read, split, compare, embed or store', 'read')),
  files: count.meta(doc('The number of files that passed the node', 12)),
  documents: count.meta(doc('The number of documents that the node read or split', 12)),
  chunks: count.meta(doc('The number of chunks that the node made or stored', 12)),
  embedded: count.meta(doc('The number of texts that the node embedded', 12)),
  reused: count.meta(doc('The number of chunks or texts that needed no work, since the store had them', 0)),
  errors: count.meta(doc('The number of files that failed at the node', 0)),
  ms: count.meta(doc('Milliseconds of work of the node', 40)),
})
export type NodeProgressAnswer = z.output<typeof nodeProgress>

/** A job. Its result has the shape of the answer to the request that made it. */
export const jobShape = z.object({
  id: z.string().register(docs, doc('The id of the job, a UUID', EXAMPLE_ID)),
  flowId: z.string().register(docs, doc('The id of the flow of the job, a UUID', EXAMPLE_ID)),
  kind: z
    .enum(JOB_KINDS)
    .register(
      docs,
      doc(
        'The kind of the job: an upsert, a reindex, a dry run, a repair of the points of a vector engine, a verify that only compares them, an eval that asks the questions of the flow, or a compare that asks variants of it',
        'upsert',
      ),
    ),
  state: z.enum(JOB_STATES).register(docs, common.jobState),
  attempt: count.meta(
    doc(
      'The number of the attempt, from 1. The counts of a job only grow within one attempt; another begins where the job is retried, or where its server stops',
      1,
    ),
  ),
  stage: z
    .enum(JOB_STAGES)
    .nullable()
    .register(
      docs,
      doc(
        'The current stage of the job: parse, embed or publish; of a repair compare, repair or check; of an eval ask; null where it has none',
        'embed',
      ),
    ),
  files: z
    .object({
      total: count.meta(
        doc('The number of files of the job; it grows while files are still being found', 12),
      ),
      done: count.meta(doc('Files that are finished, including the failed ones', 12)),
      failed: count.meta(doc('Files that could not be loaded', 0)),
      empty: count.meta(doc('Files without text', 0)),
    })
    .register(
      docs,
      doc('The number of files of the job, by what became of them', {
        total: 12,
        done: 3,
        failed: 0,
        empty: 0,
      }),
    ),
  points: z
    .object({
      compared: count.meta(doc('Points that were compared in the current stage', 4000)),
      total: count.meta(doc('About how many points there are', 9110)),
      found: count.meta(doc('Points that differ, by what was compared so far', 5)),
    })
    .optional()
    .register(
      docs,
      doc('How far a repair is, or a verify; absent for other jobs', {
        compared: 4000,
        total: 9110,
        found: 5,
      }),
    ),
  questions: z
    .object({
      total: count.meta(doc('The number of questions of an eval, or of a comparison of variants', 42)),
      done: count.meta(doc('Questions that were asked', 12)),
    })
    .optional()
    .register(
      docs,
      doc('How far an eval is, or a comparison of variants; absent for other jobs', { total: 42, done: 12 }),
    ),
  chunks: z
    .object({
      seen: count.meta(
        doc('Chunks that the documents were split into; of a repair the points that were read', 12),
      ),
      embedded: count.meta(doc('Chunks that have a vector', 12)),
      written: count.meta(doc('Chunks that are stored', 12)),
    })
    .register(
      docs,
      doc('The number of chunks of the job at each stage', { seen: 12, embedded: 12, written: 12 }),
    ),
  nodes: z.array(nodeProgress).register(
    docs,
    doc('What passed each node of the flow; none for a job that has not begun', [
      {
        id: 'fileLoader_0',
        step: 'read',
        files: 12,
        documents: 12,
        chunks: 0,
        embedded: 0,
        reused: 0,
        errors: 0,
        ms: 40,
      },
    ]),
  ),
  rate: z
    .number()
    .nullable()
    .register(docs, doc('The speed of the job in chunks per second; null unless it is running', 850)),
  etaSeconds: count
    .nullable()
    .register(
      docs,
      doc('The estimated remaining time in seconds; null where it is unknown or the job is not running', 4),
    ),
  place: count
    .optional()
    .register(
      docs,
      doc(
        'The place of a waiting job in the queue, from 1, as it is now: keys take turns, so jobs that others send later may come first',
        3,
      ),
    ),
  waitsFor: z
    .enum(WAITS_FOR)
    .optional()
    .register(
      docs,
      doc(
        'What a waiting job waits for besides its turn, upload store: the bucket with its files does not answer; absent otherwise',
        'upload store',
      ),
    ),
  waiting: z
    .object({
      server: z.string().register(docs, doc('The name of the server that the job waits for', 'OpenSearch')),
      reason: z
        .string()
        .register(
          docs,
          doc('Why it takes no calls: the status of its answers, or a few words such as no answer', '429'),
        ),
      since: moment.meta(doc('Since when the job waits for it, ISO 8601 in UTC', EXAMPLE_MOMENT)),
    })
    .optional()
    .register(
      docs,
      doc(
        'What a running job waits for: a vector engine that refuses its calls or does not answer; absent where it works',
        { server: 'OpenSearch', reason: '429', since: EXAMPLE_MOMENT },
      ),
    ),
  result: jsonObject
    .nullable()
    .register(
      docs,
      doc('The answer to the request that made the job; null until it is done', { numAdded: 12 }),
    ),
  error: z
    .object({
      code: z.string().register(docs, common.errorCode),
      message: z
        .string()
        .register(docs, doc('Why it failed, in one sentence', 'handbook.pdf is protected by a password')),
      file: z.string().optional().register(docs, doc('The file that caused the failure', 'handbook.pdf')),
      stage: z.string().optional().register(docs, doc('The stage that failed', 'parse')),
    })
    .nullable()
    .register(docs, doc('Why the job failed; null where it did not', null)),
  createdAt: moment.meta(doc('When the job was requested, ISO 8601 in UTC', EXAMPLE_MOMENT)),
  startedAt: moment
    .nullable()
    .register(docs, doc('When the job started, ISO 8601 in UTC; null before that', EXAMPLE_MOMENT)),
  finishedAt: moment
    .nullable()
    .register(docs, doc('When the job ended, ISO 8601 in UTC; null before that', EXAMPLE_MOMENT)),
})

export type JobAnswer = z.output<typeof jobShape>

export const jobPage = pageOf(jobShape)

export const jobRetryBody = z.object({ password: filePassword.nullish().register(docs, common.password) })

export const jobListQuery = pageQuery.extend({
  flowId: z.string().optional().register(docs, doc('Only jobs of this flow: its id or slug', 'quickstart')),
  state: z.enum(JOB_STATES).optional().register(docs, doc('Only jobs in this state', 'running')),
  kind: z.enum(JOB_KINDS).optional().register(docs, doc('Only jobs of this kind', 'upsert')),
})

/** The query of the stream of all jobs. */
export const jobStreamQuery = z.object({
  flowId: z.string().optional().register(docs, doc('Only jobs of this flow: its id or slug', 'quickstart')),
  until: z
    .literal('idle')
    .optional()
    .register(docs, doc('idle: the stream ends when no job is queued or running')),
})

export const jobEventHeaders = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .register(
      docs,
      doc('The id of the last event that the client received; the stream resumes after it', '3.7'),
    ),
})
