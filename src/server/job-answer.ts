import type { JobAnswer } from '../api/job.ts'
import type { JobView } from '../upsert/active-job.ts'

const NOT_BEGUN = { files: { total: 0, done: 0, failed: 0 }, chunks: { seen: 0, embedded: 0, written: 0 } }

/** A job as the API gives it. */
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
