import { z } from 'zod'
import { CHUNK_FATES } from '../contract/dry-run.ts'
import { FILE_STATES, JOB_KINDS, JOB_STAGES, JOB_STATES, NODE_STEPS, WAITS_FOR } from '../contract/job.ts'
import { common, doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { droppedCount } from './dropped.ts'
import { count, filePassword, jsonObject, jsonValue, moment } from './json.ts'
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
    .register(docs, doc('The kind of the job: an upsert, a reindex or a dry run', 'upsert')),
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
      doc('The current stage of the job: parse, embed or publish; null where it has none', 'embed'),
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
  chunks: z
    .object({
      seen: count.meta(doc('Chunks that the documents were split into', 12)),
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

/** The fates of the chunks of a source in a dry run. */
export const fatedSource = z.object({
  source: z.string().register(docs, common.source),
  tokens: count.meta(
    doc('About how many tokens an upsert would embed; none for texts that the store has', 1800),
  ),
  added: count.meta(common.added),
  updated: count.meta(common.updated),
  skipped: count.meta(common.skipped),
  deleted: count.meta(common.deleted),
  unchanged: count.meta(doc('Chunks of a file that has not changed', 0)),
})
export type FatedSourceAnswer = z.output<typeof fatedSource>
export const fatedSourcePage = pageOf(fatedSource)

/** The query of the sources of a dry run; by default they are in the order of the run. */
export const fatedSourceQuery = pageQuery.extend({
  largestFirst: z
    .stringbool()
    .optional()
    .register(
      docs,
      doc('Whether sources with the most chunks come first; else they are as they were read', 'true'),
    ),
})

/** What an upsert would do with a chunk. */
export const fatedChunk = z.object({
  source: z.string().register(docs, doc('The name of the document that has the chunk', 'handbook.pdf')),
  fate: z
    .enum(CHUNK_FATES)
    .register(
      docs,
      doc('What an upsert would do with the chunk: added, updated, skipped, deleted or unchanged', 'added'),
    ),
  text: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'The beginning of the text of the chunk; null where a large dry run has no room for texts',
        'Four weeks.',
      ),
    ),
  metadata: jsonValue.meta(doc('The metadata of the chunk', { source: 'handbook.pdf' })),
  tokens: count.meta(common.tokens),
})
export type FatedChunkAnswer = z.output<typeof fatedChunk>
export const fatedChunkPage = pageOf(fatedChunk)
export const fatedChunkQuery = pageQuery.extend({
  source: z.string().optional().register(docs, doc('Only chunks of this document', 'handbook.pdf')),
  fate: z
    .enum(CHUNK_FATES)
    .optional()
    .register(
      docs,
      doc('Only chunks with this fate: added, updated, skipped, deleted or unchanged', 'added'),
    ),
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
