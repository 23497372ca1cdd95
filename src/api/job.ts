import { z } from 'zod'
import { CHUNK_FATES } from '../contract/dry-run.ts'
import { FILE_STATES, JOB_KINDS, JOB_STAGES, JOB_STATES, NODE_STEPS, WAITS_FOR } from '../contract/job.ts'
import { droppedCount } from './dropped.ts'
import { count, filePassword, jsonObject, jsonValue, moment } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'

/** What passed a node of the flow in a job. */
export const nodeProgress = z.object({
  id: z.string(),
  step: z.enum(NODE_STEPS),
  files: count,
  documents: count,
  chunks: count,
  embedded: count,
  reused: count,
  errors: count,
  ms: count,
})
export type NodeProgressAnswer = z.output<typeof nodeProgress>

/** A job. Its result has the shape of the answer to the request that made it. */
export const jobShape = z.object({
  id: z.string(),
  flowId: z.string(),
  kind: z.enum(JOB_KINDS),
  state: z.enum(JOB_STATES),
  attempt: count,
  stage: z.enum(JOB_STAGES).nullable(),
  files: z.object({ total: count, done: count, failed: count, empty: count }),
  chunks: z.object({ seen: count, embedded: count, written: count }),
  nodes: z.array(nodeProgress),
  rate: z.number().nullable(),
  etaSeconds: count.nullable(),
  place: count.optional(),
  waitsFor: z.enum(WAITS_FOR).optional(),
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

export const jobRetryBody = z.object({ password: filePassword.nullish() })

export const jobListQuery = pageQuery.extend({
  flowId: z.string().optional(),
  state: z.enum(JOB_STATES).optional(),
  kind: z.enum(JOB_KINDS).optional(),
})

/** What a job did with a file. */
export const jobFile = z.object({
  name: z.string(),
  state: z.enum(FILE_STATES),
  chunks: count,
  added: count,
  updated: count,
  skipped: count,
  deleted: count,
  outdated: count.optional(),
  dropped: z.array(droppedCount).optional(),
  warnings: z.array(z.string()),
  ms: count.nullable(),
  code: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
})
export type JobFileAnswer = z.output<typeof jobFile>
export const jobFilePage = pageOf(jobFile)
export const jobFileQuery = pageQuery.extend({
  state: z.enum(FILE_STATES).optional(),
  file: z.string().max(500).optional(),
})

/** The failed files of a job by their reasons, the most frequent one first. */
export const jobFailures = z.object({
  total: count,
  reasons: z.array(
    z.object({ code: z.string().nullable(), reason: z.string(), files: count, names: z.array(z.string()) }),
  ),
})
export type JobFailuresAnswer = z.output<typeof jobFailures>

/** The fates of the chunks of a source in a dry run. */
export const fatedSource = z.object({
  source: z.string(),
  tokens: count,
  added: count,
  updated: count,
  skipped: count,
  deleted: count,
  unchanged: count,
})
export type FatedSourceAnswer = z.output<typeof fatedSource>
export const fatedSourcePage = pageOf(fatedSource)

/** The query of the sources of a dry run; by default they are in the order of the run. */
export const fatedSourceQuery = pageQuery.extend({ largestFirst: z.stringbool().optional() })

/** What an upsert would do with a chunk. */
export const fatedChunk = z.object({
  source: z.string(),
  fate: z.enum(CHUNK_FATES),
  text: z.string().nullable(),
  metadata: jsonValue,
  tokens: count,
})
export type FatedChunkAnswer = z.output<typeof fatedChunk>
export const fatedChunkPage = pageOf(fatedChunk)
export const fatedChunkQuery = pageQuery.extend({
  source: z.string().optional(),
  fate: z.enum(CHUNK_FATES).optional(),
})

/** The query of the stream of all jobs. */
export const jobStreamQuery = z.object({
  flowId: z.string().optional(),
  until: z.literal('idle').optional(),
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
