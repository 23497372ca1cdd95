import { z } from 'zod'
import { jsonObject } from '../api/json.ts'
import { JOB_KINDS, JOB_STAGES, JOB_STATES } from '../contract/job.ts'
import type { JobView } from '../upsert/active-job.ts'

const count = z.number().int().min(0)
const moment = z.iso.datetime()

/** A job as clients see it. */
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

const NOT_BEGUN = { files: { total: 0, done: 0, failed: 0 }, chunks: { seen: 0, embedded: 0, written: 0 } }

export function jobAnswer(job: JobView): JobAnswer {
  const { files, chunks } = job.progress ?? NOT_BEGUN
  const { error } = job
  return {
    id: job.id,
    flowId: job.flowId,
    kind: job.kind,
    state: job.state,
    stage: job.progress?.stage ?? null,
    files: { total: files.total, done: files.done, failed: files.failed },
    chunks: { seen: chunks.seen, embedded: chunks.embedded, written: chunks.written },
    rate: job.rate,
    etaSeconds: job.etaSeconds,
    result: job.result,
    error: error && {
      code: error.code,
      message: error.message,
      ...(error.facts.file === undefined ? {} : { file: error.facts.file }),
      ...(error.facts.stage === undefined ? {} : { stage: error.facts.stage }),
    },
    createdAt: iso(job.createdAt),
    startedAt: job.startedAt === null ? null : iso(job.startedAt),
    finishedAt: job.finishedAt === null ? null : iso(job.finishedAt),
  }
}

const iso = (time: number) => new Date(time).toISOString()
