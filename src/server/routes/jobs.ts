import {
  jobEventHeaders,
  jobListQuery,
  jobPage,
  jobRetryBody,
  jobShape,
  jobStreamQuery,
  type JobAnswer,
} from '../../api/job.ts'
import { jobFailures, jobFilePage, jobFileQuery } from '../../api/job-file.ts'
import { fatedChunkPage, fatedChunkQuery, fatedSourcePage, fatedSourceQuery } from '../../api/fate.ts'
import { idParams } from '../../api/params.ts'
import { isJobWithin } from '../../jobs/job-fence.ts'
import { hasEnded } from '../../jobs/has-ended.ts'
import { COMPARISON_STEPS } from '../../contract/engine-comparison.ts'
import type { JobFile, JobProgress } from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import { fileReason } from '../../kit/file-reason.ts'
import { toRange } from '../../kit/paging.ts'
import type { JobView } from '../../jobs/active/job-view.ts'
import { isoTime } from '../management.ts'
import { readPasswords } from '../file-passwords.ts'
import { failuresOf } from '../job-failures.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { type SentEvent, sendEvents } from '../sse.ts'

type StreamOptions = {
  /** The id of the last event that the client received; NaN without one. */
  seen: number
  /** Whether the caller may see a job. */
  sees(job: JobView): Promise<boolean>
  untilIdle: boolean
  signal: AbortSignal
}

/** @param stopping aborts when the server stops; clients that follow a job reconnect after the next start */
export function jobRoutes({ fates, flows, jobs }: Platform, stopping: AbortSignal): Route[] {
  const shared = {
    tag: 'jobs',
    access: { flow: 'upsert', by: 'job', free: true },
    // Admission finds only the jobs of the caller's fence.
    pinned: 'fenced',
    params: idParams,
  } as const
  const answer = { description: 'The job', shape: jobShape }

  async function find(id: string): Promise<JobView> {
    const job = await jobs.find(id)
    if (!job) throw new SluiceError('job_not_found', { id })
    return job
  }

  /**
   * Jobs that change. The id of an event is the time of the latest end that it tells of, or of its beginning: after
   * an interruption the jobs that ended since then follow.
   */
  async function* allChanges({ seen, sees, untilIdle, signal }: StreamOptions) {
    const since = Number.isFinite(seen) ? seen - RESUME_OVERLAP_MS : undefined
    let latest = Number.isFinite(seen) ? seen : Date.now()
    for await (const job of jobs.changes({ since, untilIdle, signal })) {
      if (!(await sees(job))) continue
      latest = Math.max(latest, job.finishedAt ?? 0)
      yield { id: String(latest), event: 'job', data: withoutDocuments(jobAnswer(job)) } satisfies SentEvent
    }
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
        const { state, kind } = query
        const flowId = query.flowId && ((await flows.find(query.flowId))?.id ?? query.flowId)
        const { rows, total } = await jobs.list({ flowId, state, kind, ...toRange(query) })
        return { data: rows.map(jobAnswer), total }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/jobs/events',
      summary:
        'An event for each change of any job that the caller may see, at most four times a second for each; Last-Event-ID resumes the stream',
      tag: 'jobs',
      access: 'key',
      pinned: 'fenced',
      query: jobStreamQuery,
      headers: jobEventHeaders,
      answer: {
        description:
          'Events with the name job; the data is the job, of its result only the counts. The first events are the queued and running jobs',
        type: 'text/event-stream',
      },
      async handle({ query, request, reply, may, fence, clientGone }) {
        const flowId = query.flowId && ((await flows.find(query.flowId))?.id ?? query.flowId)
        const signal = AbortSignal.any([clientGone(), stopping])
        const seen = Number(request.headers['last-event-id'])
        const within = await fence()
        const sees = async (job: JobView) => {
          if (!isJobWithin(job.id, within)) return false
          if (flowId !== undefined && job.flowId !== flowId) return false
          const flow = await flows.find(job.flowId)
          return flow !== undefined && may('upsert', flow)
        }
        const untilIdle = query.until === 'idle'
        return sendEvents(reply, allChanges({ seen, sees, untilIdle, signal }), signal)
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
      method: 'GET',
      url: '/api/v1/jobs/:id/files',
      summary: 'The files of a job in order, also while it runs',
      query: jobFileQuery,
      answer: { description: 'A page of files', shape: jobFilePage },
      async handle({ params, query }) {
        const { state, file } = query
        const { rows, total } = await jobs.files(params.id, { state, search: file, ...toRange(query) })
        return { data: rows.map(withReason), total }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/jobs/:id/failures',
      summary: 'The failed files of a job by their reasons, the most frequent reason first',
      answer: {
        description: 'At most a hundred reasons, each with the first of its files',
        shape: jobFailures,
      },
      handle: async ({ params }) => failuresOf(jobs, params.id),
    }),
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/jobs/:id/sources',
      summary: 'The sources of a dry run, each with the fates of its chunks',
      query: fatedSourceQuery,
      answer: { description: 'A page of sources', shape: fatedSourcePage },
      async handle({ params, query }) {
        const found = await fates.sources(params.id, {
          ...toRange(query),
          largestFirst: query.largestFirst === true,
        })
        if (!found) throw new SluiceError('dry_run_not_kept', { id: params.id })
        return { data: found.rows, total: found.total }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/jobs/:id/chunks',
      summary: 'The chunks of a dry run with their fates, of one source or of all',
      query: fatedChunkQuery,
      answer: { description: 'A page of chunks, source by source', shape: fatedChunkPage },
      async handle({ params, query }) {
        const { source, fate } = query
        const found = await fates.chunks(params.id, { source, fate, ...toRange(query) })
        if (!found) throw new SluiceError('dry_run_not_kept', { id: params.id })
        return { data: found.rows, total: found.total }
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
      body: jobRetryBody,
      answer,
      handle: async ({ params, body }) =>
        jobAnswer(await jobs.retry(params.id, readPasswords(body.password ?? null))),
    }),
  ]
}

/** Ends within this time before the last event are sent again: they may have been in the same round. */
const RESUME_OVERLAP_MS = 2000

/** A file with the reason why it failed, without its name, which stands beside it. */
const withReason = ({ original: _, ...file }: JobFile) =>
  file.message === undefined ? file : { ...file, reason: fileReason(file.name, file.message) }

/** A job as lists show it: of its result the counts. */
const withoutDocuments = (job: JobAnswer): JobAnswer => ({
  ...job,
  result:
    job.result &&
    (Object.fromEntries(
      Object.entries(job.result).filter(([, value]) => !Array.isArray(value)),
    ) as JobAnswer['result']),
})

const NO_PROGRESS = {
  files: { total: 0, done: 0, failed: 0, empty: 0 },
  chunks: { seen: 0, embedded: 0, written: 0 },
}

/** The points of the current stage: each stage reads all of them. */
function pointsOf(
  { stage, chunks }: JobProgress,
  { total, found }: NonNullable<JobProgress['points']>,
): JobAnswer['points'] {
  const before = (COMPARISON_STEPS as readonly string[]).indexOf(stage) * total
  return { compared: Math.min(total, Math.max(0, chunks.seen - before)), total, found }
}

/** The result of a comparison without its questions and chunks, which more callers may not read than those of the comparison. */
const withoutTexts = (result: JobView['result']): JobView['result'] => {
  if (!result) return result
  const { rows: _rows, uncounted: _uncounted, ...rest } = result
  return rest
}

/** A job as clients see it. */
function jobAnswer(job: JobView): JobAnswer {
  const { files, chunks } = job.progress ?? NO_PROGRESS
  const { error } = job
  const waiting = job.progress?.waits?.now
  return {
    id: job.id,
    flowId: job.flowId,
    kind: job.kind,
    state: job.state,
    attempt: job.attempt,
    stage: job.progress?.stage ?? null,
    files: { total: files.total, done: files.done, failed: files.failed, empty: files.empty ?? 0 },
    ...(job.progress?.questions ? { questions: job.progress.questions } : {}),
    ...(job.progress?.points ? { points: pointsOf(job.progress, job.progress.points) } : {}),
    chunks: { seen: chunks.seen, embedded: chunks.embedded, written: chunks.written },
    nodes: (job.progress?.nodes ?? []).map(({ first: _, last: __, ...node }) => ({
      ...node,
      ms: Math.round(node.ms),
    })),
    rate: job.rate,
    etaSeconds: job.etaSeconds,
    ...(job.place === undefined ? {} : { place: job.place }),
    ...(job.waitsFor === undefined ? {} : { waitsFor: job.waitsFor }),
    ...(job.state === 'running' && waiting ? { waiting: { ...waiting, since: isoTime(waiting.since) } } : {}),
    result: job.kind === 'compare' ? withoutTexts(job.result) : job.result,
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
