import { jobEventHeaders, jobListQuery, jobPage, jobShape, type JobAnswer } from '../../api/job.ts'
import { idParams } from '../../api/params.ts'
import { hasEnded } from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import { toRange } from '../../kit/paging.ts'
import type { JobView } from '../../upsert/active-job.ts'
import { isoTime } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { type SentEvent, sendEvents } from '../sse.ts'

/** @param stopping aborts when the server stops; clients that follow a job reconnect after the next start */
export function jobRoutes({ jobs }: Platform, stopping: AbortSignal): Route[] {
  const shared = {
    tag: 'jobs',
    access: { flow: 'upsert', by: 'job', free: true },
    params: idParams,
  } as const
  const answer = { description: 'The job', shape: jobShape }

  async function find(id: string): Promise<JobView> {
    const job = await jobs.find(id)
    if (!job) throw new SluiceError('job_not_found', { id })
    return job
  }

  async function* changes(id: string, seen: string | undefined, signal: AbortSignal) {
    for await (const job of jobs.events(id, { seen, signal }))
      yield { id: job.version, event: 'job', data: jobAnswer(job) } satisfies SentEvent
  }

  return [
    route({
      method: 'GET',
      url: '/api/v1/jobs',
      summary: 'All jobs, newest first; results contain only the counts',
      tag: 'jobs',
      access: 'manage',
      query: jobListQuery,
      answer: { description: 'A page of jobs', shape: jobPage },
      async handle({ query }) {
        const { flowId, state } = query
        const { rows, total } = await jobs.list({ flowId, state, ...toRange(query) })
        return { data: rows.map(jobAnswer), total }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/jobs/:id',
      summary: 'One job: its state, progress and result',
      answer,
      handle: async ({ params }) => jobAnswer(await find(params.id)),
    }),
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/jobs/:id/events',
      summary: 'An event for each change of a job, until it ends; Last-Event-ID resumes the stream',
      headers: jobEventHeaders,
      answer: {
        description: 'Events with the name job; the data is the whole job',
        type: 'text/event-stream',
      },
      also: [{ status: 204, description: 'The client has received the last event; it need not reconnect' }],
      async handle({ params, request, reply, clientGone }) {
        const seen = request.headers['last-event-id']?.toString()
        const job = await find(params.id)
        // An EventSource that receives 204 does not reconnect.
        if (hasEnded(job.state) && job.version === seen) return reply.code(204).send()
        const signal = AbortSignal.any([clientGone(), stopping])
        return sendEvents(reply, changes(params.id, seen, signal), signal)
      },
    }),
    route({
      ...shared,
      method: 'POST',
      url: '/api/v1/jobs/:id/cancel',
      summary: 'Cancel a job; none of its chunks become visible',
      answer,
      handle: async ({ params }) => jobAnswer(await jobs.cancel(params.id)),
    }),
    route({
      ...shared,
      method: 'POST',
      url: '/api/v1/jobs/:id/retry',
      summary: 'Run a failed or cancelled job again, with the current flow',
      answer,
      handle: async ({ params }) => jobAnswer(await jobs.retry(params.id)),
    }),
  ]
}

const NO_PROGRESS = { files: { total: 0, done: 0, failed: 0 }, chunks: { seen: 0, embedded: 0, written: 0 } }

/** A job as clients see it. */
function jobAnswer(job: JobView): JobAnswer {
  const { files, chunks } = job.progress ?? NO_PROGRESS
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
    createdAt: isoTime(job.createdAt),
    startedAt: job.startedAt === null ? null : isoTime(job.startedAt),
    finishedAt: job.finishedAt === null ? null : isoTime(job.finishedAt),
  }
}
